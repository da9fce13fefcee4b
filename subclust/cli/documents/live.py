"""Live sources: ``sources``, ``search-live`` and ``harvest``."""

import argparse
import textwrap
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from subclust.cli.documents.transfer import prepare_for_default, tell_refused
from subclust.cli.jobs import progress_of, submit
from subclust.cli.options import add_actions, at_least_one
from subclust.cli.printing import progress_bar, said, show
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.exports.refused import check_ending, refused_row, write_refused
from subclust.text.encoders import load_encoder
from subclust.text.ingest.harvest import HarvestState, harvest
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library import with_own_encoder
from subclust.text.library.names import settle_name
from subclust.text.sources import SOURCES
from subclust.text.sources.base import Refusal
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import (
    LiveHits,
    LiveRequest,
    LiveSource,
    collection_name,
    search_live,
)
from subclust.text.sources.live.opening import access_to, card_of, open_live, why_off
from subclust.text.sources.live.pace import in_words

_ACTIONS = {
    "list": "the live sources and whether each is switched on; no one is asked",
    "harvests": "what is or was harvested, and how far it has come",
}


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sources``."""
    add_actions(parser, _ACTIONS)


def run_sources(arguments: argparse.Namespace, settings: Settings) -> None:
    """List live sources or harvests. Nothing is sent to anybody."""
    if arguments.action == "harvests":
        states = HarvestState.all(settings.harvests_dir)
        damaged = HarvestState.damaged(settings.harvests_dir)
        value: dict[str, Any] = {
            "harvests": [{"name": state.name, **asdict(state)} for state in states],
            "damaged": [one.to_dict() for one in damaged],
        }
        lines = [f"{one.source:12} {one.collection}\n{'':12} {said(str(one))}" for one in states]
        show(arguments, value, *lines, *map(str, damaged))
        return
    rows, lines = [], []
    for card in LIVE.values():
        access, off = settings.live_access(card.name), why_off(settings, card)
        rows.append(
            {
                "name": card.name,
                "label": card.label,
                "summary": card.summary,
                "on": not off,
                "why_off": off,
                "contact": access.contact if access else "",
                "has_key": bool(access and access.key),
                "urls": list(access.urls)
                if access and access.urls
                else [card.url][: bool(card.url)],
                "pause_seconds": card.pause,
                "searchable": card.searchable,
                "rules": card.rules,
            }
        )
        on = said(Message("off" if off else "on"))
        lines.append(f"{card.name:12} {on:3}  {said(card.label)}: {said(card.summary)}")
        if off:
            lines.append(textwrap.indent(textwrap.fill(said(off), 84), " " * 18))
    formats = [
        {"name": card.name, "label": card.label, "extensions": list(card.extensions)}
        for card in SOURCES.values()
    ]
    show(arguments, {"live": rows, "formats": formats}, *lines)


def add_search_live(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``search-live``."""
    searchable = [card.name for card in LIVE.values() if card.searchable]
    parser.add_argument("query")
    parser.add_argument("--source", required=True, choices=searchable, help="see 'sources'")
    parser.add_argument("--top-k", type=int, default=50, metavar="N", help="at most so many hits")
    parser.add_argument("--keep", metavar="LIBRARY", help="import the hits into this library too")
    parser.add_argument(
        "--fresh", action="store_true", help="ask although the same was asked a short while ago"
    )
    _add_request(parser)
    parser.add_argument("--json", action="store_true", help="print one object")


def run_search_live(arguments: argparse.Namespace, settings: Settings) -> None:
    """Ask, print what came, and keep it where that is wanted."""
    collection = _collection_of(arguments, arguments.source)
    source = open_live(
        settings, arguments.source, _request_of(arguments), collection, fresh=arguments.fresh
    )
    hits = search_live(source, arguments.top_k)
    report = _kept(arguments, settings, hits) if arguments.keep and hits.documents else None
    tell_refused(hits.refusals, len(hits.refusals))
    lines = _in_lines(hits, source.card.label)
    kept = None
    if report is not None:
        lines.append(
            Message(
                "\nKept as the collection {collection!r} of {report}",
                collection=collection,
                report=report,
            )
        )
        kept = {
            "library": report.library,
            "collection": collection,
            "n_read": report.n_read,
            "n_imported": report.n_imported,
            "n_unchanged": report.n_unchanged,
            "n_merged": report.n_merged,
            "n_refused": report.n_refused,
            "n_passages": report.n_passages,
        }
    value = {
        "query": arguments.query,
        "source": arguments.source,
        "total": hits.total,
        "from_cache": hits.from_cache,
        "asked_at": hits.asked_at,
        "hits": [
            {
                "rank": rank,
                "id": document.id,
                "title": document.title,
                "metadata": dict(document.metadata),
                "passages": [{"id": one.id, "text": one.text} for one in document.passages],
            }
            for rank, document in enumerate(hits.documents, start=1)
        ],
        "refused": [_refusal_record(one) for one in hits.refusals],
        "kept": kept,
    }
    show(arguments, value, *lines)


