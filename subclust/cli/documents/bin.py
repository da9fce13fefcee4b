"""``python -m subclust bin``."""

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import Any

from subclust.cli.options import add_actions
from subclust.cli.printing import show
from subclust.core.bin import BinEntry
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, put_back

_ACTIONS = {
    "list": "what was deleted in the last 30 days; the same as no action",
    "restore": "put something back to where it was",
    "empty": "delete for good, and free the disk",
}

_KINDS = {
    "library": Message("library"),
    "model": Message("model"),
    "set": Message("labelled set"),
    "session": Message("session"),
    "corrections": Message("corrections"),
    "passages": Message("passages of"),
}


def add_bin(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bin``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name == "restore":
            action.add_argument("id", help="as 'list' tells it")
        if name == "empty":
            action.add_argument("id", nargs="?", help="of one thing; by default all")
            action.add_argument(
                "--yes", action="store_true", help="do it; without, it is only told what would go"
            )


def run_bin(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what came of it."""
    there = bin_of(settings)
    there.sweep()
    empty = Message("The bin is empty.")
    match arguments.action or "list":
        case "restore":
            entry = put_back(settings, arguments.id)
            told = Message("Restored: {entry}", entry=_line(entry))
            show(arguments, {"restored": _object(entry)}, told)
        case "empty":
            going = [there.find(arguments.id)] if arguments.id else there.entries()
            if arguments.yes:
                for entry in going:
                    there.remove(entry)
            value = {"removed": arguments.yes, "entries": [_object(one) for one in going]}
            tail = Message(
                "Deleted for good." if arguments.yes else "Add --yes to delete this for good."
            )
            show(arguments, value, *([*map(_line, going), tail] if going else [empty]))
        case _:
            found = there.entries()
            value = {"entries": [_object(one) for one in found]}
            show(arguments, value, *([*map(_line, found)] or [empty]))


def _object(entry: BinEntry) -> dict[str, Any]:
    return {**asdict(entry), "until": entry.until}


def _line(entry: BinEntry) -> Message:
    deleted, until = (
        datetime.fromtimestamp(when).astimezone() for when in (entry.deleted, entry.until)
    )
    return Message(
        "{id}  {kind} {title}, deleted {deleted}, kept until {until}",
        id=entry.id,
        kind=_KINDS.get(entry.kind, entry.kind),
        title=entry.title,
        deleted=f"{deleted:%Y-%m-%d %H:%M %Z}",
        until=f"{until:%Y-%m-%d %H:%M}",
    )
