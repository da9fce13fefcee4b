"""``python -m subclust search-live``."""

import argparse
import json
import textwrap
import time
from typing import Any

from subclust.cli.demo import prepare_for_default
from subclust.cli.live import (
    add_request,
    collection_of,
    hit_record,
    refusal_record,
    request_of,
    tell_refused,
)
from subclust.cli.progress import progress_bar
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.reading import IngestReport
from subclust.text.library import with_own_encoder
from subclust.text.library.names import settle_name
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveHits, search_live
from subclust.text.sources.live.opening import open_live
from subclust.text.sources.live.pace import in_words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``search-live``."""
    searchable = [card.name for card in LIVE.values() if card.searchable]
    parser.add_argument("query")
    parser.add_argument("--source", required=True, choices=searchable, help="see 'sources'")
    parser.add_argument("--top-k", type=int, default=50, metavar="N", help="at most so many hits")
    parser.add_argument("--keep", metavar="LIBRARY", help="import the hits into this library too")
    parser.add_argument(
        "--fresh", action="store_true", help="ask although the same was asked a short while ago"
    )
    add_request(parser)
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Ask, print what came, and keep it where that is wanted."""
    collection = collection_of(arguments, arguments.source)
    source = open_live(
        settings, arguments.source, request_of(arguments), collection, fresh=arguments.fresh
    )
    hits = search_live(source, arguments.top_k)
    report = _kept(arguments, settings, hits) if arguments.keep and hits.documents else None
    tell_refused(hits.refusals)
    if arguments.json:
        print(json.dumps(_record(arguments, hits, collection, report), ensure_ascii=False))
    else:
        print("\n".join(in_lines(hits, source.card.label)))
        if report is not None:
            print(f"\nKept as the collection {collection!r} of {report}")


def in_lines(hits: LiveHits, label: str) -> list[str]:
    """Write hits for a terminal."""
    of = f" of {hits.total:,}" if hits.total is not None else ""
    age = f", answered {in_words(time.time() - hits.asked_at)} ago" if hits.from_cache else ""
    lines = [f"{len(hits.documents)}{of} records of {label}{age}"]
    for rank, document in enumerate(hits.documents, start=1):
        year = document.metadata.get("year", "")
        lines.append(f"\n{rank}. {document.title}{f' ({year})' if year else ''}")
        text = textwrap.shorten(document.passages[0].text, 240, placeholder=" …")
        if text != document.title:
            lines.append(textwrap.indent(textwrap.fill(text, 92), "    "))
    return lines


def _kept(arguments: argparse.Namespace, settings: Settings, hits: LiveHits) -> IngestReport:
    arguments.keep = settle_name(settings.library_dir, arguments.keep)
    encoder = load_encoder(with_own_encoder(settings, arguments.keep))
    report = ingest(
        hits.items,
        encoder,
        settings.library_dir,
        arguments.keep,
        progress=progress_bar("Importing the hits"),
    )
    prepare_for_default(settings, encoder, arguments.keep)
    return report


def _record(
    arguments: argparse.Namespace, hits: LiveHits, collection: str, report: IngestReport | None
) -> dict[str, Any]:
    kept = None
    if report is not None:
        kept = {
            "library": report.library,
            "collection": collection,
            "n_read": report.n_read,
            "n_imported": report.n_imported,
            "n_unchanged": report.n_unchanged,
            "n_refused": report.n_refused,
        }
    return {
        "query": arguments.query,
        "source": arguments.source,
        "total": hits.total,
        "from_cache": hits.from_cache,
        "asked_at": hits.asked_at,
        "hits": [hit_record(rank, one) for rank, one in enumerate(hits.documents, start=1)],
        "refused": [refusal_record(one) for one in hits.refusals],
        "kept": kept,
    }
