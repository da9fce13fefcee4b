"""Rules that choose how many groups there are: the interface, the silhouette, the mean."""

import math
from abc import ABC, abstractmethod

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray
from subclust.grouping.clustering.average_link import Tree, average_link, nodes_at, score_distances
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.clustering.strength import silhouettes


class ClusterCount(ABC):
    """Chooses the number of groups of one query's passages.

    Attributes
    ----------
    name : str
        For files, and what a clusterer reports as ``n_clusters_source_``.
    """

    name: str

    def choose(self, tree: Tree, scores: FloatArray) -> int:
        """Choose the number of groups.

        Parameters
        ----------
        tree : ndarray of shape (n_passages - 1, 4)
            Average-link tree of `scores`.
        scores : ndarray of shape (n_passages, n_passages)
            Symmetric and finite, on any scale; higher is closer.

        Returns
        -------
        int
            From 1 to n_passages.

        Raises
        ------
        InputError
            If a parameter of the rule cannot be used.
        """
        self._check()
        if len(scores) < 2:
            return 1
        return min(max(self._choose(tree, scores), 1), len(scores))

    def _check(self) -> None:
        """Raise `InputError` if a parameter cannot be used."""
        return

    @abstractmethod
    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        """Choose for at least two passages; `choose` keeps the answer within bounds."""


def decide(
    n_clusters: NumberOfClusters,
    count: ClusterCount,
    scores: FloatArray,
    tree: Tree | None = None,
) -> tuple[int, str]:
    """Take the number that was asked for, or let the rule choose.

    Returns
    -------
    n_clusters : int
        From 1 to n_passages.
    source : str
        ``"user"`` or the name of the rule.
    """
    if n_clusters != "auto":
        return min(int(n_clusters), len(scores)), "user"
    return count.choose(average_link(scores) if tree is None else tree, scores), count.name


class SilhouetteCount(ClusterCount):
    """The number of groups, along the tree, at which passages fit their groups best on average.

    One group is chosen where no number has a positive mean silhouette. A group of one passage
    counts 0.

    Source: Rousseeuw, Journal of Computational and Applied Mathematics 20, 1987.

    Parameters
    ----------
    max_k : int
        Largest number of groups tried.
    """

    name = "silhouette"

    def __init__(self, max_k: int = 20) -> None:
        self.max_k = max_k

    def _check(self) -> None:
        if self.max_k < 1:
            raise InputError("max_k must be at least 1, but is {max_k!r}.", max_k=self.max_k)

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        means = mean_silhouettes(tree, scores, self.max_k)
        # Rounding must not make two groups of what is all alike.
        if not len(means) or means.max() <= 1e-9:
            return 1
        return int(means.argmax()) + 2


def mean_silhouettes(tree: Tree, scores: FloatArray, max_k: int) -> Float64Array:
    """Compute the mean silhouette of every cut of the tree, in one walk up from the finest.

    Returns
    -------
    ndarray of shape (min(max_k, n_passages - 1) - 1,)
        -1 to 1, for 2, 3, ... groups; empty where no such cut exists.
    """
    n_passages = len(scores)
    finest = min(max_k, n_passages - 1)
    if finest < 2:
        return np.zeros(0)
    nodes, own, counts = np.unique(nodes_at(tree, finest), return_inverse=True, return_counts=True)
    column = {int(node): i for i, node in enumerate(nodes)}
    sizes = counts.astype(np.float64)
    sums = score_distances(scores) @ np.eye(finest)[own]
    means = np.zeros(finest - 1)
    for n_clusters in range(finest, 1, -1):
        means[n_clusters - 2] = silhouettes(sums, sizes, own).mean()
        merge = n_passages - n_clusters
        # Two cuts differ by one merge only, so the sums are updated instead of computed anew.
        into, gone = (column.pop(int(node)) for node in tree[merge, :2])
        column[n_passages + merge] = into
        sums[:, into] += sums[:, gone]
        sizes[into] += sizes[gone]
        sizes[gone] = 0.0
        own[own == gone] = into
    return means


class MeanCount(ClusterCount):
    """The number of groups that queries with known subtopics have on average.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), section 4.2.

    Parameters
    ----------
    mean : float
        At least 1; the nearest whole number of groups is taken, or one group a passage where there
        are fewer passages.
    """

    name = "mean"

    def __init__(self, mean: float) -> None:
        self.mean = mean

    def _check(self) -> None:
        if not math.isfinite(self.mean) or self.mean < 1:
            raise InputError(
                "The mean number of groups must be at least 1, but is {mean!r}.", mean=self.mean
            )

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        # Not round(), which takes 2.5 to 2 and 3.5 to 4.
        return math.floor(self.mean + 0.5)
