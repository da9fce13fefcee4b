"""``python -m subclust harvest``."""

import argparse
import json
from pathlib import Path

from subclust.cli.demo import prepare_for_default
from subclust.cli.live import (
    add_request,
    collection_of,
    refusal_record,
    request_of,
    tell_refused,
)
from subclust.cli.options import at_least_one, queued_words
from subclust.cli.progress import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.exports.refused import check_ending, refused_row, write_refused
from subclust.jobs import PROGRESS_FILE, JobQueue, JobStore, launcher_of
from subclust.text.encoders import load_encoder
from subclust.text.ingest.harvest import HarvestState, harvest
from subclust.text.library import with_own_encoder
from subclust.text.library.names import settle_name
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveSource
from subclust.text.sources.live.opening import access_to, card_of, open_live


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``harvest``."""
    parser.add_argument("source", choices=list(LIVE), metavar="SOURCE", help=", ".join(LIVE))
    parser.add_argument("query", nargs="?", default="", help="not for an OAI-PMH repository")
    parser.add_argument("--library", required=True, help="its name; made when it is not there")
    parser.add_argument("--set", default="", help="of an OAI-PMH repository")
    parser.add_argument(
        "--from", dest="since", default="", metavar="DATE", help="changed on this day or later"
    )
    parser.add_argument("--until", default="", metavar="DATE", help="changed on this day or before")
    add_request(parser)
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


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Fetch page by page, and say what became of every record."""
    arguments.library = settle_name(settings.library_dir, arguments.library)
    if arguments.refused:
        check_ending(arguments.refused)
    access_to(settings, card_of(arguments.source))  # before the encoder is loaded
    state = HarvestState(
        arguments.source,
        request_of(arguments),
        arguments.library,
        collection_of(arguments, arguments.source),
    )

    def opened(state: HarvestState) -> LiveSource:
        return open_live(settings, state.source, state.request, state.collection, deep=True)

    if arguments.queue:
        _queue(arguments, settings, state)
        return
    encoder = load_encoder(with_own_encoder(settings, arguments.library))
    state = harvest(
        settings.harvests_dir,
        state,
        opened,
        encoder,
        settings.library_dir,
        resume=arguments.resume,
        most_records=arguments.max,
        progress=_progress(arguments, settings),
    )
    if state.n_imported or state.n_unchanged:
        prepare_for_default(settings, encoder, arguments.library)
    tell_refused(state.refusals)
    if arguments.refused:
        rows = [refused_row(state.source, refusal) for refusal in state.refusals]
        write_refused(rows, arguments.refused)
    if not arguments.json:
        again = "; the source had forgotten the place, so it began again" * bool(
            state.n_begun_again
        )
        print(f"{state}{again}")
        return
    report = {
        "library": state.library,
        "collection": state.collection,
        "source": state.source,
        "finished": state.finished,
        "n_pages": state.n_pages,
        "total": state.total,
        "n_read": state.n_read,
        "n_imported": state.n_imported,
        "n_unchanged": state.n_unchanged,
        "n_refused": state.n_refused,
        "n_mended": state.n_mended,
        "n_begun_again": state.n_begun_again,
        "refusals": [refusal_record(refusal) for refusal in state.refusals],
    }
    print(json.dumps(report, ensure_ascii=False))


def _queue(arguments: argparse.Namespace, settings: Settings, state: HarvestState) -> None:
    """Submit the harvest as a job; it inherits which sources are on, and their keys."""
    if settings.jobs_backend != "local":
        raise InputError(
            "A harvest runs on the machine on which its source is switched on; leave --queue out."
        )
    queue = JobQueue(JobStore(settings.jobs_dir), launcher_of(settings))
    job = queue.submit(
        queued_words(arguments),
        kind="harvest",
        title=state.name,
        device=settings.resolve_device(),
    )
    queue.advance()
    position = queue.position(job.id)
    print(json.dumps({"job": job.id, "position": position}) if arguments.json else job.id)


def _progress(arguments: argparse.Namespace, settings: Settings) -> Progress:
    """Draw how far it is, or write it to the record of the job that this process does."""
    if arguments.job is None:
        return progress_bar("Harvesting")
    file = JobStore(settings.jobs_dir).path(arguments.job) / PROGRESS_FILE

    def write(done: int, total: int | None) -> None:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"step": done, "total": total}) + "\n")

    return write
