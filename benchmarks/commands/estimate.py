"""``python -m benchmarks estimate``."""

import argparse
import json

from benchmarks.estimates import measure_estimate
from benchmarks.results import RESULTS_DIR, circumstances, write
from subclust.core.settings import Settings
from subclust.core.storage.damaged import typed
from subclust.judging.own_sets import trainable_methods
from subclust.training.estimates.estimate import RunEstimate


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``estimate``."""
    names = [card.name for card in trainable_methods()]
    parser.add_argument(
        "--method", action="append", choices=names,
        help="may be given several times; by default all that the Train page offers",
    )  # fmt: skip
    parser.add_argument(
        "--queries", type=int, nargs="+", default=[12], metavar="N",
        help="of the demo's articles, in each of the labelled sets",
    )  # fmt: skip
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_estimate(arguments: argparse.Namespace, settings: Settings) -> None:
    """Estimate trainings, make them, and tell whether they kept below what was said."""
    methods = arguments.method or [card.name for card in trainable_methods()]
    runs = []
    for method in methods:
        for n_queries in arguments.queries:
            row = measure_estimate(settings, method, n_queries)
            runs.append(row)
            if not arguments.json:
                told = typed(RunEstimate, row["estimate"])
                print(
                    f"{method:14} {n_queries:4} queries  {row['seconds']:7.1f} s of at most "
                    f"{told.most_seconds:7.1f}  {row['memory_mb']:8,.0f} MB of at most "
                    f"{told.most_memory_mb:8,.0f}",
                    flush=True,
                )
    result = {"story": circumstances(settings.resolve_device()), "runs": runs}
    if arguments.save:
        write(RESULTS_DIR / "estimates" / "demo.json", result)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
