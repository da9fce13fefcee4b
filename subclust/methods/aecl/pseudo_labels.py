"""Pseudo-labels of the second stage, kept with the run, and neighbours (section 3.4)."""

from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import normalize

from subclust.core.messages import Message
from subclust.core.records import Float64Array, FloatArray, IntArray
from subclust.core.storage.disk import written_whole
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.training.split import not_resumable

LABELS_FILE = "pseudo-labels.npy"


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


def kmeans_pseudo_labels(
    vectors: FloatArray, n_clusters: int, seed: int, *, n_neighbors: int = 0, n_steps: int = 0
) -> IntArray:
    """Group the encoder's vectors of all texts by k-means (Algorithm 1, line 12).

    Parameters
    ----------
    vectors : ndarray of shape (n_texts, embedding_dim)
    n_neighbors, n_steps : int
        As for `propagated`, over whose vectors k-means runs; the paper's k-means where `n_steps`
        is 0.

    Returns
    -------
    ndarray of shape (n_texts,)
    """
    return kmeans_labels(propagated(vectors, n_neighbors, n_steps), n_clusters, seed)


def write_labels(folder: Path, labels: IntArray) -> None:
    """Keep them, replacing what is there by renaming."""
    with written_whole(folder / LABELS_FILE, durable=False) as stream:
        np.save(stream, labels, allow_pickle=False)


def read_labels(folder: Path, n_texts: int) -> IntArray | None:
    """Read those of a run, None where there are none yet.

    Raises
    ------
    TrainingError
        If they are damaged, or of another collection.
    """
    path = folder / LABELS_FILE
    if not path.is_file():
        return None
    try:
        labels = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        why = Message("the pseudo-labels in {path} are damaged", path=path)
        raise not_resumable(why) from error
    if labels.shape != (n_texts,):
        raise not_resumable(
            Message("the pseudo-labels in {path} are of another collection", path=path)
        )
    return np.asarray(labels, dtype=np.int64)


def forget_labels(folder: Path) -> None:
    """Remove those of an earlier run of the name."""
    (folder / LABELS_FILE).unlink(missing_ok=True)
