"""How near the number of groups that is most stable comes to the gold one, and what it costs."""

import argparse
import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.evaluation.significance import bootstrap_interval
from subclust.grouping.clustering.adjusted_rand import adjusted_rand_along
from subclust.grouping.clustering.grounds import grounds_of
from subclust.judging.bench import embed, embed_queries, open_method, trained_context
from subclust.judging.tasks import load_task, provenance
from subclust.pipeline.parts import stability_curve
from subclust.text.encoders import Encoder, load_encoder

FEWEST = 6
"""Passages that a query must have: below, there is next to nothing to leave out."""


def measure_counts(
    instances: Sequence[ClusteringInstance],
    method: str,
    encoder: Encoder,
    store: CheckpointStore,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Cut each query's tree at the automatic, the most stable and the gold number of groups.

    Nobody is set aside, and all three cut the same tree.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        Those with fewer than `FEWEST` passages are passed over.
    method : str
        One that builds a tree.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in queries.

    Returns
    -------
    dict
        ``n_queries``; ``n_none``, for how many no number was stable (there the automatic one
        counts); ``counts``, of ``automatic``, ``stable`` and ``gold``: ``n_clusters`` (mean),
        ``error`` (mean absolute difference from the gold number, lower is better), ``ari`` (mean,
        higher is better) and ``per_query``; and ``gain``, the ARI of ``stable`` less that of
        ``automatic``, with its 95% interval.

    Raises
    ------
    BenchmarkError
        If the method builds no tree.
    """
    kept = [one for one in instances if len(one.passages) >= FEWEST]
    opened = open_method(method, store, encoder)
    vectors = embed(kept, opened.encoder, method)
    queries = embed_queries(kept, vectors, opened, trained_context(opened))
    numbers: dict[str, list[int]] = {"automatic": [], "stable": [], "gold": []}
    scores: dict[str, list[float]] = {name: [] for name in numbers}
    n_none = 0
    for done, (one, query, embeddings) in enumerate(
        zip(kept, queries, vectors, strict=True), start=1
    ):
        clusterer = copy.copy(opened.clusterer)
        clusterer.n_clusters, clusterer.max_other = "auto", 0.0
        texts = [passage.text for passage in one.passages]
        clusterer.fit(texts, query=query, embeddings=embeddings)
        grounds = grounds_of(clusterer, [passage.id for passage in one.passages])
        if grounds is None or grounds.tree is None:
            raise BenchmarkError("The method {method} builds no tree of its groups.", method=method)
        found = stability_curve(grounds).suggested
        n_none += found is None
        along = adjusted_rand_along(grounds.tree, np.array(one.gold())[grounds.leaves])
        chosen = {
            "automatic": grounds.n_auto,
            "stable": found or grounds.n_auto,
            "gold": len(set(one.gold())),
        }
        for name, number in chosen.items():
            numbers[name].append(int(number))
            scores[name].append(float(along[number - 1]))
        if progress is not None:
            progress(done, len(kept))
    gain = bootstrap_interval(scores["stable"], scores["automatic"])
    gold = np.array(numbers["gold"])
    return {
        "method": opened.card.name,
        "n_queries": len(kept),
        "n_none": n_none,
        "counts": {
            name: {
                "n_clusters": round(float(np.mean(numbers[name])), 3),
                "error": round(float(np.abs(np.array(numbers[name]) - gold).mean()), 3),
                "ari": round(float(np.mean(scores[name])), 4),
                "per_query": numbers[name],
            }
            for name in numbers
        },
        "gain": {
            "mean": round(gain.mean_difference, 4),
            "interval": [round(gain.low, 4), round(gain.high, 4)],
        },
    }


def add_stability(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``stability``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", default="default", metavar="NAME")
    add_output(parser)


def run_stability(arguments: argparse.Namespace, settings: Settings) -> None:
    """Set the most stable number of groups beside the automatic and the gold one."""
    encoder, store = load_encoder(settings), CheckpointStore.of(settings)
    task, instances = load_task(arguments.task, settings)
    found = measure_counts(
        instances, arguments.method, encoder, store, progress=progress_bar("Grouping")
    )
    told = story(encoder, settings.resolve_device()) | {
        "data": provenance(arguments.task, settings)
    }
    result = {"task": task, **found, "story": told}
    if output(arguments, RESULTS_DIR / "stability" / f"{task}.json", result):
        return
    print(f"{task}, {result['method']}: {result['n_queries']} queries")
    for name, row in result["counts"].items():
        print(
            f"  {name:9} {row['n_clusters']:5.2f} groups, {row['error']:.2f} from gold, "
            f"ARI {row['ari']:.3f}"
        )
    low, high = result["gain"]["interval"]
    print(f"  stable less automatic: {result['gain']['mean']:+.3f} [{low:+.3f}, {high:+.3f}]")
