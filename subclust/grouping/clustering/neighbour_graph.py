"""Spectral clustering of many points, over the graph of their nearest neighbours."""

import warnings

import numpy as np
from sklearn.cluster import SpectralClustering

from subclust.core.records import IntArray
from subclust.core.records.arrays import Float64Array

NEIGHBOURS = 10
"""Of each point, in the graph that is divided."""


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
        n_neighbors=min(NEIGHBOURS, len(points)),
        assign_labels="kmeans",
        random_state=seed,
    )
    with warnings.catch_warnings():
        # It warns of a graph in several parts, which is what plain groups look like.
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(model.fit_predict(points), dtype=np.int64)
