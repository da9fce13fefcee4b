"""Cosine and Euclidean distance of the passages' embeddings."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity

# A row this much shorter than the longest is rounding noise and has no direction.
_NO_DIRECTION = 1e-6

# Squared distances below this share of the squared lengths are rounding noise.
_SAME_POINT = 1e-12


class CosineSimilarity(PairSimilarity):
    """Cosine of the angle between two embeddings, -1 to 1; higher is closer.

    A vector of zeros scores 0 with everything, itself included. Knows nothing of the query.

    Source: "SBERT cosine" of Kashyapi and Dietz, JCDL 2022, section 4.2.
    """

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = np.asarray(embeddings, dtype=np.float64)
        return _cosine_matrix(vectors, longest=_row_norms(vectors).max())


class CentredCosineSimilarity(PairSimilarity):
    """Cosine after subtracting the mean embedding of the hit set, -1 to 1; higher is closer.

    All hits of a query share its topic, and that common part dominates the plain cosine. Taking it
    away leaves what tells the passages apart. A passage at the mean scores 0 with everything;
    identical passages, and a single one, are all at the mean.
    """

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = np.asarray(embeddings, dtype=np.float64)
        return _cosine_matrix(
            vectors - vectors.mean(axis=0, keepdims=True), longest=_row_norms(vectors).max()
        )


def _row_norms(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Compute the Euclidean length of each row; shape (n_passages,)."""
    return np.asarray(np.linalg.norm(vectors, axis=1), dtype=np.float64)


def _cosine_matrix(vectors: npt.NDArray[np.float64], longest: float) -> FloatArray:
    """Compute the cosine of all pairs of rows."""
    norms = _row_norms(vectors)
    directed = norms > _NO_DIRECTION * longest
    unit = np.zeros_like(vectors)
    np.divide(vectors, norms[:, None], out=unit, where=directed[:, None])
    return np.clip(unit @ unit.T, -1.0, 1.0).astype(np.float32)


def unit_rows(vectors: FloatArray) -> FloatArray:
    """Return rows of length 1; those without a length stay near 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


class EuclideanSimilarity(PairSimilarity):
    """Minus the Euclidean distance of two embeddings, at most 0; higher is closer.

    Identical passages score exactly 0. Knows nothing of the query. For normalised embeddings it
    ranks pairs as the cosine does, but average link over it may build another tree.

    Source: "SBERT euclid" of Kashyapi and Dietz, JCDL 2022, section 4.2.
    """

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
