"""``python -m benchmarks explanations``."""

import argparse
import json

from benchmarks.explanations import measure_explanations
from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.speed import QUERIES
from subclust.cli.options import add_method, at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.pipeline.query import load_pipeline


def add_explanations(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``explanations``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    add_method(parser)
    parser.add_argument(
        "--query",
        action="append",
        default=[],
        metavar="TEXT",
        help="take this one instead of those that the demo library answers; may be given again",
    )
    parser.add_argument("--passages", type=at_least_one, default=6, metavar="N", help="a query")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_explanations(arguments: argparse.Namespace, settings: Settings) -> None:
    """Take marked and random words out of some hits and compare what their strength loses."""
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
    )
    found = measure_explanations(
        pipeline,
        arguments.query or QUERIES,
        n_passages=arguments.passages,
        progress=progress_bar("Explaining"),
    )
    checkpoint = pipeline.method.checkpoint
    result = {
        "library": arguments.library,
        "method": pipeline.method.card.name,
        "checkpoint": checkpoint.name if checkpoint else None,
        **found,
        "story": story(pipeline.retriever.encoder, settings.resolve_device()),
    }
    if arguments.save:
        name = f"{arguments.library}-{pipeline.method.card.name}.json"
        write(RESULTS_DIR / "explanations" / name, result)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    if not found["n_passages"]:
        print("No words were marked, so there is nothing to compare.")
        return
    low, high = found["interval"]
    print(
        f"{found['n_passages']} passages: without the marked words their strength loses "
        f"{found['lost_without_marked']:.3f}, without as many random ones "
        f"{found['lost_without_random']:.3f}; difference {found['difference']:.3f} "
        f"[{low:.3f}, {high:.3f}], above random in {found['share_above_random']:.0%}. "
        f"An explanation takes {found['ms']:.0f} ms, a query's stability "
        f"{found['ms_stability']:.0f} ms."
    )
