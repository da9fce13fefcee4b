"""Cosine of the passages' embeddings, plain or centred over the hit set."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity

# A row this much shorter than the longest is rounding noise and has no direction.
_NO_DIRECTION = 1e-6


class CosineSimilarity(PairSimilarity):
    """Cosine of the angle between two embeddings, -1 to 1; higher is closer.

    A vector of zeros scores 0 with everything, itself included. Knows nothing of the query.

    Source: "SBERT cosine" of Kashyapi and Dietz, JCDL 2022, section 4.2.
    """

    needs_embeddings = True

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = np.asarray(embeddings, dtype=np.float64)
        return cosine_matrix(vectors, longest=row_norms(vectors).max())


class CentredCosineSimilarity(PairSimilarity):
    """Cosine after subtracting the mean embedding of the hit set, -1 to 1; higher is closer.

    All hits of a query share its topic, and that common part dominates the plain cosine. Taking it
    away leaves what tells the passages apart. A passage at the mean scores 0 with everything;
    identical passages, and a single one, are all at the mean.
    """

    needs_embeddings = True

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = np.asarray(embeddings, dtype=np.float64)
        return cosine_matrix(
            vectors - vectors.mean(axis=0, keepdims=True), longest=row_norms(vectors).max()
        )


def row_norms(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Compute the Euclidean length of each row; shape (n_passages,)."""
    return np.asarray(np.linalg.norm(vectors, axis=1), dtype=np.float64)


def cosine_matrix(vectors: npt.NDArray[np.float64], longest: float) -> FloatArray:
    """Compute the cosine of all pairs of rows.

    Parameters
    ----------
    vectors : ndarray of shape (n_passages, embedding_dim)
    longest : float
        Length against which a row counts as zero: that of the longest vector before centring.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        float32, -1 to 1; 0 in the rows and columns of vectors without direction.
    """
    norms = row_norms(vectors)
    directed = norms > _NO_DIRECTION * longest
    unit = np.zeros_like(vectors)
    np.divide(vectors, norms[:, None], out=unit, where=directed[:, None])
    return np.clip(unit @ unit.T, -1.0, 1.0).astype(np.float32)
