"""Negative Euclidean distance of the passages' embeddings."""

from collections.abc import Sequence

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity

# Squared distances below this share of the squared lengths are rounding noise.
_SAME_POINT = 1e-12


class EuclideanSimilarity(PairSimilarity):
    """Minus the Euclidean distance of two embeddings, at most 0; higher is closer.

    Identical passages score exactly 0. Knows nothing of the query. For normalised embeddings it
    ranks pairs as the cosine does, but average link over it may build another tree.

    Source: "SBERT euclid" of Kashyapi and Dietz, JCDL 2022, section 4.2.
    """

    needs_embeddings = True

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = np.asarray(embeddings, dtype=np.float64)
        squares = np.einsum("ij,ij->i", vectors, vectors)
        lengths = squares[:, None] + squares[None, :]
        squared = lengths - 2.0 * (vectors @ vectors.T)
        squared[squared <= _SAME_POINT * lengths] = 0.0
        np.fill_diagonal(squared, 0.0)
        return np.asarray(-np.sqrt(squared), dtype=np.float32)
