"""Arguments and words that the commands about live sources share."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.live.base import LiveRequest, collection_name
from subclust.text.sources.live.opening import card_of

MOST_TOLD = 20
"""Refused records that are told on standard error."""


def add_request(parser: argparse.ArgumentParser) -> None:
    """Declare what may be asked for besides the query."""
    parser.add_argument(
        "--url", default="", help="which repository or catalogue; else the first of the settings"
    )
    parser.add_argument(
        "--format", default="", help="of its records, as it calls it: oai_dc, dc, marcxml"
    )
    parser.add_argument(
        "--language", default="en", metavar="CODE", help="of Wikipedia, such as de; by default en"
    )
    parser.add_argument("--collection", help="name for what comes; by default made of the question")


def request_of(arguments: argparse.Namespace) -> LiveRequest:
    """Return what is asked for."""
    return LiveRequest(
        query=arguments.query or "",
        url=arguments.url,
        set=getattr(arguments, "set", ""),
        since=getattr(arguments, "since", ""),
        until=getattr(arguments, "until", ""),
        format=arguments.format,
        language=arguments.language,
    )


def collection_of(arguments: argparse.Namespace, name: str) -> str:
    """Return the collection's name: the one asked for, or one made of source and question."""
    if arguments.collection:
        return str(arguments.collection)
    return collection_name(card_of(name), request_of(arguments))


def refusal_record(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal for ``--json``."""
    return {
        "place": refusal.place,
        "field": refusal.field,
        "reason": refusal.reason,
        "advice": refusal.advice,
        "excerpt": refusal.excerpt,
    }


def tell_refused(refusals: Sequence[Refusal]) -> None:
    """Write the first records that were refused to standard error."""
    for refusal in refusals[:MOST_TOLD]:
        print(f"  {refusal}", file=sys.stderr)
    if len(refusals) > MOST_TOLD:
        print(f"  … and {len(refusals) - MOST_TOLD:,} more.", file=sys.stderr)


def hit_record(rank: int, document: Document) -> dict[str, Any]:
    """Return a hit for ``--json``."""
    return {
        "rank": rank,
        "id": document.id,
        "title": document.title,
        "metadata": dict(document.metadata),
        "passages": [{"id": one.id, "text": one.text} for one in document.passages],
    }
