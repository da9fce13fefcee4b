"""``python -m subclust sets``."""

import argparse
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from subclust.cli.check import in_words
from subclust.cli.options import add_actions, add_columns, columns_of
from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_set
from subclust.labelled.reading.checker import words_read
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

_ACTIONS = {
    "list": "all sets and their versions; the same as no action",
    "add": "keep a file as a new set, or as the next version of one",
    "show": "what a set holds, and which rows were left out of it",
    "check": "say what adding a file would say, and add nothing",
    "export": "write a set, or the rows left out of it, to a file",
    "remove": "delete a set, or one version of it",
    "template": "write a file to fill in",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sets``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name in ("add", "check"):
            action.add_argument("file", type=Path, metavar="FILE")
            add_columns(action)
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


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there.

    Raises
    ------
    SubclustError
        If a file is refused, or there is no such set.
    """
    store = LabelledSetStore(settings.sets_dir)
    match arguments.action:
        case None | "list":
            _list(arguments, store)
        case "add":
            _add(arguments, store)
        case "check":
            _check(arguments, store, settings)
        case "show":
            kept = store.load(*set_reference(arguments.set))
            _say(arguments, _shown(kept), _in_words(kept))
        case "export":
            kept = store.load(*set_reference(arguments.set))
            if arguments.left_out:
                path = export_left_out(kept, arguments.file)
            else:
                path = store.export(kept.name, kept.version, arguments.file)
            _say(arguments, {"set": kept.label, "file": str(path)}, f"Wrote {path}.")
        case "remove":
            name, version = set_reference(arguments.set)
            gone = delete_set(settings, name, version)
            _say(arguments, {"removed": gone}, f"Removed {', '.join(gone)}.")
        case "template":
            _template(arguments)


def _list(arguments: argparse.Namespace, store: LabelledSetStore) -> None:
    there, damaged = store.sets(), store.damaged()
    lines = [*map(_line, there), *map(str, damaged)] or ["No labelled sets yet."]
    sets = [kept.to_dict() for kept in there]
    value = {"sets": sets, "damaged": [one.to_dict() for one in damaged]}
    _say(arguments, value, "\n".join(lines))


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
    told = f"Kept {_line(kept)}"
    if not kept.is_new:
        told = f"{kept.label} holds the same already, so nothing was added."
    elif kept.n_left_out:
        told += f"\n{kept.n_left_out:,} left out; 'sets show {kept.label}' tells why."
    _say(arguments, {"added": kept.is_new, **kept.to_dict()}, told)


def _check(arguments: argparse.Namespace, store: LabelledSetStore, settings: Settings) -> None:
    upload = _receive(arguments.file, store)
    try:
        words = words_read(settings.max_seq_length)
        report = store.check(upload, columns_of(arguments), max_words=words)
    finally:
        store.discard(upload)
    sentence = why_not_without(report) if report.errors else None
    told = in_words(report)
    if report.errors and sentence is None:
        told += "\n\nIt can be added without these rows: add --without-errors."
    value = {**report.to_dict(), "can_leave_out": bool(report.errors) and sentence is None}
    _say(arguments, value, told)
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
    format = next((f for f in reversed(TEMPLATES) if path.name.lower().endswith(f".{f}")), None)
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
    _say(arguments, {"file": str(path), "format": format}, f"Wrote {path}.")


def _shown(kept: LabelledSet) -> dict[str, Any]:
    left_out = [
        {
            "row": row.row,
            "passage": row.passage,
            "query": row.query,
            "reasons": list(row.reasons),
            "advice": list(row.advice),
        }
        for row in kept.left_out
    ]
    return {**kept.to_dict(), "left_out": left_out}


def _in_words(kept: LabelledSet) -> str:
    lines = [
        _line(kept),
        f"kept on {datetime.fromtimestamp(kept.created):%Y-%m-%d at %H:%M}, made of "
        f"{kept.filename}, sha256 {kept.sha256}",
        str(kept.path),
    ]
    if kept.left_out:
        lines += ["", "Left out:"]
        lines += [f"- {row.where}: {'; '.join(row.reasons)}." for row in kept.left_out]
    return "\n".join(lines)


def _line(kept: LabelledSet) -> str:
    title = f" ({kept.title})" if kept.title not in (kept.name, kept.filename) else ""
    return (
        f"{kept.label}{title}: {kept.n_queries:,} queries, {kept.n_passages:,} passages, "
        f"{kept.n_labels:,} subtopics"
    )


def _say(arguments: argparse.Namespace, value: dict[str, Any], words: str) -> None:
    print(json.dumps(value) if arguments.json else words)
