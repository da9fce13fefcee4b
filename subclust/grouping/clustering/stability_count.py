"""The number of groups that comes back when some passages are left out."""

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray
from subclust.grouping.clustering.adjusted_rand import adjusted_rand
from subclust.grouping.clustering.average_link import (
    Tree,
    average_link,
    cut_to,
    score_distances,
)
from subclust.grouping.clustering.cluster_count import ClusterCount


class StabilityCount(ClusterCount):
    """The number of groups at which subsets of the passages are grouped most like the whole.

    Each subset is grouped again and compared with the whole by the adjusted Rand index. One group,
    which is always stable, is chosen where no number reaches `min_stability`.

    Source: after Ben-Hur, Elisseeff and Guyon, Pacific Symposium on Biocomputing 2002, with an
    index corrected for chance and the whole as the partner of each subset.

    Parameters
    ----------
    max_k : int
        Largest number of groups tried.
    n_subsets : int
    share : float
        Part of the passages in a subset, above 0 and below 1.
    min_stability : float
        Lowest mean adjusted Rand index that speaks for more than one group.
    random_state : int
    """

    name = "stability"

    def __init__(
        self,
        max_k: int = 20,
        *,
        n_subsets: int = 20,
        share: float = 0.8,
        min_stability: float = 0.2,
        random_state: int = 0,
    ) -> None:
        self.max_k = max_k
        self.n_subsets = n_subsets
        self.share = share
        self.min_stability = min_stability
        self.random_state = random_state

    def _check(self) -> None:
        if self.max_k < 1 or self.n_subsets < 1:
            raise InputError(
                "max_k and n_subsets must be at least 1, but are {max_k!r} and {n_subsets!r}.",
                max_k=self.max_k,
                n_subsets=self.n_subsets,
            )
        if not 0.0 < self.share < 1.0:
            raise InputError("share must lie between 0 and 1, but is {share!r}.", share=self.share)

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        stability = stability_along(
            tree,
            scores,
            max_k=self.max_k,
            n_subsets=self.n_subsets,
            share=self.share,
            random_state=self.random_state,
        )
        if not len(stability) or stability.max() < self.min_stability:
            return 1
        return int(stability.argmax()) + 2


def stability_along(
    tree: Tree,
    scores: FloatArray,
    *,
    max_k: int,
    n_subsets: int,
    share: float,
    random_state: int,
) -> Float64Array:
    """Measure how much the groups of subsets are like those of the whole, for each cut of the tree.

    Parameters
    ----------
    tree : ndarray of shape (n_passages - 1, 4)
    scores : ndarray of shape (n_passages, n_passages)
    max_k, n_subsets, share, random_state
        As for `StabilityCount`.

    Returns
    -------
    ndarray of shape (n_cuts,)
        Mean adjusted Rand index for 2, 3, ... groups; empty where there is nothing to cut, or all
        pairs are alike.
    """
    n_passages = len(scores)
    subset_size = max(int(share * n_passages), 2)
    largest = min(max_k, subset_size - 1)
    pairs = score_distances(scores)[np.triu_indices(n_passages, 1)]
    if largest < 2 or pairs.min() == pairs.max():
        return np.zeros(0)
    whole = [cut_to(tree, n_clusters) for n_clusters in range(2, largest + 1)]
    random = np.random.default_rng(random_state)
    stability = np.zeros(largest - 1)
    for _ in range(n_subsets):
        subset = np.sort(random.choice(n_passages, size=subset_size, replace=False))
        part = average_link(scores[np.ix_(subset, subset)])
        for i, labels in enumerate(whole):
            stability[i] += adjusted_rand(labels[subset], cut_to(part, i + 2))
    return stability / n_subsets
