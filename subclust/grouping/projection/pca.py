"""Maps by two principal directions, of vectors or of pair scores."""

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from threadpoolctl import threadpool_limits

from subclust.core.records import FloatArray
from subclust.grouping.projection.base import Projector


class PcaProjector(Projector):
    """Principal components, the same on every machine and at once.

    Distances on this map are true to the vectors as far as two directions can show them. The sign
    of each direction is chosen so that its largest loading is positive.
    """

    name = "pca"

    def __init__(self, random_state: int = 0) -> None:
        self.random_state = random_state

    def _fit_transform(self, embeddings: FloatArray) -> FloatArray:
        centred = embeddings.astype(np.float64)
        centred -= centred.mean(axis=0)
        directions = _two_directions(centred)
        largest = np.abs(directions).argmax(axis=1)
        directions *= np.sign(directions[np.arange(len(directions)), largest])[:, None]
        return np.asarray(centred @ directions.T, dtype=np.float32)


def _two_directions(centred: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Find the first two right singular vectors by the smaller of the two Gram matrices.

    A full decomposition would take ten times as long for two hundred passages.
    """
    n_rows, n_columns = centred.shape
    if n_columns < 2:
        return np.array([[1.0], [0.0]])
    if n_columns <= n_rows:
        vectors = _two_largest(centred.T @ centred)
        return np.asarray(vectors.T[::-1])
    vectors = _two_largest(centred @ centred.T)
    directions = vectors.T[::-1] @ centred
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    # A direction in which nothing differs has no length, but for rounding.
    there = lengths > 1e-6 * max(float(lengths[0, 0]), 1e-12)
    return np.where(there, directions / np.where(there, lengths, 1.0), 0.0)


def _two_largest(gram: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the eigenvectors of the two largest eigenvalues, the largest last."""
    size = len(gram)
    # Of many small steps; threads would wait for each other at each, and for those of the encoder.
    with threadpool_limits(1, user_api="blas"):
        _, vectors = eigh(gram, subset_by_index=[size - 2, size - 1])
    return np.asarray(vectors)


def place_by_scores(scores: FloatArray) -> FloatArray:
    """Place passages such that those with a high score lie near (principal coordinates).

    Unlike a map of the embeddings, it follows the query where the scores do. The scores are
    centred in both directions and taken as inner products; the two largest eigenvectors give the
    places. The sign of each direction is chosen so that its largest coordinate is positive.

    Source: Torgerson, Psychometrika 17, 1952.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
        Symmetric, on any scale; higher is closer.

    Returns
    -------
    ndarray of shape (n_passages, 2)
        float32, centred on 0; any number of rows works.
    """
    n_passages = len(scores)
    if n_passages < 3:
        return PcaProjector().fit_transform(np.zeros((n_passages, 2), dtype=np.float32))
    products = np.asarray(scores, dtype=np.float64)
    means = products.mean(axis=0)
    products = products - means[None, :] - means[:, None] + means.mean()
    values, vectors = eigh(products, subset_by_index=[n_passages - 2, n_passages - 1])
    places = vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0.0))
    places *= np.sign(places[np.abs(places).argmax(axis=0), [0, 1]])
    spread = float(np.abs(places).max())
    return np.asarray(places / spread if spread > 1e-9 else places, dtype=np.float32)
