"""``python -m subclust bench``."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from subclust.checkpoints import CheckpointStore
from subclust.cli.progress import progress_bar
from subclust.core.records import QUERY_CONTEXTS, ClusteringInstance
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import DEFAULT_METRICS
from subclust.judging.bench import (
    COUNT_RULES,
    learn_counts,
    learn_method_threshold,
    run_benchmark,
)
from subclust.judging.tasks import load_task
from subclust.text.encoders import load_encoder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bench``."""
    parser.add_argument(
        "task",
        metavar="TASK_OR_FILE",
        help="a labelled set, by its path or as set:NAME, or a task, such as demo",
    )
    parser.add_argument(
        "--method",
        action="append",
        metavar="NAME",
        help="may be given several times, the first is compared with the others; "
        "NAME@CHECKPOINT names a checkpoint",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], default="flat")
    parser.add_argument(
        "--context", choices=QUERY_CONTEXTS, help="by default the one a checkpoint was trained with"
    )
    parser.add_argument(
        "--count", choices=list(COUNT_RULES), help="rule for the automatic number of groups"
    )
    parser.add_argument(
        "--validation",
        metavar="TASK_OR_FILE",
        help="choose there the rule for the automatic number of groups, for each method that is "
        "not trained; with --training",
    )
    parser.add_argument(
        "--training",
        metavar="TASK_OR_FILE",
        help="whose mean number of groups is one of these rules",
    )
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="of the benchmark data")
    parser.add_argument(
        "--learn-threshold",
        action="store_true",
        help="print the similarity at which each method's automatic number of groups is best",
    )
    parser.add_argument(
        "--max-other",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="largest share of passages that may go to 'other passages', 0 by default; above 0, "
        "what a method finds to be about something else goes there too",
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.set_defaults(wrong_usage=parser.error)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure methods on a labelled set."""
    _, result = measure(arguments, settings)
    if result is None:
        return
    print(json.dumps(result, ensure_ascii=False) if arguments.json else table(result))


def measure(
    arguments: argparse.Namespace, settings: Settings
) -> tuple[list[ClusteringInstance], dict[str, Any] | None]:
    """Measure methods on a task or file.

    Returns
    -------
    instances : list of ClusteringInstance
    result : dict or None
        Of `run_benchmark`; None where only thresholds were asked for, which are printed.
    """
    if (arguments.validation is None) != (arguments.training is None):
        arguments.wrong_usage("--validation and --training go together")
    if arguments.validation is not None and arguments.count is not None:
        arguments.wrong_usage("--count and --validation both choose the rule; give one of them")
    if arguments.data_dir is not None:
        settings = replace(settings, benchmark_data_dir=arguments.data_dir)
    encoder = load_encoder(settings)
    store = CheckpointStore.of(settings)
    name, instances = load_task(arguments.task, settings)
    methods = methods_of(arguments)
    if arguments.learn_threshold:
        for method in methods:
            threshold = learn_method_threshold(instances, method, encoder, store)
            print(f"{method} {threshold:.6f}", flush=True)
        return instances, None

    def progress(method: str, done: int, total: int) -> None:
        progress_bar(f"Encoding for {method}")(done, total)

    counts = None
    if arguments.validation is not None:
        counts = learn_counts(
            methods,
            load_task(arguments.validation, settings)[1],
            load_task(arguments.training, settings)[1],
            encoder,
            store,
            progress=progress,
        )
    return instances, run_benchmark(
        name,
        instances,
        methods,
        encoder,
        store,
        granularity=arguments.granularity,
        context=arguments.context,
        count=arguments.count,
        counts=counts,
        max_other=arguments.max_other,
        progress=progress,
    )


def methods_of(arguments: argparse.Namespace) -> list[str]:
    """Return the methods that are asked for."""
    return arguments.method or ["default", "centred-cosine", "sbert-cosine"]


def table(result: Mapping[str, Any]) -> str:
    """Write a result as a table, a row a method."""
    width = max(map(len, result["methods"])) + 2
    lines = [
        f"{result['task']}, {_queries(result['n_instances'])}, {result['granularity']}",
        " " * width
        + "".join(f"{metric:>8}" for metric in DEFAULT_METRICS)
        + "   auto ARI   groups",
    ]
    for name, scores in result["methods"].items():
        auto = result["auto_k"]["methods"].get(name)
        means = "".join(
            f"{'-' if scores[metric]['mean'] is None else format(scores[metric]['mean'], '.3f'):>8}"
            for metric in DEFAULT_METRICS
        )
        own = "       -        -"
        if auto is not None:
            groups = sum(auto["n_clusters"]) / len(auto["n_clusters"])
            own = f"{auto['ari']['mean']:8.3f}   {groups:6.1f}"
        lines.append(f"{name:{width}}{means}   {own}")
    for row in result["comparisons"]:
        gain = "" if row["relative_gain"] is None else f"{row['relative_gain']:+.1%}, "
        apart = f"{row['method']} against {row['against']}: ARI {row['mean_difference']:+.3f}"
        if result["n_instances"] == 1:  # no interval and no test
            lines.append(apart + (f" ({gain[:-2]})" if gain else ""))
            continue
        chance = "undefined" if row["p_corrected"] is None else f"{row['p_corrected']:.2g}"
        lines.append(
            f"{apart} ({gain}95% from {row['interval'][0]:+.3f} to {row['interval'][1]:+.3f}, "
            f"p {chance}), better on {row['wins']}, worse on {row['losses']}"
        )
    return "\n".join(lines)


def _queries(count: int) -> str:
    return "one collection" if count == 1 else f"{count} queries"
