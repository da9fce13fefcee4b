"""``python -m subclust person``."""

import argparse
from pathlib import Path

from subclust.cli.options import add_actions
from subclust.cli.printing import show
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.deleting.persons import delete_person, export_person, kept_of

_ACTIONS = {
    "export": "write all that is kept of somebody to a ZIP file",
    "delete": "delete all that is kept of somebody for good",
}


def add_person(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``person``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        action.add_argument("person", metavar="NAME", help="by which the sign-in knows them")
        if name == "export":
            action.add_argument("--to", type=Path, required=True, metavar="FILE.zip")
        else:
            action.add_argument("--yes", action="store_true", help="without, nothing is deleted")


def run_person(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what came of it."""
    if arguments.action is None:
        raise InputError("Say what to do: 'person export' or 'person delete'.")
    name = arguments.person
    if arguments.action == "export":
        counts = export_person(settings, name, arguments.to)
        told = Message("Wrote {file}.", file=arguments.to)
        value = {"person": name, "file": str(arguments.to), "kept": counts}
    elif arguments.yes:
        counts = delete_person(settings, name)
        told = Message("Deleted for good.")
        value = {"person": name, "deleted": True, "kept": counts}
    else:
        counts = kept_of(settings, name)
        told = Message("Add --yes to delete this for good.")
        value = {"person": name, "deleted": False, "kept": counts}
    shown = Message(
        "{sessions} sessions, {corrections} corrections, {sets} versions of labelled sets, "
        "{tokens} access tokens, {bin} things in the bin, {jobs} jobs, "
        "{audit} lines of the audit log",
        **counts,
    )
    show(arguments, value, shown, told)
