"""How good groups are where another number than the true one is asked for (SCL, tables 5, 6)."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import (
    ASKED_FOR,
    RESULTS_DIR,
    SPECTRAL,
    add_output,
    read_result,
    story,
    write,
)
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, IntArray
from subclust.core.settings import Settings
from subclust.evaluation.metrics import GROUPING_METRICS
from subclust.evaluation.results import MetricSummary
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics
from subclust.grouping.clustering.spectral import spectral_labels
from subclust.judging.bench import METRICS, embed, embed_queries, open_method, trained_context
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder, load_encoder

NUMBERS = (5, 10, 15, 20)
"""Those of the paper's tables."""


def measure_counts(
    instances: Sequence[ClusteringInstance],
    name: str,
    encoder: Encoder,
    store: CheckpointStore,
    *,
    numbers: Sequence[int] = NUMBERS,
    spectral: bool = False,
) -> dict[str, Any]:
    """Group with each number of groups, and perhaps by spectral clustering with the true one.

    Parameters
    ----------
    name : str
        Of the method, or ``name@checkpoint``.
    encoder : Encoder
        The base encoder.
    numbers : sequence of int
        Each at least 2.
    spectral : bool
        Of a method that learns a space.

    Returns
    -------
    dict
        ``asked_for``: by number, each metric over the queries; ``spectral``: each metric, or None.

    Raises
    ------
    BenchmarkError
        If a number is below 2, or spectral clustering is asked of a method without a space.
    """
    if any(number < 2 for number in numbers):
        raise BenchmarkError(
            "A number of groups must be at least 2, but is {numbers}.", numbers=min(numbers)
        )
    method = open_method(name, store, encoder)
    clusterer = method.clusterer
    if spectral and not isinstance(clusterer, LearntSpaceSubtopics):
        raise BenchmarkError(
            "{name} learns no space, so there is nothing to divide by spectral clustering; leave "
            "--spectral out.",
            name=name,
        )
    embeddings = embed(instances, method.encoder, name)
    queries = embed_queries(instances, embeddings, method, trained_context(method))
    found: dict[str, list[IntArray]] = {str(number): [] for number in numbers}
    by_graph: list[IntArray] = []
    for instance, query, vectors in zip(instances, queries, embeddings, strict=True):
        texts = [passage.text for passage in instance.passages]
        for number in numbers:
            clusterer.n_clusters = number
            clusterer.fit(texts, query=query, embeddings=vectors)
            found[str(number)].append(clusterer.labels_)
        if spectral:
            assert isinstance(clusterer, LearntSpaceSubtopics)
            points = clusterer.points(texts, vectors)
            by_graph.append(spectral_labels(points, len(set(instance.gold())), 0))
    return {
        ASKED_FOR: {number: _scores(instances, labels) for number, labels in found.items()},
        SPECTRAL: _scores(instances, by_graph) if spectral else None,
    }


def save_counts(
    result: dict[str, Any],
    task: str,
    name: str,
    queries: Sequence[str],
    told: dict[str, Any],
    folder: Path = RESULTS_DIR,
) -> Path:
    """Put what was measured into the method's result file on the task, beside what is there.

    Parameters
    ----------
    result : dict
        Of `measure_counts`.
    told : dict
        Of `story`.
    """
    path = folder / name / f"{task}.json"
    before = read_result(path) or {
        "task": task,
        "method": name,
        "n_instances": len(queries),
        "queries": list(queries),
        "granularities": {},
    }
    flat = {**before["granularities"].get("flat", {})}
    flat[ASKED_FOR] = {**flat.get(ASKED_FOR, {}), **result[ASKED_FOR], "story": told}
    if result[SPECTRAL] is not None:
        flat[SPECTRAL] = {**result[SPECTRAL], "story": told}
    whole = {**before, "granularities": {**before["granularities"], "flat": flat}}
    return write(path, whole)


def _scores(
    instances: Sequence[ClusteringInstance], labels: Sequence[IntArray]
) -> dict[str, dict[str, Any]]:
    result = {}
    for metric in (name for name in METRICS if name in GROUPING_METRICS):
        values = [
            GROUPING_METRICS[metric](instance.gold(), some)
            for instance, some in zip(instances, labels, strict=True)
        ]
        told = MetricSummary.of([round(value, 6) for value in values]).to_dict()
        result[metric] = told
    return result


_SHOWN = ("acc", "nmi", "ami", "ari", "bcubed_f1")


def add_counts(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``counts``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", required=True, metavar="NAME[@CHECKPOINT]")
    parser.add_argument(
        "--n-clusters",
        action="append",
        type=int,
        metavar="K",
        help="may be given several times; 5, 10, 15 and 20 by default",
    )
    parser.add_argument(
        "--spectral",
        action="store_true",
        help="divide the learnt space by spectral clustering as well, into the true number",
    )
    add_output(parser)


def run_counts(arguments: argparse.Namespace, settings: Settings) -> None:
    """Group with numbers of groups that need not be the true ones."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    result = measure_counts(
        instances,
        arguments.method,
        encoder,
        CheckpointStore.of(settings),
        numbers=arguments.n_clusters or NUMBERS,
        spectral=arguments.spectral,
    )
    if arguments.save:
        queries = [instance.query.text for instance in instances]
        told = story(encoder, settings.resolve_device())
        save_counts(result, task, arguments.method, queries, told)
    if arguments.json:
        print(json.dumps({"task": task, "method": arguments.method, **result}))
        return
    print(f"{task}, {arguments.method}")
    print(f"{'groups':>12}" + "".join(f"{metric:>11}" for metric in _SHOWN))
    parts = {**result[ASKED_FOR], **({SPECTRAL: result[SPECTRAL]} if result[SPECTRAL] else {})}
    for number, scores in parts.items():
        means = "".join(f"{scores[metric]['mean']:11.3f}" for metric in _SHOWN)
        print(f"{number:>12}{means}")
