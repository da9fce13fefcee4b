"""``python -m benchmarks run``: ``python -m subclust bench``, and what only tables need."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, output, save_clustering, story
from benchmarks.retrieval_tasks import RETRIEVAL_TASKS, run_retrieval
from subclust.checkpoints import CheckpointStore
from subclust.cli.training import judging
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.judging.bench import (
    METRICS,
    Granularity,
    embed,
    embed_queries,
    open_method,
    trained_context,
)
from subclust.methods import find_method
from subclust.text.encoders import Encoder, load_encoder


def add_run(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``run``."""
    judging.add_bench(parser)
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="measure query-specific methods without the query and with a wrong one, too",
    )
    parser.add_argument("--save", action="store_true", help="keep the results with the others")


def run_run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure methods on a task."""
    if arguments.data_dir is not None:
        settings = replace(settings, benchmark_data_dir=arguments.data_dir)
    if arguments.task in RETRIEVAL_TASKS:
        _retrieval(arguments, settings)
        return
    instances, result = judging.measure(arguments, settings)
    if result is None:
        return
    encoder = load_encoder(settings)
    if arguments.ablation:
        store = CheckpointStore.of(settings)
        result["ablation"] = {
            method: run_ablation(
                instances,
                method,
                encoder,
                store,
                granularity=arguments.granularity,
                max_other=arguments.max_other,
            )
            for method in arguments.method or judging.METHODS
            if find_method(method.partition("@")[0], store).query_specific
        }
    if arguments.save:
        save_clustering(result, story(encoder, settings.resolve_device()))
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join([*judging.table(result), *_ablations(result)]))


def _retrieval(arguments: argparse.Namespace, settings: Settings) -> None:
    encoder = load_encoder(settings)
    result = run_retrieval(arguments.task, settings, encoder)
    told = story(encoder, settings.resolve_device())
    if output(arguments, RESULTS_DIR / "retrieval" / f"{arguments.task}.json", result, told):
        return
    for mode, metrics in result["modes"].items():
        for metric, values in metrics.items():
            print(f"{mode:11} {metric} {values['mean']:.4f} ± {values['stderr']:.4f}")


def _ablations(result: dict[str, Any]) -> list[str]:
    lines = []
    for name, variants in result.get("ablation", {}).items():
        right = result["methods"][name]["ari"]["mean"]
        others = ", ".join(f"{kind} {v['ari']['mean']:.3f}" for kind, v in variants.items())
        lines.append(f"{name}: ARI with the query {right:.3f}, {others}")
    return lines


NO_QUERY = "no-query"
WRONG_QUERY = "wrong-query"


def run_ablation(
    instances: Sequence[ClusteringInstance],
    name: str,
    encoder: Encoder,
    store: CheckpointStore,
    *,
    granularity: Granularity = "flat",
    max_other: float = 0.0,
    seed: int = 0,
) -> dict[str, Any]:
    """Run a query-specific method without its query and with that of another instance.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        At least two.
    name : str
        Of the method, or ``name@checkpoint``.
    encoder : Encoder
        The base encoder.
    granularity : {"flat", "hierarchical"}
    max_other : float
        Largest share of passages that a method may set aside, 0 to 1.
    seed : int
        Of the wrong queries.

    Returns
    -------
    dict
        ``no-query``: the mean of the hits stands for the query, so that nothing is known but the
        passages; ``wrong-query``: each instance is asked for by the query of another one. Each with
        the metrics at the true number of groups, as `run_benchmark` gives them.

    Raises
    ------
    BenchmarkError
        If the method does not look at the query, or there are fewer than two instances.
    """
    method = open_method(name, store, encoder)
    if not method.card.query_specific:
        raise BenchmarkError(
            "The method {name} does not look at the query, so there is nothing to leave out; give "
            "a query-specific one, see 'python -m subclust methods'.",
            name=name,
        )
    if len(instances) < 2:
        raise BenchmarkError("A wrong query needs a second one; give a set of at least two.")
    method.clusterer.max_other = max_other
    embeddings = embed(instances, method.encoder, name)
    context = trained_context(method)
    wrong = [
        replace(instance, query=query)
        for instance, query in zip(instances, wrong_queries(instances, seed), strict=True)
    ]
    asked = {
        NO_QUERY: embed_queries(instances, embeddings, method, "passages"),
        WRONG_QUERY: embed_queries(
            wrong, embeddings, method, "title" if context == "passages" else context
        ),
    }
    return {
        kind: ClusteringEvaluator(granularity, metrics=METRICS)
        .evaluate(
            method.clusterer, instances, queries=queries, embeddings=embeddings, automatic=False
        )
        .true_k.to_dict()
        for kind, queries in asked.items()
    }


def wrong_queries(instances: Sequence[ClusteringInstance], seed: int = 0) -> list[Query]:
    """Pair each instance with the query of another one, each query once.

    Returns
    -------
    list of Query
        In the order of the instances.
    """
    order = np.random.default_rng(seed).permutation(len(instances))
    result = [instance.query for instance in instances]
    for here, there in zip(order, np.roll(order, 1), strict=True):
        result[here] = instances[there].query
    return result
