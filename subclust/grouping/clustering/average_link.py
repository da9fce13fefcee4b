"""The average-link tree of a score matrix: its cuts, finer and coarser, and parts of it."""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from subclust.core.records import Float64Array, IntArray
from subclust.grouping.clustering.base import renumber

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
    # From the last merge down, so that a node knows its top before it hands it on.
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


def prune(tree: Tree, kept: IntArray) -> Tree:
    """Return the tree of some of its passages, with their merges as they were.

    Parameters
    ----------
    tree : ndarray of shape (n_passages - 1, 4)
    kept : ndarray of shape (n_kept,)
        Passages that stay, at least one; number i of the result is passage ``kept[i]``.

    Returns
    -------
    ndarray of shape (n_kept - 1, 4)
        Two groups of the kept passages that are apart in a cut of `tree` are apart in the cut of
        the result at the same distance, and the other way round.
    """
    n_passages = len(tree) + 1
    node = np.full(n_passages + len(tree), -1, dtype=np.int64)
    node[kept] = np.arange(len(kept))
    sizes = [1] * len(kept)
    merges: list[tuple[float, float, float, float]] = []
    for merge, (first, second, distance, _) in enumerate(tree):
        left, right = int(node[int(first)]), int(node[int(second)])
        above = n_passages + merge
        if left < 0 or right < 0:
            node[above] = max(left, right)
            continue
        node[above] = len(kept) + len(merges)
        sizes.append(sizes[left] + sizes[right])
        merges.append((float(left), float(right), float(distance), float(sizes[-1])))
    return np.array(merges, dtype=np.float64).reshape(-1, 4)


def numbered_cut(tree: Tree, n_clusters: int, anchor: int) -> IntArray:
    """Cut a tree so that groups keep their numbers from one number of groups to the next.

    At `anchor` groups they have the numbers from 0, largest first. One group more splits exactly
    one of them: its larger part keeps the number, the other part takes the next free one. One group
    fewer joins two: the larger one keeps its number. So the numbers follow from the tree and the
    anchor alone, whatever cut was looked at before.

    Parameters
    ----------
    tree : ndarray of shape (n_passages - 1, 4)
    n_clusters, anchor : int
        From 1 to n_passages.

    Returns
    -------
    ndarray of shape (n_passages,)
        The number of each passage's group; where `n_clusters` is below `anchor`, some are left out.
    """
    n_passages = len(tree) + 1
    labels = renumber(cut_to(tree, anchor))
    for n_groups in range(anchor + 1, n_clusters + 1):
        left, right = _leaves_of_merge(tree, n_passages - n_groups)
        smaller = min((left, right), key=lambda part: (len(part), -int(part.min())))
        labels[smaller] = n_groups - 1
    for n_groups in range(anchor - 1, n_clusters - 1, -1):
        left, right = _leaves_of_merge(tree, n_passages - n_groups - 1)
        larger, smaller = sorted((left, right), key=lambda part: (-len(part), int(part.min())))
        labels[smaller] = labels[larger[0]]
    return labels


def _leaves_of_merge(tree: Tree, merge: int) -> tuple[IntArray, IntArray]:
    """Return the passages on both sides of a merge."""
    return _below(tree, int(tree[merge, 0])), _below(tree, int(tree[merge, 1]))


def _below(tree: Tree, node: int) -> IntArray:
    n_passages = len(tree) + 1
    found: list[int] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one < n_passages:
            found.append(one)
        else:
            waiting += [int(tree[one - n_passages, 0]), int(tree[one - n_passages, 1])]
    return np.array(sorted(found), dtype=np.int64)
