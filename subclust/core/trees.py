"""Boosted trees that were grown elsewhere and are kept as arrays, for many rows at once."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

# A leaf is one bit of an unsigned 32-bit mask.
_MOST_LEAVES = 32


@dataclass(frozen=True)
class FlatTrees:
    """Trees as bit masks: each question that a row answers with no rules leaves out.

    What is left of a tree's leaves, counted from the left, begins with the one that the row
    reaches.

    C. Lucchese et al.: QuickScorer: a fast algorithm to rank documents with additive ensembles of
    regression trees. SIGIR 2015.

    Parameters
    ----------
    column : ndarray of shape (n_questions, n_trees)
        What is asked.
    threshold : ndarray of shape (n_questions, n_trees)
        Rows of at most so much answer with yes.
    kept : ndarray of shape (n_questions, n_trees), uint32
        The leaves that a no leaves.
    value : ndarray of shape (n_trees, n_leaves)
    """

    column: npt.NDArray[Any]
    threshold: npt.NDArray[Any]
    kept: npt.NDArray[np.uint32]
    value: npt.NDArray[Any]

    @classmethod
    def of(
        cls,
        column: npt.NDArray[Any],
        threshold: npt.NDArray[Any],
        left: npt.NDArray[Any],
        right: npt.NDArray[Any],
        value: npt.NDArray[Any],
    ) -> "FlatTrees":
        """Take trees of at most 32 leaves apart.

        Parameters
        ----------
        column, threshold, left, right, value : ndarray of shape (n_trees, n_nodes)
            What a node asks, the nodes that follow a yes and a no, and what a leaf adds; a leaf is
            followed by itself, and the first node is the root.
        """
        n_trees, n_nodes = column.shape
        n_questions, n_leaves = max(n_nodes // 2, 1), (n_nodes + 1) // 2
        columns = np.zeros((n_questions, n_trees), dtype=column.dtype)
        # Smaller trees are padded with questions that every row answers with yes.
        thresholds = np.full((n_questions, n_trees), np.inf, dtype=threshold.dtype)
        kept = np.full((n_questions, n_trees), 2**_MOST_LEAVES - 1, dtype=np.uint32)
        values = np.zeros((n_trees, n_leaves), dtype=value.dtype)
        for tree in range(n_trees):
            leaves: list[int] = []
            questions = 0

            def walk(node: int, tree: int = tree, leaves: list[int] = leaves) -> None:
                nonlocal questions
                if left[tree, node] == node:
                    values[tree, len(leaves)] = value[tree, node]
                    leaves.append(node)
                    return
                row, before = questions, len(leaves)
                questions += 1
                columns[row, tree] = column[tree, node]
                thresholds[row, tree] = threshold[tree, node]
                walk(int(left[tree, node]))
                below = (1 << len(leaves)) - (1 << before)
                kept[row, tree] = (2**_MOST_LEAVES - 1) ^ below
                walk(int(right[tree, node]))

            walk(0)
        return cls(columns, thresholds, kept, values)

    def values(self, columns: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what each tree adds to each row; shape (n_rows, n_trees)."""
        by_column = np.ascontiguousarray(columns.T)
        n_trees = self.value.shape[0]
        left = np.full((n_trees, len(columns)), 2**_MOST_LEAVES - 1, dtype=np.uint32)
        for column, threshold, kept in zip(self.column, self.threshold, self.kept, strict=True):
            # A yes is turned into all bits at once, which takes half the time of np.where.
            masks = (by_column[column] <= threshold[:, None]).astype(np.uint32)
            np.negative(masks, out=masks)
            masks |= kept[:, None]
            left &= masks
        # The number of zeros below the lowest set bit is the position of the first leaf left.
        leaf = np.bitwise_count(~left & (left - np.uint32(1)))
        return np.ascontiguousarray(self.value[np.arange(n_trees)[:, None], leaf].T)


@dataclass(frozen=True)
class BoostedTrees:
    """A classifier with two outcomes: the sum of a value from each tree is its log-odds.

    Parameters
    ----------
    column, left, right : ndarray of shape (n_trees, n_nodes), integers
        What a node asks, and the nodes that follow; a leaf is followed by itself.
    threshold, value : ndarray of shape (n_trees, n_nodes)
        Rows of at most the threshold go left; what a leaf adds.
    start : float
        The log-odds before the first tree.
    """

    column: npt.NDArray[Any]
    left: npt.NDArray[Any]
    right: npt.NDArray[Any]
    threshold: npt.NDArray[Any]
    value: npt.NDArray[Any]
    start: float

    def probabilities(self, columns: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Compute the probability of the outcome, 0 to 1, for each row; shape (n_rows,)."""
        odds = self.start + self._flat.values(columns).sum(axis=1, dtype=np.float64)
        return np.asarray(1 / (1 + np.exp(-odds)))

    @cached_property
    def _flat(self) -> FlatTrees:
        return FlatTrees.of(self.column, self.threshold, self.left, self.right, self.value)

    def to_arrays(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays to keep, each under `name` and its own."""
        return {f"{name}_{one.name}": np.asarray(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def of_arrays(cls, kept: Mapping[str, npt.NDArray[Any]], name: str) -> "BoostedTrees":
        """Read what `to_arrays` returned."""
        arrays: dict[str, Any] = {one.name: kept[f"{name}_{one.name}"] for one in fields(cls)}
        return cls(**arrays | {"start": float(arrays["start"])})
