"""``python -m subclust bin``."""

import argparse
import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from subclust.cli.options import add_actions
from subclust.core.bin import BinEntry
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, put_back

ACTIONS = {
    "list": "what was deleted in the last seven days; the same as no action",
    "restore": "put something back to where it was",
    "empty": "delete for good, and free the disk",
}

_KINDS = {
    "library": "library",
    "model": "model",
    "set": "labelled set",
    "session": "session",
    "corrections": "corrections",
    "passages": "passages of",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bin``."""
    for name, action in add_actions(parser, ACTIONS).items():
        if name == "restore":
            action.add_argument("id", help="as 'list' tells it")
        if name == "empty":
            action.add_argument("id", nargs="?", help="of one thing; by default all")
            action.add_argument(
                "--yes", action="store_true", help="do it; without, it is only told what would go"
            )


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what came of it."""
    there = bin_of(settings)
    there.sweep()
    value: dict[str, Any]
    match arguments.action or "list":
        case "restore":
            entry = put_back(settings, arguments.id)
            value, said = {"restored": _object(entry)}, f"Put back: {_line(entry)}"
        case "empty":
            going = [there.find(arguments.id)] if arguments.id else there.entries()
            if arguments.yes:
                for entry in going:
                    there.remove(entry)
            value = {"removed": arguments.yes, "entries": [_object(one) for one in going]}
            tail = "Deleted for good." if arguments.yes else "Add --yes to delete this for good."
            said = "\n".join([*map(_line, going), tail]) if going else "The bin is empty."
        case _:
            found = there.entries()
            value = {"entries": [_object(one) for one in found]}
            said = "\n".join(map(_line, found)) or "The bin is empty."
    print(json.dumps(value, ensure_ascii=False) if arguments.json else said)


def _object(entry: BinEntry) -> dict[str, Any]:
    return {**asdict(entry), "until": entry.until}


def _line(entry: BinEntry) -> str:
    deleted, until = (
        datetime.fromtimestamp(when).astimezone() for when in (entry.deleted, entry.until)
    )
    return (
        f"{entry.id}  {_KINDS.get(entry.kind, entry.kind)} {entry.title}, deleted "
        f"{deleted:%Y-%m-%d %H:%M %Z}, kept until {until:%Y-%m-%d %H:%M}"
    )
