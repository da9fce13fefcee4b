"""An exact number of groups where an algorithm found fewer."""

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.clustering.average_link import score_distances


def split_to(labels: IntArray, n_clusters: int, scores: FloatArray) -> IntArray:
    """Split groups until there are ``min(n_clusters, n_passages)``.

    k-means leaves groups empty where passages are identical. The largest group then gives up the
    passage that is farthest from the rest of it.

    Parameters
    ----------
    labels : ndarray of shape (n_passages,)
        At most `n_clusters` different ones.
    n_clusters : int
    scores : ndarray of shape (n_passages, n_passages)

    Returns
    -------
    ndarray of shape (n_passages,)
        Labels from 0.
    """
    own = np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    distances = score_distances(scores)
    for new in range(int(own.max()) + 1, min(n_clusters, len(own))):
        members = np.flatnonzero(own == np.bincount(own).argmax())
        remote = distances[np.ix_(members, members)].sum(axis=1).argmax()
        own[members[remote]] = new
    return own
