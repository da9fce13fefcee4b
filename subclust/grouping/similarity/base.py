"""The interface of everything that says how alike two passages of a query are."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, Query


class PairSimilarity(ABC):
    """Scores pairs of passages of one query; **higher is closer**, symmetric.

    Attributes
    ----------
    needs_embeddings : bool
        Whether `embeddings` must be given.
    is_network : bool
        Whether a network computes the scores.
    """

    needs_embeddings: bool = True
    is_network: bool = False

    def score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None = None
    ) -> FloatArray:
        """Score all pairs of passages.

        Parameters
        ----------
        query : Query
            With `embedding` set where the similarity is query-specific.
        passages : sequence of str
            Texts, n_passages of them.
        embeddings : ndarray of shape (n_passages, embedding_dim), optional
            L2-normalised.

        Returns
        -------
        ndarray of shape (n_passages, n_passages)
            float32, exactly symmetric, finite.

        Raises
        ------
        InputError
            If embeddings are needed and missing, or do not fit the passages.
        """
        if self.needs_embeddings:
            if embeddings is None:
                raise InputError(
                    "{kind} needs the embeddings of the passages.", kind=type(self).__name__
                )
            if embeddings.ndim != 2 or len(embeddings) != len(passages):
                raise InputError(
                    "{kind} was given {count} passages but embeddings of shape {shape}; one row "
                    "per passage is needed.",
                    kind=type(self).__name__,
                    count=len(passages),
                    shape=embeddings.shape,
                )
        if not len(passages):
            return np.zeros((0, 0), dtype=np.float32)
        scores = np.asarray(self._score_matrix(query, passages, embeddings), dtype=np.float32)
        # Matrix products are symmetric only up to rounding; trees and maps need it exactly.
        return np.asarray((scores + scores.T) / 2, dtype=np.float32)

    def __sklearn_clone__(self) -> Self:
        """Return itself: no fit changes a similarity, and a trained one is large."""
        return self

    @abstractmethod
    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        """Compute the matrix for at least one passage; `score_matrix` checks and symmetrises."""
