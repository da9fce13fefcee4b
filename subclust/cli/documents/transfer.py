"""Documents into a library: ``import`` and ``demo``."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from subclust.cli.jobs import submit
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar, say, show, tell
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_passages
from subclust.jobs import JobStore, at_work
from subclust.jobs.process import giving_way
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.ingest.demo import DEMO_LIBRARY, build_demo
from subclust.text.ingest.files import check_names, guess_records, ingest_files
from subclust.text.ingest.import_record import KIND, ImportRecord, job_title, read_account
from subclust.text.ingest.known import refuse_deleted
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.ingest.survey import Survey, survey
from subclust.text.ingest.uploads import forget_uploads
from subclust.text.library import PassageLibrary, with_own_encoder
from subclust.text.library.browse import PassageFilter
from subclust.text.library.imports import ImportLog
from subclust.text.library.names import settle_name
from subclust.text.sources import SOURCES
from subclust.text.sources.base import Refusal, Source
from subclust.text.sources.columns import columns_for, remember_columns
from subclust.text.sources.heads import checked_columns
from subclust.text.sources.opening import open_source

_MOST_TOLD = 20
"""Refusals and groups that are told on standard error; all of them are in the table."""


def add_import(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``import``."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--library", required=True, help="its name; made when it is not there")
    parser.add_argument(
        "--format", default="auto", choices=["auto", *SOURCES],
        help="auto tells it by what the file holds",
    )  # fmt: skip
    parser.add_argument("--collection", help="part of the library; by default the file's name")
    parser.add_argument(
        "--encoding", metavar="NAME",
        help="of the files' letters, such as Windows-1250; by default what their bytes say",
    )  # fmt: skip
    parser.add_argument(
        "--column", action="append", default=[], metavar="OURS=THEIRS",
        help="what a table's column is, such as title=Benennung; remembered for its head",
    )  # fmt: skip
    parser.add_argument(
        "--refused", type=Path, metavar="FILE",
        help="table of what was refused and mended: .csv, .tsv, .xlsx or .json",
    )  # fmt: skip
    parser.add_argument(
        "--no-near-duplicates", action="store_true",
        help="do not look for passages that say nearly the same",
    )  # fmt: skip
    parser.add_argument(
        "--queue", action="store_true",
        help="do it in the background; see 'jobs', which pauses and resumes it",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="go on where it was broken off, as it does without this too",
    )  # fmt: skip
    parser.add_argument(
        "--engine", choices=["local", "ray"], default="local",
        help="ray shares the work out among the machines of a Ray cluster",
    )  # fmt: skip
    parser.add_argument(
        "--address", metavar="ADDRESS",
        help="of the Ray cluster: auto (the one that this machine is part of), HOST:6379, or local "
        "(the default), which starts one here",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=at_least_one, metavar="N",
        help="that encode on the cluster; by default one a graphics card, or a core",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true",
        help="only say what is new, changed, unchanged and gone; nothing is written",
    )  # fmt: skip
    parser.add_argument(
        "--remove-gone", action="store_true",
        help="move records to the bin that the library has and the files have no longer",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run_import(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import each file and say what became of every row."""
    arguments.library = settle_name(settings.library_dir, arguments.library)
    if arguments.refused:
        from subclust.exports.refused import check_ending  # see _write_refused

        check_ending(arguments.refused)
    if arguments.engine == "local" and (arguments.address or arguments.workers):
        raise InputError("--address and --workers go with --engine ray; add that.")
    if arguments.engine == "ray" and (arguments.queue or arguments.job is not None):
        raise InputError("An import by Ray is not queued; leave --queue out.")
    if arguments.remove_gone and (arguments.engine == "ray" or arguments.queue):
        raise InputError("--remove-gone goes with neither --queue nor --engine ray; leave it out.")
    check_names(arguments.files)
    if arguments.dry_run:
        _survey(arguments, settings)
    elif arguments.queue:
        _queue(arguments, settings)
    elif arguments.job is not None:
        _work(arguments, settings)
    elif arguments.engine == "ray":
        _end(arguments, _by_ray(arguments, with_own_encoder(settings, arguments.library)))
    else:
        _import_here(arguments, settings)


