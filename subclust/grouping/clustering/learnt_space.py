"""Groups of texts in a space that was learned for one collection."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray, IntArray, Query
from subclust.grouping.clustering.base import (
    MAX_PAIRWISE,
    NumberOfClusters,
    SubtopicClusterer,
    check_scores,
)
from subclust.grouping.clustering.centres import (
    centre_strengths,
    split_by_centre,
    split_to,
    squared_distance_scores,
)
from subclust.grouping.clustering.cluster_count import ClusterCount, decide
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.grouping.clustering.spectral import spectral_labels
from subclust.grouping.clustering.strength import settle

_STARTS_OF_MANY = 50
"""Starts of k-means over a whole collection. Groups that were learned stand far apart, so that a
start which has two centres in one of them and none in another rarely finds its way out; of ten
starts with twenty groups it happens that none has found all."""

Division = Literal["kmeans", "spectral"]
"""How a learned space is divided into groups."""

TRAINED = "trained"
"""Where the number of groups comes from that a method was trained for."""


class LearntSpace(Protocol):
    """What is needed of a trained network.

    Attributes
    ----------
    n_clusters : int
        Groups that it was trained for.
    """

    n_clusters: int

    def place(
        self, embeddings: FloatArray, random_state: int
    ) -> tuple[Float64Array, IntArray | None]:
        """Place texts, and group them where the network does that itself.

        Parameters
        ----------
        embeddings : ndarray of shape (n_passages, embedding_dim)
        random_state : int
            Of which texts are looked at together, where that matters.

        Returns
        -------
        points : ndarray of shape (n_passages, n_dimensions)
            Nearer is more alike.
        labels : ndarray of shape (n_passages,) or None
            From 0, below `n_clusters`, not all of which need occur.
        """
        ...


class LearntSpaceSubtopics(SubtopicClusterer):
    """Groups passages as a network does, or by where it places them.

    For the number of groups that it was trained for, the network's own groups are taken where it
    makes any; for another number, those of `division` on its points. Pair scores are minus the
    squared distance. Above `MAX_PAIRWISE` passages there are none, the strengths come from the
    groups' centres, and no passage is set aside.

    Parameters
    ----------
    learnt : LearntSpace
    n_clusters : int or "auto"
        Exactly ``min(n_clusters, n_passages)`` groups; or as many as were trained for, of which
        the network may leave some empty; or chosen by `count`.
    count : ClusterCount, optional
        Rule for ``"auto"`` instead of the number trained for; it takes all pairs.
    division : {"kmeans", "spectral"}
        K-means on the points, or spectral clustering of the graph of their nearest neighbours.
    max_other : float
    random_state : int
        Of the starting points of k-means, and of which texts the network looks at together.
    """

    needs_pairs = False

    def __init__(
        self,
        learnt: LearntSpace,
        n_clusters: NumberOfClusters = "auto",
        *,
        count: ClusterCount | None = None,
        division: Division = "kmeans",
        max_other: float = 0.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(n_clusters, max_other=max_other, random_state=random_state)
        self.learnt = learnt
        self.count = count
        self.division = division

    def points(self, passages: Sequence[str], embeddings: FloatArray | None) -> Float64Array:
        """Place passages, shape (n_passages, n_dimensions).

        Raises
        ------
        InputError
            If the embeddings are missing.
        """
        if embeddings is None:
            raise InputError("A learnt space needs the embeddings of the passages.")
        return self.learnt.place(embeddings, self.random_state)[0]

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        if embeddings is None:
            raise InputError("A learnt space needs the embeddings of the passages.")
        points, own = self.learnt.place(embeddings, self.random_state)
        if len(points) > MAX_PAIRWISE:
            return self._fit_many(points, own)
        scores = check_scores(squared_distance_scores(points), len(points))
        if self.n_clusters == "auto" and self.count is not None:
            n_clusters, self.n_clusters_source_ = decide("auto", self.count, scores)
            labels = split_to(self._grouped(points, None, n_clusters), n_clusters, scores)
        elif self.n_clusters == "auto":
            n_clusters, self.n_clusters_source_ = self.learnt.n_clusters, TRAINED
            labels = self._grouped(points, own, n_clusters)
        else:
            n_clusters, self.n_clusters_source_ = min(int(self.n_clusters), len(points)), "user"
            labels = split_to(self._grouped(points, own, n_clusters), n_clusters, scores)
        labels, strengths = settle(
            scores, labels, max_other=self.max_other, exact=self.n_clusters != "auto"
        )
        return labels, strengths, scores

    def _fit_many(
        self, points: Float64Array, own: IntArray | None
    ) -> tuple[IntArray, FloatArray, None]:
        given = self.n_clusters != "auto"
        n_clusters = int(self.n_clusters) if given else self.learnt.n_clusters
        self.n_clusters_source_ = "user" if given else TRAINED
        labels = self._grouped(points, own, n_clusters, _STARTS_OF_MANY)
        if given:
            labels = split_by_centre(points, labels, n_clusters)
        # A network may leave groups empty; the centres below need numbers without gaps.
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        return labels, centre_strengths(points, labels), None

    def _grouped(
        self, points: Float64Array, own: IntArray | None, n_clusters: int, starts: int = 10
    ) -> IntArray:
        if own is not None and n_clusters == self.learnt.n_clusters:
            return own
        n_clusters = min(n_clusters, len(points))
        if self.division == "spectral":
            return spectral_labels(points, n_clusters, self.random_state)
        return kmeans_labels(points, n_clusters, self.random_state, starts)
