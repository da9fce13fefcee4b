"""``python -m subclust export``."""

import argparse
import json
from pathlib import Path

from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.exports.collection import check_ending, write_collection
from subclust.text.library import PassageLibrary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``export``."""
    parser.add_argument("--library", required=True, help="its name")
    parser.add_argument("--collection", help="only this part of it")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="FILE",
        help="its ending decides: .csv, .xlsx, .jsonl, .ris, .bib, .json (CSL) or .xml (MARCXML)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Write the passages of a library to a file."""
    check_ending(arguments.to)
    library = PassageLibrary.open(settings.library_dir, arguments.library)
    found = library.passages(collection=arguments.collection).passages
    if not found:
        where = f"collection {arguments.collection!r}" if arguments.collection else "library"
        there = ", ".join(library.collections()) or "none"
        raise InputError(
            "There is no passage in that {where} of {library!r}; its collections are: {there}.",
            where=where,
            library=arguments.library,
            there=there,
        )
    write_collection(found, arguments.to)
    if arguments.json:
        print(json.dumps({"file": str(arguments.to), "n_passages": len(found)}))
    else:
        print(f"{len(found):,} passages of {arguments.library} were written to {arguments.to}.")
