"""Boosted trees that were grown elsewhere and are kept as arrays."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray
from subclust.core.trees import FlatTrees


@dataclass(frozen=True)
class BoostedTrees:
    """A classifier with two outcomes: the sum of a value from each tree is its log-odds.

    Parameters
    ----------
    column, left, right : ndarray of shape (n_trees, n_nodes)
        What a node asks, and the nodes that follow; a leaf is followed by itself.
    threshold, value : ndarray of shape (n_trees, n_nodes)
        Rows of at most the threshold go left; what a leaf adds.
    start : float
        The log-odds before the first tree.
    depth : int
        Of the deepest leaf.
    """

    column: npt.NDArray[np.int16]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    threshold: FloatArray
    value: FloatArray
    start: float
    depth: int

    def chances(self, columns: FloatArray) -> FloatArray:
        """Compute the probability of the outcome for each row; shape (n_rows,)."""
        odds = self.start + self._flat.values(columns).sum(axis=1, dtype=np.float64)
        return np.asarray(1 / (1 + np.exp(-odds)))

    @cached_property
    def _flat(self) -> FlatTrees:
        return FlatTrees.of(self.column, self.threshold, self.left, self.right, self.value)
