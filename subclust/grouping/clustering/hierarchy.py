"""Finer and coarser cuts of one tree: what is split, and which groups stay as they were."""

import numpy as np

from subclust.core.records import IntArray
from subclust.grouping.clustering.average_link import Tree, cut_to
from subclust.grouping.clustering.base import renumber


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
