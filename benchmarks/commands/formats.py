"""``python -m benchmarks formats``."""

import argparse
import json
from pathlib import Path

from benchmarks.imports import FORMATS, OTHERS, compare_imports
from benchmarks.results import RESULTS_DIR, story, write
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder


def add_formats(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``formats``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="documents as JSON Lines")
    parser.add_argument(
        "--format", action="append", choices=[*FORMATS, *OTHERS],
        help=f"may be given several times; by default {', '.join(FORMATS)}",
    )  # fmt: skip
    parser.add_argument(
        "--cold", action="store_true", help="encode every text for every format, and time that too"
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_formats(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import the same records in several formats and compare the libraries."""
    result = compare_imports(
        arguments.file,
        arguments.format or list(FORMATS),
        settings,
        cold=arguments.cold,
        progress=progress_bar,
    )
    told = {"story": story(load_encoder(settings), settings.resolve_device()), **result}
    if arguments.save:
        kind = "cold" if arguments.cold else "warm"
        stem = arguments.file.name.split(".")[0]
        write(RESULTS_DIR / "imports" / f"{stem}-{kind}.json", told)
    if arguments.json:
        print(json.dumps(told, ensure_ascii=False))
        return
    for name, row in result["formats"].items():
        print(
            f"{name:10} {row['seconds']:7.1f} s  {row['n_read']:,} read, {row['n_imported']:,} "
            f"imported, {row['n_refused']:,} refused, library {row['library_revision']}"
        )
    print(
        f"The libraries are {'equal' if result['equal'] else 'NOT equal'}; two vectors of one "
        f"passage differ by at most {result['largest_difference']:.1g}."
    )
