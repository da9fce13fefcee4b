"""``python -m benchmarks speed``."""

import argparse

from benchmarks.beside import time_beside_training
from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.speed import time_first, time_queries
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import add_method
from subclust.core.settings import Settings
from subclust.methods import find_method
from subclust.pipeline.load import load_pipeline
from subclust.text.encoders import load_encoder


def add_speed(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``speed``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=200, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument(
        "--beside-training",
        nargs="?",
        const="default",
        metavar="METHOD",
        help="time instead how long embedding a query takes while METHOD is trained in the "
        "background, by default the default method, and how long otherwise",
    )
    parser.add_argument(
        "--first-time",
        action="store_true",
        help="time instead the grouping of hits whose embeddings are not kept yet, and then again",
    )
    add_output(parser)


def run_speed(arguments: argparse.Namespace, settings: Settings) -> None:
    """Time warm queries and regrouping, or embedding a query beside a training."""
    if arguments.beside_training:
        _beside_training(arguments, settings)
        return
    if arguments.first_time:
        _first_time(arguments, settings)
        return
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
    told = story(pipeline.retriever.encoder, settings.resolve_device())
    if output(arguments, RESULTS_DIR / "speed" / f"{arguments.library}.json", result, told):
        return
    for what in ("new", "query", "regroup", "regroup_all"):
        print(f"{what:11} {_told(result[what])}")
        if f"{what}_processor" in result:
            print(f"  processor {_told(result[f'{what}_processor'])}")
    print("stages      " + ", ".join(f"{k} {v:.0f} ms" for k, v in result["stages"].items()))


def _first_time(arguments: argparse.Namespace, settings: Settings) -> None:
    method = find_method(arguments.method, CheckpointStore.of(settings)).name
    result = {
        "library": arguments.library,
        "method": method,
        **time_first(
            settings,
            library=arguments.library,
            method=method,
            checkpoint=arguments.checkpoint,
            top_k=arguments.top_k,
        ),
    }
    told = story(load_encoder(settings), settings.resolve_device())
    if output(arguments, RESULTS_DIR / "speed" / f"first-{method}.json", result, told):
        return
    print(f"{result['n_hits']} hits of {result['n_tokens']:.0f} word pieces")
    for what in ("first", "again"):
        print(f"{what:8} {_told(result[what])}")


def _beside_training(arguments: argparse.Namespace, settings: Settings) -> None:
    with exit_on_sigterm():  # the training, which has a session of its own
        result = time_beside_training(settings, arguments.beside_training)
    path = RESULTS_DIR / "speed" / f"beside-{result['method']}.json"
    told = story(load_encoder(settings), settings.resolve_device())
    if output(arguments, path, result, told):
        return
    for what, times in result.items():
        if isinstance(times, dict):
            print(f"{what:16} {_told(times)}")
    print(
        f"A query's embedding takes {result['ratio']:.2f} times as long beside the training; "
        f"{result['allowed']:.2f} times are allowed."
    )


def _told(times: dict[str, float]) -> str:
    return (
        f"median {times['median_ms']:.0f} ms, 95% below {times['p95_ms']:.0f} ms, "
        f"longest {times['max_ms']:.0f} ms ({times['n']} runs)"
    )
