"""``python -m subclust library``; its list imports little, since somebody waits for it."""

import argparse
from pathlib import Path

from subclust.cli.documents.filters import add_filter
from subclust.cli.documents.library_text import say_catalogue
from subclust.cli.options import add_actions, at_least_one, from_zero
from subclust.cli.printing import show
from subclust.core.settings import Settings
from subclust.text.encoders import encoder_in_use
from subclust.text.library.catalogue import catalogue

_HELP = {
    "list": "all libraries and what is in each; the same as no action",
    "show": "what is in a library: collections, languages, years, sources, encoder, disk",
    "browse": "the passages of a library, or those that a filter leaves, page by page",
    "remove": "take out the passages that a filter means, a version, or the whole library",
    "imports": "what was imported into a library, when, and whether it came to its end",
    "take-back": "remove the passages that an import brought, to the bin",
    "duplicates": "records of one work, with what agrees and differs; --merge makes them one",
    "backup": "write a library to one zip file, while it is used",
    "restore": "make a library from a backup",
    "reembed": "give a library the vectors of another encoder, while it is used",
    "rollback": "go back to the vectors that it had before",
    "versions": "the version in use, the one before it, and one that is being built",
    "rename": "call a library something else; its id, and what refers to it, stay",
    "limit": "say for which teams a library is, where people sign in",
    "vocabulary": "name groups first by a list of preferred terms, or, without a file, by none",
    "compact": "make searching fast again after much was written, and free the disk",
}

_FILTERED = ("browse", "remove")
_QUEUED = ("reembed", "rollback")


def add_library(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``library``."""
    for name, action in add_actions(parser, _HELP).items():
        if name == "restore":
            action.add_argument("file", type=Path, metavar="FILE.zip")
            action.add_argument("--name", help="for it here, by default the one it had")
        elif name != "list":
            action.add_argument("name", metavar="NAME")
        if name == "rename":
            action.add_argument("title", metavar="NEW-NAME")
            action.add_argument("--collection", help="rename this part of the library instead")
        if name == "limit":
            action.add_argument(
                "--to",
                action="append",
                required=True,
                metavar="TEAM",
                help="team that alone sees it, or 'everybody'; may be given several times",
            )
        if name == "vocabulary":
            action.add_argument(
                "file", type=Path, nargs="?", metavar="FILE", help="one a line, or SKOS"
            )
        if name == "take-back":
            action.add_argument("import_id", metavar="IMPORT", help="its id, as 'imports' lists it")
        if name == "backup":
            action.add_argument("file", type=Path, metavar="FILE.zip")
        if name in _FILTERED:
            add_filter(action)
        if name == "browse":
            action.add_argument(
                "--offset", type=from_zero, default=0, metavar="N", help="skip N passages"
            )
            action.add_argument(
                "--limit",
                type=at_least_one,
                default=20,
                metavar="N",
                help="list at most N passages",
            )
        if name == "remove":
            action.add_argument(
                "--version", type=at_least_one, metavar="N", help="one that is not in use"
            )
        if name in ("remove", "take-back"):
            action.add_argument(
                "--yes", action="store_true", help="do it; without, only the number is told"
            )
        if name == "reembed":
            action.add_argument(
                "--encoder", metavar="NAME", help="by default the one of the settings"
            )
        if name == "duplicates":
            action.add_argument(
                "--merge", action="store_true", help="merge those that are surely the same"
            )
        if name in (*_QUEUED, "duplicates"):
            action.add_argument(
                "--queue", action="store_true", help="in the background; prints the job's id"
            )


def run_library(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    if arguments.action not in (None, "list"):
        from subclust.cli.documents.library_actions import ACTIONS

        value, told = ACTIONS[arguments.action](arguments, settings)
        show(arguments, value, *([told] if isinstance(told, str) else told))
        return
    entries = catalogue(settings.library_dir, encoder_in_use(settings))
    show(arguments, {"libraries": [one.to_dict() for one in entries]}, *say_catalogue(entries))
