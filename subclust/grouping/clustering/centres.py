"""Groups of points: distances, exact numbers of groups, strengths from centres alone."""

from collections.abc import Callable

import numpy as np

from subclust.core.records import Float64Array, FloatArray, IntArray
from subclust.grouping.clustering.average_link import score_distances

_ROWS = 4096


def centre_distances(points: Float64Array, labels: IntArray) -> Float64Array:
    """Measure how far each passage is from the centre of each group.

    Parameters
    ----------
    points : ndarray of shape (n_passages, n_dimensions)
    labels : ndarray of shape (n_passages,)
        Every number from 0 to n_groups - 1.

    Returns
    -------
    ndarray of shape (n_passages, n_groups)
        Squared Euclidean distance to the mean of the group; higher is farther.
    """
    sizes = np.bincount(labels).astype(np.float64)
    centres = np.zeros((len(sizes), points.shape[1]))
    np.add.at(centres, labels, points)
    centres /= sizes[:, None]
    squares = np.einsum("ij,ij->i", centres, centres)
    distances = np.empty((len(points), len(sizes)))
    # In slices, to keep the temporary matrices of this expression small.
    for start in range(0, len(points), _ROWS):
        rows = points[start : start + _ROWS]
        own = np.einsum("ij,ij->i", rows, rows)
        distances[start : start + _ROWS] = own[:, None] + squares[None, :] - 2 * rows @ centres.T
    return np.maximum(distances, 0.0)


def centre_strengths(points: Float64Array, labels: IntArray) -> FloatArray:
    """Return how well each passage fits its group: the silhouette width on the groups' centres.

    With a the distance to the centre of its own group and b that to the nearest other centre, the
    strength is (b - a) / max(a, b); where there is one group only, b is the mean of all a.

    Source: Hruschka, de Castro and Campello, Evolutionary algorithms for clustering
    gene-expression data, ICDM 2004 (the simplified silhouette), here on squared distances.

    Parameters
    ----------
    points : ndarray of shape (n_passages, n_dimensions)
    labels : ndarray of shape (n_passages,)
        Every number from 0 to n_groups - 1.

    Returns
    -------
    ndarray of shape (n_passages,)
        -1 (fits another group better) to 1; 0 for a passage alone in its group.
    """
    distances = centre_distances(points, labels)
    rows = np.arange(len(labels))
    inside = distances[rows, labels]
    if distances.shape[1] == 1:
        nearest = np.full(len(labels), inside.mean())
    else:
        distances[rows, labels] = np.inf
        nearest = distances.min(axis=1)
    larger = np.maximum(inside, nearest)
    widths = np.zeros(len(labels))
    together = np.bincount(labels)[labels] > 1
    np.divide(nearest - inside, larger, out=widths, where=(larger > 0) & together)
    return np.clip(widths, -1.0, 1.0).astype(np.float32)


def split_by_centre(points: Float64Array, labels: IntArray, n_clusters: int) -> IntArray:
    """Split groups until there are ``min(n_clusters, n_passages)``.

    The largest group gives up the passage that is farthest from its centre, as `split_to` does
    with the pair scores.

    Parameters
    ----------
    points : ndarray of shape (n_passages, n_dimensions)
    labels : ndarray of shape (n_passages,)
        At most `n_clusters` different ones.
    n_clusters : int

    Returns
    -------
    ndarray of shape (n_passages,)
        Labels from 0.
    """

    def remoteness(members: IntArray) -> Float64Array:
        inside = points[members]
        return np.asarray(((inside - inside.mean(axis=0)) ** 2).sum(axis=1))

    return _split(labels, n_clusters, remoteness)


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
    distances = score_distances(scores)
    return _split(labels, n_clusters, lambda some: distances[np.ix_(some, some)].sum(axis=1))


def _split(
    labels: IntArray, n_clusters: int, remoteness: Callable[[IntArray], Float64Array]
) -> IntArray:
    own = np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    for new in range(int(own.max()) + 1, min(n_clusters, len(own))):
        members = np.flatnonzero(own == np.bincount(own).argmax())
        own[members[remoteness(members).argmax()]] = new
    return own


def squared_distance_scores(points: Float64Array) -> FloatArray:
    """Score all pairs by minus their squared Euclidean distance; shape (n_passages, n_passages)."""
    squares = np.einsum("ij,ij->i", points, points)
    distances = squares[:, None] + squares[None, :] - 2 * points @ points.T
    return np.asarray(-np.maximum(distances + distances.T, 0.0) / 2, dtype=np.float32)
