"""The number of groups at a similarity threshold, learned on queries with known subtopics."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray
from subclust.grouping.clustering.adjusted_rand import adjusted_rand_along
from subclust.grouping.clustering.average_link import (
    Tree,
    average_link,
    count_at,
    merge_scores,
)
from subclust.grouping.clustering.cluster_count import ClusterCount

_COARSE_STEPS = 50
_FINE_STEPS = 40
_RESAMPLES = 50
_MEAN_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


class ThresholdCount(ClusterCount):
    """Merge as long as two groups' passages score at least `threshold` on average.

    Parameters
    ----------
    threshold : float
        On the scale of the method's own scores; see `learn_threshold`.
    max_k : int or None
        Largest number of groups; None for no bound.
    mean_share : float
        Of the mean score of all pairs, added to the threshold: where all passages are alike, more
        is needed to belong together; see `learn_mean_share`.
    """

    name = "threshold"

    def __init__(
        self, threshold: float, max_k: int | None = None, *, mean_share: float = 0.0
    ) -> None:
        self.threshold = threshold
        self.max_k = max_k
        self.mean_share = mean_share

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "ThresholdCount | None":
        """Return the rule that a checkpoint's configuration names, None where it names none."""
        threshold = config.get("threshold")
        share = float(config.get("threshold_mean_share", 0.0))
        return None if threshold is None else cls(float(threshold), mean_share=share)

    def _check(self) -> None:
        if math.isnan(self.threshold):
            raise InputError("The similarity threshold must be a number, but is nan.")
        if self.max_k is not None and self.max_k < 1:
            raise InputError(
                "max_k must be at least 1 or None, but is {max_k!r}.", max_k=self.max_k
            )

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        n_clusters = count_at(tree, beside_mean(scores, self.mean_share), self.threshold)
        return n_clusters if self.max_k is None else min(n_clusters, self.max_k)


def learn_threshold(
    instances: Iterable[tuple[FloatArray, Sequence[str]]], *, resamples: int = _RESAMPLES
) -> float:
    """Find the threshold with the highest mean adjusted Rand index over labelled queries.

    A coarse grid over the scores at which the methods' own trees merge, then a fine one around
    its best value; in the middle of the values that are equally good. The index hardly changes
    over a wide range of thresholds, and where in it the highest value lies is chance: so the best
    of each of several resamples of the queries are averaged (Breiman, Bagging predictors, 1996).

    Parameters
    ----------
    instances : iterable of (scores, gold)
        Scores of shape (n_passages, n_passages), one method's, and the gold subtopic of each
        passage. Queries of a single passage tell nothing and are passed over.
    resamples : int
        Of the queries, drawn with replacement and always in the same way; 0 for the threshold that
        is best on the queries as they are.

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
        raise InputError("A threshold can only be learnt from questions with two or more passages.")
    merges = np.concatenate([step[0] for step in steps])
    coarse = np.unique(np.quantile(merges, np.linspace(0, 1, _COARSE_STEPS + 1)))
    margin = max(float(coarse[-1] - coarse[0]), abs(float(coarse[0])), 1.0) * 1e-3
    # One more below and above all merges: a single group, and every passage on its own.
    coarse = np.concatenate([[coarse[0] - margin], coarse, [coarse[-1] + margin]])
    best = int(_indices(steps, coarse).mean(axis=0).argmax())
    low, high = coarse[max(best - 1, 0)], coarse[min(best + 1, len(coarse) - 1)]
    candidates = np.union1d(coarse, np.linspace(low, high, _FINE_STEPS + 1))
    indices = _indices(steps, candidates)
    if not resamples:
        return _middle_of_best(candidates, indices.sum(axis=0))
    # How often each query is drawn: the product below then counts its indices as often.
    drawn = np.random.default_rng(0).multinomial(
        len(steps), np.full(len(steps), 1 / len(steps)), size=resamples
    )
    return float(np.mean([_middle_of_best(candidates, row) for row in drawn @ indices]))


def beside_mean(scores: FloatArray, share: float) -> FloatArray:
    """Take a share of the mean score of all pairs away from each score.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    share : float
        0 leaves the scores as they are; with 1 they have a mean of 0.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
    """
    n = len(scores)
    if not share or n < 2:
        return scores
    mean = (float(scores.sum(dtype=np.float64)) - float(np.trace(scores))) / (n * (n - 1))
    return np.asarray(scores - share * mean, dtype=scores.dtype)


def learn_mean_share(instances: Sequence[tuple[FloatArray, Sequence[str]]]) -> float:
    """Find how much of a query's mean score its threshold should have in it.

    A method whose scores depend on what else is in the set may score all pairs of one set higher
    than those of another; its groups are then told apart by what stands out from the mean.

    Parameters
    ----------
    instances : sequence of (scores, gold)
        As for `learn_threshold`.

    Returns
    -------
    float
        The one of 0, 1/4, 1/2, 3/4 and 1 whose best threshold has the highest mean adjusted Rand
        index; the smaller where two are equally good.

    Raises
    ------
    InputError
        If no query has two passages.
    """
    found = {}
    for share in _MEAN_SHARES:
        shifted = [(beside_mean(scores, share), gold) for scores, gold in instances]
        threshold = learn_threshold(shifted, resamples=0)
        found[share] = float(indices_at(shifted, threshold).mean())
    return max(found, key=lambda share: (found[share], -share))


def indices_at(
    instances: Iterable[tuple[FloatArray, Sequence[str]]], threshold: float
) -> Float64Array:
    """Return each query's adjusted Rand index at a threshold.

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
    return _indices(steps, threshold)


def _merges_and_index(scores: FloatArray, gold: Sequence[str]) -> tuple[Float64Array, Float64Array]:
    """Return the merge scores, lowest first, and the index after 0, 1, ... of them are undone."""
    tree = average_link(scores)
    return merge_scores(tree, scores)[::-1], adjusted_rand_along(tree, gold)


def _indices(
    steps: Sequence[tuple[Float64Array, Float64Array]], thresholds: Float64Array | float
) -> Float64Array:
    """Return each query's index of the cut at each threshold, shape (n_queries, n_thresholds)."""
    return np.array(
        [index[np.searchsorted(merges, thresholds, side="left")] for merges, index in steps]
    )


def _middle_of_best(thresholds: Float64Array, sums: Float64Array) -> float:
    """Return the middle one of the thresholds that are equally good."""
    tied = thresholds[sums >= sums.max() - 1e-9]
    return float(tied[len(tied) // 2])
