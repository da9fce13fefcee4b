"""One ranking from two: what words find and what meaning finds, each hit beside those like it."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import Float64Array

MEANING = 0.7
"""Share of the cosine in a hit's own score; that of BM25 is the rest."""

NEIGHBOURS, SHARE_OF_NEIGHBOURS = 8, 0.3
"""Nearest hits, by meaning and by words, and what the mean score of either counts in the fusion."""

_SHARPNESS = 3
"""Power of the likeness by which neighbours are weighed."""

_HITS_PER_NEIGHBOUR = 5
"""At least: of few hits, the nearest are soon all others, which would turn their order round."""

_ROWS_AT_ONCE = 512


def fuse(
    bm25: Float64Array,
    cosines: Float64Array,
    embeddings: FloatArray,
    words: sparse.csr_matrix,
    *,
    meaning: float = MEANING,
    share: float = SHARE_OF_NEIGHBOURS,
) -> Float64Array:
    """Fuse the scores of a search by words and of one by meaning.

    Each score is standardised over the hits, since neither has a scale that questions share.
    Then hits that are like each other answer the same questions (the cluster hypothesis): the
    fused score is in part that of the nearest hits by embedding, in part that of the nearest by
    words. `python -m benchmarks orders` chose the constants.

    F. Diaz: Regularizing ad hoc retrieval scores. CIKM 2005, pages 672-679.

    Parameters
    ----------
    bm25 : ndarray of shape (n_hits,)
        At least 0; higher is better.
    cosines : ndarray of shape (n_hits,)
        -1 to 1, of the hits with the question.
    embeddings : ndarray of shape (n_hits, embedding_dim)
        Each of length 1.
    words : sparse matrix of shape (n_hits, n_words)
        TF-IDF vectors, each of length 1 or 0.
    meaning, share : float
        As `MEANING` and `SHARE_OF_NEIGHBOURS`; twice the share is at most 1.

    Returns
    -------
    ndarray of shape (n_hits,)
        Higher is better; 0 is the mean of the hits' own scores.
    """
    own = meaning * standardised(cosines) + (1 - meaning) * standardised(bm25)
    if not share:
        return own
    around = _of_neighbours(own, embeddings) + _of_neighbours(own, words)
    return (1 - 2 * share) * own + share * around


def _of_neighbours(scores: Float64Array, vectors: FloatArray | sparse.csr_matrix) -> Float64Array:
    """Compute the mean score of the hits nearest to each, weighed by their likeness.

    Where hits are few, so are their neighbours; what is like no other has its own score.
    """
    n_neighbours = min(NEIGHBOURS, len(scores) // _HITS_PER_NEIGHBOUR)
    means = scores.copy()
    if not n_neighbours:
        return means
    for start, likeness in _likenesses(vectors):
        rows = np.arange(len(likeness))
        likeness[rows, start + rows] = -np.inf
        nearest = _most_alike(likeness, n_neighbours)
        weights = np.maximum(np.take_along_axis(likeness, nearest, 1), 0) ** _SHARPNESS
        total = weights.sum(1)
        has = total > 0
        near = (weights * scores[nearest]).sum(1)[has] / total[has]
        means[start : start + len(rows)][has] = near
    return means


def _most_alike(likeness: FloatArray, n: int) -> IntArray:
    """Return the columns of the n largest values of each row, in any order.

    Of equal values those that come first are taken. Sorting whole rows would take longer.
    """
    least = np.partition(likeness, -n, axis=1)[:, -n, None]
    chosen = likeness >= least
    if chosen.sum() > n * len(likeness):
        equal = likeness == least
        missing = n - chosen.sum(1, keepdims=True) + equal.sum(1, keepdims=True)
        chosen &= ~equal | (np.cumsum(equal, axis=1) <= missing)
    return np.nonzero(chosen)[1].reshape(len(likeness), n)


def _likenesses(
    vectors: FloatArray | sparse.csr_matrix,
) -> Iterator[tuple[int, FloatArray]]:
    """Yield the cosines of some hits at a time with all; and which is the first of them."""
    for start in range(0, vectors.shape[0], _ROWS_AT_ONCE):
        part = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        yield start, part if isinstance(part, np.ndarray) else part.toarray()


def standardised(scores: Float64Array) -> Float64Array:
    """Return scores with mean 0 and standard deviation 1, or all 0 where they do not differ."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros(len(scores))
