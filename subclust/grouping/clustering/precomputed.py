"""Pair scores that are there already, for grouping parts of the passages anew."""

from collections.abc import Sequence

import numpy as np

from subclust.core.records import FloatArray, IntArray, Query


class PrecomputedScores:
    """Gives pair scores by position instead of computing them.

    In place of embeddings it is given `positions`, since a clusterer puts passages in an order of
    its own.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    """

    def __init__(self, scores: FloatArray) -> None:
        self.scores = scores

    @staticmethod
    def positions(rows: IntArray) -> FloatArray:
        """Write positions in the place of embeddings; shape (n_rows, 1)."""
        return np.asarray(rows, dtype=np.float32)[:, None]

    def score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None = None
    ) -> FloatArray:
        """Return the scores of the passages at these positions.

        Parameters
        ----------
        query, passages
            Not looked at.
        embeddings : ndarray of shape (n_rows, 1)
            Of `positions`.

        Returns
        -------
        ndarray of shape (n_rows, n_rows)
        """
        assert embeddings is not None
        rows = embeddings[:, 0].astype(np.int64)
        return self.scores[np.ix_(rows, rows)]
