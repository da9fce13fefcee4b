"""Documents out of a library: ``export``."""

import argparse
from pathlib import Path

from subclust.cli.printing import passages, show, tell
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.exports.collection import check_ending as check_ending_of_export
from subclust.exports.collection import write_collection
from subclust.exports.reference import left_out, left_out_told
from subclust.text.library import PassageLibrary


def add_export(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``export``."""
    parser.add_argument("--library", required=True, help="its name")
    parser.add_argument("--collection", help="only this part of it")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="FILE",
        help="its ending decides: .csv, .xlsx, .jsonl, .ris, .bib, .json (CSL) or .xml (MARCXML)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one object")


def run_export(arguments: argparse.Namespace, settings: Settings) -> None:
    """Write the passages of a library to a file."""
    check_ending_of_export(arguments.to)
    library = PassageLibrary.open(settings.library_dir, arguments.library)
    found = library.passages(collection=arguments.collection).passages
    if not found:
        there = ", ".join(library.collections())
        raise InputError(
            "There is no passage in the collection {collection!r} of {library!r}; its collections "
            "are: {there}."
            if there
            else "There is no passage in {library!r}.",
            collection=arguments.collection,
            library=arguments.library,
            there=there,
        )
    write_collection(found, arguments.to)
    told = Message(
        "Wrote {passages} of {library} to {file}.",
        passages=passages(len(found)),
        library=arguments.library,
        file=arguments.to,
    )
    missing = left_out(found, arguments.to.name)
    value = {"file": str(arguments.to), "n_passages": len(found), "left_out": missing}
    show(arguments, value, told)
    if sentence := left_out_told(missing, arguments.to.name):
        tell(sentence)
