"""Vectors of texts averaged with those of the texts most like them."""

import numpy as np
from scipy import sparse
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import normalize

from subclust.core.records import FloatArray
from subclust.core.records.arrays import Float64Array


def propagated(vectors: FloatArray, n_neighbors: int, n_steps: int) -> Float64Array:
    r"""Average each text's vector with those of its nearest neighbours, some times over.

    Parameters
    ----------
    vectors : ndarray of shape (n_texts, embedding_dim)
        Each of length 1.
    n_neighbors : int
        Of each text, by cosine, itself left out; all others where there are no more. Two texts are
        neighbours where either is one of the other's nearest.
    n_steps : int
        0 gives the vectors as they are, as a text alone has its own.

    Returns
    -------
    ndarray of shape (n_texts, embedding_dim)
        Each of length 1, where they are not as they were.

    Notes
    -----
    The graph convolution without weights of Wu et al., Simplifying Graph Convolutional Networks
    (ICML 2019), section 2.2:

    .. math:: S^K X, \quad S = D^{-1/2} (A + I) D^{-1/2}

    with the texts' nearest neighbours for :math:`A`, the rows' sums of :math:`A + I` for :math:`D`
    and `n_steps` for :math:`K`.
    """
    means = vectors.astype(np.float64)
    if not n_steps or len(means) < 2:
        return means
    # Among vectors of one length the nearest by cosine are the nearest.
    nearest = kneighbors_graph(
        means, min(n_neighbors, len(means) - 1), metric="euclidean", include_self=False
    )
    linked = nearest.maximum(nearest.T) + sparse.identity(len(means))
    scale = sparse.diags(np.asarray(linked.sum(axis=1)).ravel() ** -0.5)
    step = (scale @ linked @ scale).tocsr()
    for _ in range(n_steps):
        means = step @ means
    averaged: Float64Array = normalize(means)
    return averaged
