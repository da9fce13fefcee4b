"""The differentiable clustering layer (section 2, "Blackbox backpropagation", and section 3.3)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform
from torch import Tensor

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


class _BlackboxClustering(torch.autograd.Function):
    r"""Distances to adjacency matrices, with the gradient of black-box backpropagation.

    Forward, with the clustering algorithm as it is:

    .. math:: A = \mathrm{cluster}(D, k)

    Backward, one more clustering, of the distances moved by the incoming gradient, never below 0
    (Vlastelica et al., ICLR 2020, algorithm 1):

    .. math::
        D' = \max(D + \lambda \tfrac{dL}{dA}, 0), \quad A' = \mathrm{cluster}(D', k), \quad
        \frac{dL}{dD} := -\frac{1}{\lambda}(A - A')

    A pair that is together in A and apart in A' has a negative gradient, so that descent moves the
    two apart; where the moved distances give the same groups, the gradient is 0. The larger
    :math:`\lambda`, the farther the second clustering looks.

    Called by `cluster`, for several sets at once.
    """

    @staticmethod
    def forward(
        ctx: Any, solver: Solver, counts: Sequence[int], interpolation: float, *distances: Tensor
    ) -> tuple[Tensor, ...]:
        """Cluster each set."""
        adjacencies = _solve(solver, distances, counts)
        ctx.solver, ctx.counts, ctx.interpolation = solver, tuple(counts), interpolation
        ctx.save_for_backward(*distances, *adjacencies)
        return tuple(adjacencies)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Cluster each set once more."""
        saved: tuple[Tensor, ...] = ctx.saved_tensors
        distances, adjacencies = saved[: len(gradients)], saved[len(gradients) :]
        moved = [
            (distance + ctx.interpolation * gradient).clamp(min=0)
            for distance, gradient in zip(distances, gradients, strict=True)
        ]
        others = _solve(ctx.solver, moved, ctx.counts)
        results = [
            -(adjacency - other) / ctx.interpolation
            for adjacency, other in zip(adjacencies, others, strict=True)
        ]
        return None, None, None, *results


def cluster(
    distances: Sequence[Tensor], counts: Sequence[int], solver: Solver, interpolation: float
) -> tuple[Tensor, ...]:
    """Cluster sets of passages, so that a gradient flows back to their distances.

    Parameters
    ----------
    distances : sequence of Tensor of shape (n_passages, n_passages)
        Symmetric, at least 0; higher is farther. The sets may be of different sizes.
    counts : sequence of int
        Number of groups of each set.
    interpolation : float
        Lambda of the paper, above 0.

    Returns
    -------
    tuple of Tensor of shape (n_passages, n_passages)
        1 where two passages share a group, 0 elsewhere; 1 on the diagonal.
    """
    result: tuple[Tensor, ...] = _BlackboxClustering.apply(  # type: ignore[no-untyped-call]
        solver, counts, interpolation, *distances
    )
    return result


def _solve(solver: Solver, distances: Sequence[Tensor], counts: Sequence[int]) -> list[Tensor]:
    matrices = [np.asarray(d.detach().cpu().numpy(), dtype=np.float64) for d in distances]
    labels = solver.labels(matrices, counts)
    return [
        torch.as_tensor(groups[:, None] == groups[None, :], device=d.device).to(d.dtype)
        for groups, d in zip(labels, distances, strict=True)
    ]
