"""Clustering algorithms that can stand in the differentiable layer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.clustering.average_link import cut_to
from subclust.grouping.clustering.base import SubtopicClusterer

Distances = npt.NDArray[np.floating[Any]]
"""Of shape (n_passages, n_passages), symmetric, at least 0; higher is farther."""


class Solver(ABC):
    """Groups sets of passages by their distances, each into a given number of groups."""

    def labels(self, distances: Sequence[Distances], counts: Sequence[int]) -> list[IntArray]:
        """Group several sets.

        Parameters
        ----------
        distances : sequence of ndarray of shape (n_passages, n_passages)
        counts : sequence of int

        Returns
        -------
        list of ndarray of shape (n_passages,)
            Any numbers, equal where passages share a group.
        """
        return [self._labels(d, k) for d, k in zip(distances, counts, strict=True)]

    @abstractmethod
    def _labels(self, distances: Distances, n_clusters: int) -> IntArray:
        """Group one set."""


class AverageLink(Solver):
    """Average-link agglomerative clustering, the paper's (section 3); scipy's, which is in C."""

    def _labels(self, distances: Distances, n_clusters: int) -> IntArray:
        if len(distances) < 2:
            return np.zeros(len(distances), dtype=np.int64)
        tree = linkage(squareform(distances, checks=False), method="average")
        return cut_to(tree, n_clusters)


class ByClusterer(Solver):
    """Any clusterer of passages: it is given points that have these distances.

    The points are those of classical scaling: their distances are the given ones where those are
    Euclidean, and the nearest in the sense of its strain where they have been moved.

    Parameters
    ----------
    clusterer : SubtopicClusterer
        Groups by embeddings; its ``n_clusters`` is set for each set.
    """

    def __init__(self, clusterer: SubtopicClusterer) -> None:
        self.clusterer = clusterer

    def _labels(self, distances: Distances, n_clusters: int) -> IntArray:
        self.clusterer.n_clusters = min(n_clusters, len(distances))
        # Texts in this order keep the passages in their order.
        names = [f"{row:09d}" for row in range(len(distances))]
        self.clusterer.fit(names, query=Query(""), embeddings=points_of(distances))
        return self.clusterer.labels_


def points_of(distances: Distances) -> FloatArray:
    """Find points with given distances, by classical scaling (Torgerson 1952).

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        Float32; the last columns are 0 where fewer dimensions do.
    """
    squares = np.asarray(distances, dtype=np.float64) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0)), dtype=np.float32)