def _import_here(arguments: argparse.Namespace, settings: Settings) -> None:
    # Before the import, so that a file that cannot be surveyed stops it while nothing is written.
    gone = _surveyed(arguments, settings).removable() if arguments.remove_gone else ()
    encoder = load_encoder(with_own_encoder(settings, arguments.library))
    reports: list[tuple[Path, str, IngestReport]] = []
    for one in ingest_files(
        arguments.files,
        encoder,
        settings.library_dir,
        arguments.library,
        format=arguments.format,
        collection=arguments.collection,
        encoding=arguments.encoding,
        columns=partial(_columns, arguments, settings),
        find_near_duplicates=not arguments.no_near_duplicates,
        progress=lambda path: progress_bar(Message("Importing {file}", file=path.name)),
    ):
        reports.append((one.path, one.format, one.report))
        _tell(one.path, one.format, one.report, on_output=not arguments.json)
    if gone:
        n_removed = delete_passages(settings, arguments.library, PassageFilter(ids=gone))
        with _log(arguments, settings) as log:
            log.removed(gone)
        tell(
            Message(
                "{passages:,} passages that are no longer in the files were removed. They stay "
                "in the bin for 30 days.",
                passages=n_removed,
            )
        )
    _end(arguments, reports)
    if arguments.library in PassageLibrary.names(settings.library_dir):
        tell(
            Message(
                "The library {library} can be searched now; what makes its first search quick is "
                "being prepared.",
                library=arguments.library,
            )
        )
        with giving_way():
            prepare_for_default(settings, encoder, arguments.library)
    else:
        tell(
            Message(
                "Nothing could be imported, so there is no library {library!r}; see what was "
                "rejected.",
                library=arguments.library,
            )
        )


def _columns(arguments: argparse.Namespace, settings: Settings, path: Path) -> Mapping[str, str]:
    """Return what is said of a table's columns, now or before, and remember what is said now."""
    given = checked_columns(arguments.column)
    if given and not arguments.dry_run:
        remember_columns(settings.data_dir, path, given, arguments.encoding)
    return columns_for(settings.data_dir, path, given, arguments.encoding)


def _source(arguments: argparse.Namespace, settings: Settings, path: Path) -> Source:
    columns = _columns(arguments, settings, path)
    return open_source(path, arguments.format, arguments.collection, arguments.encoding, columns)


def _surveyed(arguments: argparse.Namespace, settings: Settings) -> Survey:
    return survey(
        arguments.files,
        settings.library_dir,
        arguments.library,
        format=arguments.format,
        collection=arguments.collection,
        encoding=arguments.encoding,
        columns=partial(_columns, arguments, settings),
    )


def _survey(arguments: argparse.Namespace, settings: Settings) -> None:
    """Say what an import would change."""
    found = _surveyed(arguments, settings)
    if arguments.refused:
        reports = [one.to_dict() for one in found.reports]
        _write_refused([path.name for path in arguments.files], reports, arguments.refused)
    counts = found.to_dict()
    told = Message(
        "Records read: {n_read:,} (new: {n_new:,}, changed: {n_changed:,}, already there: "
        "{n_unchanged:,}, duplicates: {n_merged:,}, rejected: {n_refused:,}). In the library, but "
        "no longer in these files: {n_gone:,}. Nothing was written.",
        **counts,
    )
    value = {"library": arguments.library, "dry_run": True, **counts}
    show(arguments, value | {"gone": list(found.gone_records)}, told)
    if found.gone and found.n_unidentified:
        unclear = "{count} of the refused cannot be identified and may be among those."
        tell(Message(unclear, count=found.n_unidentified))


def _by_ray(
    arguments: argparse.Namespace, settings: Settings
) -> list[tuple[Path, str, IngestReport]]:
    """Have the workers of a Ray cluster do it. What a first search would need is not made ready."""
    from subclust.text.ingest.ray import HERE, Workers, ingest_on_ray
    from subclust.text.ingest.shares import ImportedFile

    known = arguments.format, arguments.collection, arguments.encoding
    files = [
        ImportedFile(path, *known, _columns(arguments, settings, path)) for path in arguments.files
    ]
    labels = [one.source().label for one in files]
    with _log(arguments, settings) as log:
        reports = ingest_on_ray(
            tuple(files),
            settings,
            arguments.library,
            Workers(arguments.address or HERE, arguments.workers),
            progress=progress_bar(Message("Importing into {library}", library=arguments.library)),
            find_near_duplicates=not arguments.no_near_duplicates,
            log=log,
        )
    done = list(zip(arguments.files, labels, reports, strict=True))
    for path, label, report in done:
        _tell(path, label, report, on_output=not arguments.json)
    return done


def _end(arguments: argparse.Namespace, reports: list[tuple[Path, str, IngestReport]]) -> None:
    """Write the table of what was refused, and print the object that was asked for."""
    if arguments.refused:
        told = [report.to_dict() for _, _, report in reports]
        _write_refused([path.name for path, _, _ in reports], told, arguments.refused)
    files = [
        {"file": path.name, "format": label, **report.to_dict()} for path, label, report in reports
    ]
    show(arguments, {"library": arguments.library, "files": files})


def _write_refused(names: Sequence[str], reports: Sequence[Mapping[str, Any]], to: Path) -> None:
    """Write the table of what was refused; who wants none does not wait for its writers."""
    from subclust.exports.refused import report_rows, write_refused

    tables = map(report_rows, names, reports)
    write_refused([row for rows in tables for row in rows], to)


