"""Labelled sets: ``sets`` and ``check``."""

import argparse
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from subclust.cli.options import (
    add_actions,
    add_columns,
    add_sharing,
    columns_of,
    sharing_line,
    sharing_of,
)
from subclust.cli.printing import said, show
from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_set
from subclust.labelled.reading.checker import CheckReport, check_labelled_set, words_read
from subclust.labelled.sets import (
    TEMPLATES,
    LabelledSet,
    LabelledSetStore,
    Upload,
    export_left_out,
    set_reference,
    suggested_name,
    template,
    why_not_without,
)
from subclust.labelled.sets.files import told_plainly, written_whole


def add_check(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``check``."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="labelled set (.jsonl, .jsonl.gz, .csv, .tsv, .xlsx), or set:NAME",
    )
    parser.add_argument(
        "--against",
        metavar="FILE",
        help="held-out queries, which should have nothing in common with the others",
    )
    add_columns(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run_check(arguments: argparse.Namespace, settings: Settings) -> None:
    """Print every problem of a labelled set, those of one kind together.

    Raises
    ------
    FileFormatError
        If there are errors, after they have been printed.
    """
    store = LabelledSetStore(settings.sets_dir)
    kept = store.find(arguments.file)
    report = check_labelled_set(
        Path(arguments.file) if kept is None else kept.path,
        columns=columns_of(arguments) if kept is None else None,
        against=_file(arguments.against, store) if arguments.against else None,
        max_words=words_read(settings.max_seq_length),
    )
    show(arguments, report.to_dict(), *_report_lines(report))
    if report.errors:
        raise FileFormatError(
            "{file} has 1 error; correct it and check the file again."
            if len(report.errors) == 1
            else "{file} has {count:,} errors; correct them and check the file again.",
            file=report.file,
            count=len(report.errors),
        )


def _file(name: str, store: LabelledSetStore) -> Path:
    kept = store.find(name)
    return Path(name) if kept is None else kept.path


def _report_lines(report: CheckReport) -> Iterator[str]:
    yield Message(
        "{file}: {n_passages:,} of {n_rows:,} passages can be used, {n_queries:,} questions with "
        "{n_labels:,} subtopics.",
        **vars(report),
        file=report.file,
    )
    for title, severity in (
        (Message("\nErrors, to be corrected first:"), "error"),
        (Message("\nWarnings, used all the same:"), "warning"),
    ):
        groups = [group for group in report.groups if group.severity == severity]
        if groups:
            yield title
        for group in groups:
            line, advice = said(group.line), said(group.advice)
            yield f"- {line[0].upper()}{line[1:]}.\n  {advice[0].upper()}{advice[1:]}."
    if not report.problems:
        yield Message("There is nothing wrong with it.")


_ACTIONS = {
    "list": "all sets and their versions; the same as no action",
    "add": "keep a file as a new set, or as the next version of one",
    "show": "what a set holds, and which rows were left out of it",
    "check": "say what adding a file would say, and add nothing",
    "export": "write a set, or the rows left out of it, to a file",
    "share": "say who may use a set, where people sign in",
    "remove": "delete a set, or one version of it",
    "template": "write a file to fill in",
}


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sets``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name in ("add", "check"):
            action.add_argument("file", type=Path, metavar="FILE")
            add_columns(action)
        if name == "share":
            action.add_argument("set", metavar="NAME")
            add_sharing(action)
        if name in ("show", "export", "remove"):
            action.add_argument("set", metavar="NAME[@VERSION]")
        if name == "add":
            action.add_argument("--name", metavar="NAME", help="by default made of the file's")
            action.add_argument("--title", metavar="TEXT", help="for people")
            action.add_argument(
                "--without-errors",
                action="store_true",
                help="leave out the rows that have errors, where that is sound",
            )
        if name in ("export", "template"):
            endings = ", ".join(f".{ending}" for ending in TEMPLATES)
            action.add_argument("file", type=Path, metavar="FILE", help=f"one of {endings}")
        if name == "export":
            action.add_argument(
                "--left-out",
                action="store_true",
                help="write the rows that were left out, with the reasons, as .csv",
            )


def run_sets(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there.

    Raises
    ------
    SubclustError
        If a file is refused, or there is no such set.
    """
    store = LabelledSetStore(settings.sets_dir)
    match arguments.action:
        case None | "list":
            there, damaged = store.sets(), store.damaged()
            value = {
                "sets": [kept.to_dict() for kept in there],
                "damaged": [one.to_dict() for one in damaged],
            }
            lines = [*map(_line, there), *map(str, damaged)]
            show(arguments, value, *(lines or [Message("No labelled sets yet.")]))
        case "add":
            _add(arguments, store)
        case "check":
            _check(arguments, store, settings)
        case "show":
            kept = store.load(*set_reference(arguments.set))
            show(arguments, _shown(kept), *_in_words(kept))
        case "export":
            kept = store.load(*set_reference(arguments.set))
            if arguments.left_out:
                path = export_left_out(kept, arguments.file)
            else:
                path = store.export(kept.name, kept.version, arguments.file)
            _show_file(arguments, {"set": kept.label, "file": str(path)})
        case "share":
            name, _version = set_reference(arguments.set)
            sharing = store.share(name, *sharing_of(arguments))
            show(arguments, {"set": name, **vars(sharing)}, sharing_line(name, sharing))
        case "remove":
            name, version = set_reference(arguments.set)
            gone = delete_set(settings, name, version)
            show(arguments, {"removed": gone}, Message("Removed {key}.", key=", ".join(gone)))
        case "template":
            _template(arguments)


def _show_file(arguments: argparse.Namespace, value: dict[str, Any]) -> None:
    show(arguments, value, Message("Wrote {file}.", file=value["file"]))


def _add(arguments: argparse.Namespace, store: LabelledSetStore) -> None:
    upload = _receive(arguments.file, store)
    try:
        kept = store.keep(
            upload,
            arguments.name or suggested_name(upload.filename),
            columns_of(arguments),
            without_errors=arguments.without_errors,
            title=arguments.title,
        )
    finally:
        store.discard(upload)
    lines = [Message("Kept {set}", set=_line(kept))]
    if not kept.is_new:
        lines = [Message("{set} already holds the same, so nothing was added.", set=kept.label)]
    elif kept.n_left_out:
        named = {"count": kept.n_left_out, "set": kept.label}
        lines.append(Message("{count:,} left out; 'sets show {set}' lists the reasons.", **named))
    show(arguments, {"added": kept.is_new, **kept.to_dict()}, *lines)


def _check(arguments: argparse.Namespace, store: LabelledSetStore, settings: Settings) -> None:
    upload = _receive(arguments.file, store)
    try:
        words = words_read(settings.max_seq_length)
        report = store.check(upload, columns_of(arguments), max_words=words)
    finally:
        store.discard(upload)
    can_leave_out = bool(report.errors) and why_not_without(report) is None
    lines = [*_report_lines(report)]
    if can_leave_out:
        lines.append(Message("\nIt can be added without these rows: add --without-errors."))
    show(arguments, {**report.to_dict(), "can_leave_out": can_leave_out}, *lines)
    if report.errors:
        raise FileFormatError(
            "{file} has 1 error." if len(report.errors) == 1 else "{file} has {count:,} errors.",
            file=upload.filename,
            count=len(report.errors),
        )


def _receive(path: Path, store: LabelledSetStore) -> Upload:
    try:
        with path.open("rb") as stream:
            return store.receive(stream, path.name, n_bytes=os.fstat(stream.fileno()).st_size)
    except FileNotFoundError as error:
        raise FileFormatError("There is no file {file}; check its name.", file=path) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FileFormatError(
            "{path} cannot be read ({reason}); choose another file.", path=path, reason=reason
        ) from error


def _template(arguments: argparse.Namespace) -> None:
    path: Path = arguments.file
    format = next((f for f in TEMPLATES if path.name.lower().endswith(f".{f}")), None)
    if format is None:
        raise InputError(
            "{file} has no ending that a template is made for; take one of {names}.",
            file=path.name,
            names=", ".join(f".{f}" for f in TEMPLATES),
        )
    with (
        told_plainly(Message("{file} cannot be written", file=path)),
        written_whole(path) as partial,
    ):
        partial.write_bytes(template(format))
    _show_file(arguments, {"file": str(path), "format": format})


def _shown(kept: LabelledSet) -> dict[str, Any]:
    names = ("row", "passage", "query", "reasons", "advice")
    left_out = [{name: getattr(row, name) for name in names} for row in kept.left_out]
    return {**kept.to_dict(), "left_out": left_out}


def _in_words(kept: LabelledSet) -> Iterator[str]:
    yield _line(kept)
    yield Message(
        "stored on {day} at {time}, from {filename}, sha256 {sha256}",
        **vars(kept),
        day=f"{datetime.fromtimestamp(kept.created):%Y-%m-%d}",
        time=f"{datetime.fromtimestamp(kept.created):%H:%M}",
    )
    yield str(kept.path)
    if kept.left_out:
        yield Message("\nLeft out:")
        for row in kept.left_out:
            yield f"- {said(row.where)}: {'; '.join(map(said, row.reasons))}."


def _line(kept: LabelledSet) -> Message:
    title = f" ({kept.title})" if kept.title not in (kept.name, kept.filename) else ""
    return Message(
        "{set}: {n_queries:,} questions, {n_passages:,} passages, {n_labels:,} subtopics",
        **vars(kept),
        set=f"{kept.label}{title}",
    )
