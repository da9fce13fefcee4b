"""The average-link tree of a score matrix, and its cuts."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from subclust.core.records import IntArray
from subclust.core.records.arrays import Float64Array

Scores = npt.NDArray[np.floating[Any]]
"""Pair scores of shape (n_passages, n_passages), symmetric and finite, on any scale; higher is
closer."""

Tree = Float64Array
"""A linkage matrix of shape (n_passages - 1, 4) as scipy writes it: the two nodes that merge, the
distance at which they do, and the number of passages below. Rows come in order of distance."""


def closest_score(scores: Scores) -> float:
    """Return the highest score of two different passages; 0 for a single passage."""
    n_passages = len(scores)
    if n_passages < 2:
        return 0.0
    return float(scores[~np.eye(n_passages, dtype=bool)].max())


def score_distances(scores: Scores) -> Float64Array:
    """Turn scores on any scale into distances: the closest pair's score minus the score.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        At least 0, and 0 on the diagonal; higher is farther.
    """
    distances = closest_score(scores) - np.asarray(scores, dtype=np.float64)
    np.fill_diagonal(distances, 0.0)
    return distances


def average_link(scores: Scores) -> Tree:
    """Merge the two groups whose passages are closest on average, until one group is left.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
        Symmetric and finite, on any scale; higher is closer. The diagonal is not read.

    Returns
    -------
    ndarray of shape (n_passages - 1, 4)
        See `Tree`; its distances are those of `score_distances`.
    """
    if len(scores) < 2:
        return np.zeros((0, 4), dtype=np.float64)
    condensed = squareform(score_distances(scores), checks=False)
    return np.asarray(linkage(condensed, method="average"), dtype=np.float64)


def merge_scores(tree: Tree, scores: Scores) -> Float64Array:
    """Return the mean score at which each merge of the tree happens, highest first.

    Returns
    -------
    ndarray of shape (n_passages - 1,)
        On the scale of `scores`; higher is closer.
    """
    return np.asarray(closest_score(scores) - tree[:, 2], dtype=np.float64)


def nodes_at(tree: Tree, n_clusters: int) -> IntArray:
    """Find the node of the tree that each passage is in when `n_clusters` groups are left.

    Returns
    -------
    ndarray of shape (n_passages,)
        Node numbers as in the linkage matrix, exactly ``min(n_clusters, n_passages)`` of them.
    """
    n_passages = len(tree) + 1
    n_merges = n_passages - min(max(n_clusters, 1), n_passages)
    top = np.arange(n_passages + n_merges, dtype=np.int64)
    merged = tree[:n_merges, :2].astype(np.int64)
    for merge in range(n_merges - 1, -1, -1):
        top[merged[merge]] = top[n_passages + merge]
    return top[:n_passages]


def cut_to(tree: Tree, n_clusters: int) -> IntArray:
    """Cut the tree to an exact number of groups, whatever ties it has.

    The first merges of the tree are done and counted, instead of looking for a height, which ties
    can jump over.

    Returns
    -------
    ndarray of shape (n_passages,)
        Labels from 0; exactly ``min(n_clusters, n_passages)`` groups.
    """
    return np.asarray(np.unique(nodes_at(tree, n_clusters), return_inverse=True)[1], dtype=np.int64)


def count_at(tree: Tree, scores: Scores, threshold: float) -> int:
    """Count the groups left when only merges at a mean score of `threshold` or more are done."""
    return len(tree) + 1 - int(np.count_nonzero(merge_scores(tree, scores) >= threshold))


def cut_at(tree: Tree, scores: Scores, threshold: float) -> IntArray:
    """Cut the tree at a mean score, on the scale of `scores`.

    Returns
    -------
    ndarray of shape (n_passages,)
        Labels from 0; no two groups have a mean score of `threshold` or more.
    """
    return cut_to(tree, count_at(tree, scores, threshold))
