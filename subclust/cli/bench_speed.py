"""``python -m subclust bench-speed``."""

import argparse
import json

from subclust.benchmarks.results import RESULTS_DIR, story, write
from subclust.benchmarks.speed import time_queries
from subclust.cli.options import add_method
from subclust.pipeline import load_pipeline
from subclust.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bench-speed``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=200, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Time warm queries and regrouping."""
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
    )
    result = {
        "library": arguments.library,
        "method": pipeline.method.card.name,
        **time_queries(pipeline, top_k=arguments.top_k, rounds=arguments.rounds),
    }
    if arguments.save:
        told = story(pipeline.retriever.encoder, settings.resolve_device())
        write(RESULTS_DIR / "speed" / f"{arguments.library}.json", {**result, "story": told})
    if arguments.json:
        print(json.dumps(result))
        return
    for what in ("query", "regroup"):
        times = result[what]
        print(
            f"{what:8} median {times['median_ms']:.0f} ms, 95% below {times['p95_ms']:.0f} ms, "
            f"longest {times['max_ms']:.0f} ms ({times['n']} runs)"
        )
    print("stages   " + ", ".join(f"{k} {v:.0f} ms" for k, v in result["stages"].items()))
