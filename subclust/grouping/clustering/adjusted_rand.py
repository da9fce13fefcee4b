"""Adjusted Rand index of many groupings at once, for the rules that learn or resample.

`subclust.evaluation.metrics` measures results; this serves the inner loops of the rules, where one
call of it for each cut would cost seconds.
"""

import numpy as np
import numpy.typing as npt

from subclust.core.records import Float64Array, IntArray
from subclust.grouping.clustering.average_link import Tree


def _adjusted_rand_from_pairs(
    together: Float64Array, first: Float64Array, second: Float64Array, n_pairs: float
) -> Float64Array:
    """Compute the index from numbers of pairs."""
    expected = first * second / max(n_pairs, 1.0)
    span = (first + second) / 2 - expected
    index = np.ones(np.broadcast(together, span).shape)
    np.divide(together - expected, span, out=index, where=span > 0)
    return index


def adjusted_rand(first: IntArray, second: IntArray) -> float:
    """Compare two groupings given as labels from 0."""
    counts = np.zeros((int(first.max()) + 1, int(second.max()) + 1))
    np.add.at(counts, (first, second), 1.0)
    index = _adjusted_rand_from_pairs(
        _pairs(counts).sum(),
        _pairs(counts.sum(axis=1)).sum(),
        _pairs(counts.sum(axis=0)).sum(),
        len(first) * (len(first) - 1) / 2,
    )
    return float(index)


def adjusted_rand_along(tree: Tree, gold: npt.ArrayLike) -> Float64Array:
    """Compare every cut of a tree with the gold grouping.

    Parameters
    ----------
    tree : ndarray of shape (n_passages - 1, 4)
    gold : array-like of shape (n_passages,)
        Gold subtopics, of any sortable kind.

    Returns
    -------
    ndarray of shape (n_passages,)
        Adjusted Rand index with 1, 2, ..., n_passages groups.
    """
    n_passages = len(tree) + 1
    subtopics, code, sizes = np.unique(gold, return_inverse=True, return_counts=True)
    counts = np.zeros((2 * n_passages - 1, len(subtopics)))
    counts[np.arange(n_passages), code] = 1.0
    merged = tree[:, :2].astype(np.int64)
    for merge, (left, right) in enumerate(merged):
        counts[n_passages + merge] = counts[left] + counts[right]
    left, right = counts[merged[:, 0]], counts[merged[:, 1]]
    together = np.concatenate([[0.0], np.cumsum((left * right).sum(axis=1))])
    predicted = np.concatenate([[0.0], np.cumsum(left.sum(axis=1) * right.sum(axis=1))])
    return _adjusted_rand_from_pairs(
        together,
        predicted,
        _pairs(sizes.astype(np.float64)).sum(),
        n_passages * (n_passages - 1) / 2,
    )[::-1]


def _pairs(sizes: Float64Array) -> Float64Array:
    return np.asarray(sizes * (sizes - 1) / 2, dtype=np.float64)
