"""The number of groups at a similarity threshold, learnt on queries with known subtopics."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from subclust.clustering.adjusted_rand import adjusted_rand_along
from subclust.clustering.average_link import (
    Float64Array,
    Tree,
    average_link,
    count_at,
    merge_scores,
)
from subclust.clustering.cluster_count import ClusterCount
from subclust.exceptions import InputError
from subclust.records import FloatArray

_COARSE_STEPS = 50
_FINE_STEPS = 40


class ThresholdCount(ClusterCount):
    """Merge as long as two groups' passages score at least `threshold` on average.

    Parameters
    ----------
    threshold : float
        On the scale of the method's own scores; see `learn_threshold`.
    max_k : int or None
        Largest number of groups; None for no bound.
    """

    name = "threshold"

    def __init__(self, threshold: float, max_k: int | None = None) -> None:
        self.threshold = threshold
        self.max_k = max_k

    def _check(self) -> None:
        if math.isnan(self.threshold):
            raise InputError("The similarity threshold must be a number, but is nan.")
        if self.max_k is not None and self.max_k < 1:
            raise InputError(f"max_k must be at least 1 or None, but is {self.max_k!r}.")

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        n_clusters = count_at(tree, scores, self.threshold)
        return n_clusters if self.max_k is None else min(n_clusters, self.max_k)


def learn_threshold(instances: Iterable[tuple[FloatArray, Sequence[str]]]) -> float:
    """Find the threshold with the highest mean adjusted Rand index over labelled queries.

    A coarse grid over the scores at which the methods' own trees merge, then a fine one around
    its best value; in the middle of the values that are equally good.

    Parameters
    ----------
    instances : iterable of (scores, gold)
        Scores of shape (n_passages, n_passages), one method's, and the gold subtopic of each
        passage. Queries of a single passage tell nothing and are passed over.

    Returns
    -------
    float
        On the scale of the scores.

    Raises
    ------
    InputError
        If no query has two passages.
    """
    steps = [_merges_and_index(scores, gold) for scores, gold in instances if len(gold) > 1]
    if not steps:
        raise InputError("A threshold can only be learnt from queries with two or more passages.")
    merges = np.concatenate([step[0] for step in steps])
    coarse = np.unique(np.quantile(merges, np.linspace(0, 1, _COARSE_STEPS + 1)))
    margin = max(float(coarse[-1] - coarse[0]), abs(float(coarse[0])), 1.0) * 1e-3
    coarse = np.concatenate([[coarse[0] - margin], coarse, [coarse[-1] + margin]])
    best = int(_mean_index(steps, coarse).argmax())
    low, high = coarse[max(best - 1, 0)], coarse[min(best + 1, len(coarse) - 1)]
    fine = np.linspace(low, high, _FINE_STEPS + 1)
    means = np.append(_mean_index(steps, fine), _mean_index(steps, coarse[best : best + 1]))
    candidates = np.append(fine, coarse[best])
    tied = np.sort(candidates[means >= means.max() - 1e-12])
    return float(tied[len(tied) // 2])


def indices_at(
    instances: Iterable[tuple[FloatArray, Sequence[str]]], threshold: float
) -> Float64Array:
    """Give each query's adjusted Rand index at a threshold.

    Parameters
    ----------
    instances : iterable of (scores, gold)
        As for `learn_threshold`.
    threshold : float
        On the scale of the scores.

    Returns
    -------
    ndarray of shape (n_queries,)
        Of those with two or more passages, -1 to 1, higher is better.
    """
    steps = [_merges_and_index(scores, gold) for scores, gold in instances if len(gold) > 1]
    return np.array(
        [index[np.searchsorted(merges, threshold, side="left")] for merges, index in steps]
    )


def _merges_and_index(scores: FloatArray, gold: Sequence[str]) -> tuple[Float64Array, Float64Array]:
    """Give the merge scores, lowest first, and the index after 0, 1, ... of them are undone."""
    tree = average_link(scores)
    return merge_scores(tree, scores)[::-1], adjusted_rand_along(tree, gold)


def _mean_index(
    steps: Sequence[tuple[Float64Array, Float64Array]], thresholds: Float64Array
) -> Float64Array:
    """Average, over the queries, the index of the cut at each threshold."""
    total = np.zeros(len(thresholds))
    for merges, index in steps:
        total += index[np.searchsorted(merges, thresholds, side="left")]
    return total / len(steps)