def _queue(arguments: argparse.Namespace, settings: Settings) -> None:
    """Submit the import as a job, once every file is known to be there and of a known format."""
    if settings.jobs_backend != "local":
        raise InputError("An import runs on the machine that has its files; leave --queue out.")
    for path in arguments.files:
        _source(arguments, settings, path)
    title = job_title(arguments.library, arguments.files)
    show(arguments, *submit(arguments, settings, kind=KIND, title=title))


def _work(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import as the worker of a job, which keeps the account in its folder."""
    store = JobStore(settings.jobs_dir)
    with (
        at_work(store, arguments.job, tuple(arguments.words)) as worker,
        _log(arguments, settings, arguments.job) as log,
    ):
        guesses = [guess_records(path, arguments.format) for path in arguments.files]
        record = ImportRecord(
            worker.folder, arguments.library, arguments.files, guesses, worker.stage
        )
        encoder = load_encoder(with_own_encoder(settings, arguments.library))
        for number, path in enumerate(arguments.files):
            # An earlier run of this job has read this file to its end.
            if not record.begin(number):
                continue
            source = _source(arguments, settings, path)
            report = ingest(
                source,
                encoder,
                settings.library_dir,
                arguments.library,
                n_documents=guesses[number],
                find_near_duplicates=not arguments.no_near_duplicates,
                watcher=record,
                log=log,
                has_begun=record.has_begun,
            )
            record.end(report, source.label)
            _tell(path, source.label, report, on_output=True)
        account = read_account(worker.folder)
        if arguments.refused and account is not None:
            names = [one["file"] for one in account.files]
            _write_refused(names, [one["report"] for one in account.files], arguments.refused)
        if record.has_begun:
            _prepare(settings, encoder, arguments.library, record)
        forget_uploads(settings.uploads_dir, arguments.files)


def _prepare(settings: Settings, encoder: Encoder, library: str, record: ImportRecord) -> None:
    """Make the first search ready, if nobody has deleted the library by then."""
    try:
        record.stage("preparing")
        refuse_deleted(settings.library_dir, library)
        prepare_for_default(settings, encoder, library, lambda what: record.preparing)
    # Even if preparing failed: a deleted library is then the reason, and what to report.
    finally:
        refuse_deleted(settings.library_dir, library)


def _log(arguments: argparse.Namespace, settings: Settings, job: str = "") -> ImportLog:
    return ImportLog(
        settings.library_dir, arguments.library, arguments.files, arguments.collection, job
    )


def _tell(path: Path, label: str, report: IngestReport, *, on_output: bool) -> None:
    """Print how many and why on standard output, and which ones on standard error."""
    if on_output:
        say(
            Message("{file} ({format}): {report}", file=path.name, format=label, report=report),
            *(
                Message("  {count:,} rejected: {reason}", count=count, reason=reason)
                for reason, count in report.reasons.items()
            ),
        )
        near = report.near_duplicates
        if near.n_groups:
            say(
                Message(
                    "  {passages:,} passages say nearly the same as another; all of them were "
                    "imported.",
                    passages=near.n_passages,
                )
            )
    if report.decoding is not None and report.decoding.sentence:
        tell(Message("  {sentence}", sentence=report.decoding.sentence))
    tell_refused(report.refusals, report.n_refused, Message("--refused FILE writes all of them"))
    for mending in report.mendings[:_MOST_TOLD]:
        tell(Message("  {place}, repaired: {what}", place=mending.place, what=mending.what))
    for group in report.near_duplicates.groups[:_MOST_TOLD]:
        tell(Message("  nearly the same: {ids}", ids=", ".join(group[:6])))


def tell_refused(refusals: Sequence[Refusal], n_refused: int, where: str = "") -> None:
    """Write the first records that were refused to standard error, and where the others are."""
    tell(*(Message("  {refusal}", refusal=refusal) for refusal in refusals[:_MOST_TOLD]))
    if n_refused > _MOST_TOLD:
        tell(
            Message(
                "  … and {count:,} more; {where}." if where else "  … and {count:,} more.",
                count=n_refused - _MOST_TOLD,
                where=where,
            )
        )


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Declare that ``demo`` has no arguments."""


def run_demo(arguments: argparse.Namespace, settings: Settings) -> None:
    """Build the demo library, unless it is there, and make it ready for the default method."""
    encoder = load_encoder(settings)
    report = build_demo(settings, encoder, progress_bar(Message("Building the demo library")))
    prepare_for_default(settings, encoder, DEMO_LIBRARY)
    say(Message("The demo library is ready: {report}.", report=report))


def prepare_for_default(
    settings: Settings,
    encoder: Encoder,
    library: str,
    told: Callable[[str], Progress] = progress_bar,
) -> None:
    """Encode what the first query would wait for, and say on standard error what is missing."""
    from subclust.api.libraries import prepare_search  # seconds, which no import is to wait for

    missing = prepare_search(settings, encoder, library, told)
    if missing is not None:
        tell(missing.sentence)