def _in_lines(hits: LiveHits, label: str) -> list[str]:
    """Write hits for a terminal."""
    age: str = ""
    if hits.from_cache:
        age = Message(", answered {time} ago", time=in_words(time.time() - hits.asked_at))
    lines: list[str] = [
        Message(
            "{count} records of {source}{age}"
            if hits.total is None
            else "{count} of {total:,} records of {source}{age}",
            count=len(hits.documents),
            total=hits.total,
            source=label,
            age=age,
        )
    ]
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
        progress=progress_bar(Message("Importing the hits")),
    )
    prepare_for_default(settings, encoder, arguments.keep)
    return report


def add_harvest(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``harvest``."""
    parser.add_argument("source", choices=list(LIVE), metavar="SOURCE", help=", ".join(LIVE))
    parser.add_argument("query", nargs="?", default="", help="not for an OAI-PMH repository")
    parser.add_argument("--library", required=True, help="its name; made when it is not there")
    parser.add_argument("--set", default="", help="of an OAI-PMH repository")
    parser.add_argument(
        "--from", dest="since", default="", metavar="DATE", help="changed on this day or later"
    )
    parser.add_argument("--until", default="", metavar="DATE", help="changed on this day or before")
    _add_request(parser)
    parser.add_argument(
        "--max", type=at_least_one, metavar="N", help="stop after so many; --resume goes on"
    )
    parser.add_argument(
        "--queue", action="store_true", help="do it in the background; see 'jobs', which resumes it"
    )
    parser.add_argument("--resume", action="store_true", help="go on where it was broken off")
    parser.add_argument(
        "--refused", type=Path, metavar="FILE", help="table of what was refused: .csv, .xlsx, .json"
    )
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run_harvest(arguments: argparse.Namespace, settings: Settings) -> None:
    """Fetch page by page, and say what became of every record."""
    arguments.library = settle_name(settings.library_dir, arguments.library)
    if arguments.refused:
        check_ending(arguments.refused)
    access_to(settings, card_of(arguments.source))  # before the encoder is loaded
    state = HarvestState(
        arguments.source,
        _request_of(arguments),
        arguments.library,
        _collection_of(arguments, arguments.source),
    )
    if arguments.queue:
        if settings.jobs_backend != "local":
            raise InputError(
                "A harvest runs on the machine on which its source is switched on; leave --queue "
                "out."
            )
        show(arguments, *submit(arguments, settings, kind="harvest", title=state.name))
        return

    def opened(state: HarvestState) -> LiveSource:
        return open_live(settings, state.source, state.request, state.collection, deep=True)

    encoder = load_encoder(with_own_encoder(settings, arguments.library))
    state = harvest(
        settings.harvests_dir,
        state,
        opened,
        encoder,
        settings.library_dir,
        resume=arguments.resume,
        most_records=arguments.max,
        progress=progress_of(arguments, settings, Message("Harvesting")),
    )
    if state.n_imported or state.n_unchanged:
        prepare_for_default(settings, encoder, arguments.library)
    tell_refused(state.refusals, len(state.refusals))
    if arguments.refused:
        rows = [refused_row(state.source, refusal) for refusal in state.refusals]
        write_refused(rows, arguments.refused)
    names = ["library", "collection", "source", "finished", "n_pages", "total", "n_read"]
    names += ["n_imported", "n_unchanged", "n_merged", "n_refused", "n_mended"]
    names += ["n_passages", "n_passages_imported", "n_begun_again"]
    report = {name: getattr(state, name) for name in names}
    report["refusals"] = [_refusal_record(refusal) for refusal in state.refusals]
    told = Message(
        "{state}; the source had lost the position, so the harvest began again"
        if state.n_begun_again
        else "{state}",
        state=state,
    )
    show(arguments, report, told)


def _add_request(parser: argparse.ArgumentParser) -> None:
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


def _request_of(arguments: argparse.Namespace) -> LiveRequest:
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


def _collection_of(arguments: argparse.Namespace, name: str) -> str:
    """Return the collection's name: the one asked for, or one made of source and question."""
    if arguments.collection:
        return str(arguments.collection)
    return collection_name(card_of(name), _request_of(arguments))


def _refusal_record(refusal: Refusal) -> dict[str, Any]:
    return {
        name: getattr(refusal, name) for name in ("place", "field", "reason", "advice", "excerpt")
    }
