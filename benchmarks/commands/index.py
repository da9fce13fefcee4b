"""``python -m benchmarks index``."""

import argparse
import json

from benchmarks.index_recall import measure_index
from benchmarks.measured_library import measured_library
from benchmarks.results import RESULTS_DIR, story, write
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings


def add_index(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``index``."""
    parser.add_argument(
        "--library", default="demo", help="whose passages are repeated, and whose titles are asked"
    )
    parser.add_argument(
        "--passages", type=at_least_one, action="append", metavar="N",
        help="so many in the measured library; several times for several",
    )  # fmt: skip
    parser.add_argument("--queries", type=at_least_one, default=100, metavar="N")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_index(arguments: argparse.Namespace, settings: Settings) -> None:
    """Compare what the index finds with the exact answer."""
    encoder, library = measured_library(settings, arguments.library)
    titles = list(library.articles())
    step = max(1, len(titles) // arguments.queries)
    queries = encoder.encode(titles[::step][: arguments.queries])
    sizes = []
    for n_passages in arguments.passages or [20_000, 100_000]:
        measured = measure_index(
            library, queries, n_passages, progress=progress_bar(f"Filling {n_passages:,}")
        )
        sizes.append(measured)
        if not arguments.json:
            print(
                f"{n_passages:,} passages: recall@{measured['top_k']} {measured['recall']:.4f} "
                f"(lowest {measured['recall_lowest']:.3f}), index {measured['index_ms']['p50']} ms,"
                f" exact {measured['exact_ms']['p50']} ms"
            )
    result = {
        "library": arguments.library,
        "sizes": sizes,
        "story": story(encoder, settings.resolve_device()),
    }
    if arguments.save:
        write(RESULTS_DIR / "index" / f"{arguments.library}.json", result)
    if arguments.json:
        print(json.dumps(result))
