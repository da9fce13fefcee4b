"""A map of what a method compares: places from pair scores alone."""

import numpy as np
from scipy.linalg import eigh

from subclust.core.records import FloatArray
from subclust.grouping.projection.pca import PcaProjector


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
