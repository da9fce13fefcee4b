"""``python -m benchmarks workers``."""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.workers import compare_workers
from subclust.cli.options import at_least_one
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``workers``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="documents as JSON Lines")
    parser.add_argument(
        "--documents", type=at_least_one, default=2000, metavar="N", help="the first so many"
    )
    parser.add_argument(
        "--workers", type=at_least_one, nargs="+", default=[1, 2], metavar="N",
        help="numbers of Ray workers on this machine, by default 1 and 2",
    )  # fmt: skip
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_workers(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import the same documents by one process and by workers of Ray, and compare."""
    result = compare_workers(
        arguments.file,
        arguments.documents,
        arguments.workers,
        settings,
        told=lambda what: print(f"Importing: {what}", file=sys.stderr),
    )
    told = {"story": story(load_encoder(settings), settings.resolve_device()), **result}
    if arguments.save:
        stem = arguments.file.name.split(".")[0]
        write(RESULTS_DIR / "ingest" / f"{stem}-{arguments.documents}.json", told)
    if arguments.json:
        print(json.dumps(told, ensure_ascii=False))
        return
    print(f"{result['n_passages']:,} passages, every one encoded anew each time")
    rows = {"local": result["local"]} | {
        f"Ray, {count} workers": row for count, row in result["workers"].items()
    }
    for name, row in rows.items():
        beside = ""
        if "equal" in row:
            same = "equal" if row["equal"] else "NOT equal"
            beside = f"  {row['ratio_to_local']:.2f} times local; {same}"
            if row["largest_difference"] is not None:
                beside += f", vectors differ by at most {row['largest_difference']:.1g}"
        print(f"{name:16} {row['seconds']:7.1f} s {row['passages_per_second']:7.1f} a s{beside}")
