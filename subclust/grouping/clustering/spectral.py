"""Spectral clustering, of all pairs or over the graph of nearest neighbours."""

import warnings
from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import SpectralClustering

from subclust.core.records import Float64Array, FloatArray, IntArray, Query
from subclust.grouping.clustering.average_link import score_distances
from subclust.grouping.clustering.centres import split_to
from subclust.grouping.clustering.cluster_count import SilhouetteCount, decide
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.grouping.clustering.pair_clusterer import PairClusterer
from subclust.grouping.clustering.strength import settle

_NEIGHBOURS = 10
"""Of each point, in the graph that is divided."""


class SpectralSubtopics(PairClusterer):
    """Groups passages by k-means on the leading eigenvectors of their affinity graph.

    Source: Ng, Jordan and Weiss, NIPS 2001.
    """

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        scores = self._scores(passages, query, embeddings)
        n_clusters, self.n_clusters_source_ = decide(
            self.n_clusters, self.count or SilhouetteCount(), scores
        )
        if n_clusters in (1, len(passages)):
            labels = np.zeros(len(passages), dtype=np.int64)
        else:
            points = _spectral_points(affinities(scores), n_clusters)
            labels = kmeans_labels(points, n_clusters, self.random_state)
        labels, strengths = settle(
            scores,
            split_to(labels, n_clusters, scores),
            max_other=self.max_other,
            exact=self.n_clusters != "auto",
        )
        return labels, strengths, scores


def affinities(scores: FloatArray) -> Float64Array:
    """Turn scores on any scale into weights of a graph.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        0 (the farthest pair) to 1 (the closest pair); 0 on the diagonal, as in the source.
    """
    distances = score_distances(scores)
    weights = 1.0 - distances / max(float(distances.max()), 1e-300)
    np.fill_diagonal(weights, 0.0)
    return weights


def _spectral_points(weights: Float64Array, n_clusters: int) -> Float64Array:
    """Place passages by the leading eigenvectors of the normalised affinity matrix."""
    degrees = weights.sum(axis=1)
    scale = np.zeros(len(weights))
    np.divide(1.0, np.sqrt(degrees), out=scale, where=degrees > 0)
    n_passages = len(weights)
    vectors = eigh(
        scale[:, None] * weights * scale[None, :],
        subset_by_index=[n_passages - n_clusters, n_passages - 1],
    )[1]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    points = np.zeros_like(vectors)
    np.divide(vectors, lengths, out=points, where=lengths > 1e-12)
    return np.asarray(points, dtype=np.float64)


def spectral_labels(points: Float64Array, n_clusters: int, seed: int) -> IntArray:
    """Divide the graph of nearest neighbours, which is sparse, so that 20,000 texts are no trouble.

    `SpectralSubtopics` divides the graph of all pairs, which that many have too many of.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_dimensions)
        At least two.
    n_clusters : int
        From 1 to n_points.
    seed : int

    Returns
    -------
    ndarray of shape (n_points,)
        From 0, below `n_clusters`.
    """
    if n_clusters in (1, len(points)):
        return np.arange(len(points), dtype=np.int64) % n_clusters
    model = SpectralClustering(
        n_clusters,
        affinity="nearest_neighbors",
        n_neighbors=min(_NEIGHBOURS, len(points)),
        assign_labels="kmeans",
        random_state=seed,
    )
    with warnings.catch_warnings():
        # It warns of a graph in several parts, which is what plain groups look like.
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(model.fit_predict(points), dtype=np.int64)
