"""Ways to divide hits along the directions in which they differ most."""

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.clustering.base import renumber
from subclust.grouping.clustering.cluster_count import mean_silhouettes
from subclust.pipeline.ways.division import Division

FIRST = slice(0, 6)
"""Directions that are looked at together."""

MINOR = slice(3, 8)
"""Further ones."""

_REST = slice(0, 4)
"""The first ones once the differences of another way have been taken out."""

_MOST_GROUPS = 8

_NOTHING = 1e-9
"""Of a variance, below which a direction is none."""


def along(vectors: FloatArray, which: slice = FIRST) -> Division:
    """Divide hits by the directions in which their vectors differ most.

    Parameters
    ----------
    vectors : ndarray of shape (n_hits, dim)
    which : slice
        Of the directions, by how much the hits differ in them.

    Returns
    -------
    Division
        Into the number of groups, 2 to `_MOST_GROUPS`, at which hits fit their groups best.
    """
    return _divided(vectors, np.zeros(len(vectors), dtype=np.int64), which)


def beneath(vectors: FloatArray, labels: IntArray) -> Division:
    """Divide hits by what is left once each group's mean has been taken out.

    Source: Cui, Fern and Dy, Non-redundant multi-view clustering via orthogonalization, ICDM 2007.

    Parameters
    ----------
    vectors : ndarray of shape (n_hits, dim)
    labels : ndarray of shape (n_hits,)
        Of another way; -1 counts as one group.
    """
    return _divided(vectors, labels, _REST)


def _divided(vectors: FloatArray, labels: IntArray, which: slice) -> Division:
    """Divide along directions in which hits differ from the means of their groups."""
    _, group = np.unique(labels, return_inverse=True)
    members = np.eye(int(group.max()) + 1, dtype=np.float32)[group]
    means = (members / members.sum(axis=0)).T @ vectors
    directions = _principal(vectors - means[group], which)
    places = _unit((vectors - means[group]) @ directions)
    scores = np.asarray(places @ places.T, dtype=np.float32)
    tree = average_link(scores)
    fits = mean_silhouettes(tree, scores, _MOST_GROUPS)
    n_groups = int(fits.argmax()) + 2 if len(fits) else 1

    def near(row: int, others: FloatArray) -> FloatArray:
        found = _unit((others - means[group[row]]) @ directions) @ places.T
        return np.asarray(found, dtype=np.float32)

    return Division(renumber(cut_to(tree, n_groups)), scores, near=near)


def told_by_words(labels: IntArray, words: FloatArray) -> float:
    """Return how surely the words of a hit tell its group, beyond chance (Cohen's kappa).

    Each hit goes to the group whose others it shares most words with. Groups that only the vectors
    see are told no better than chance.

    Parameters
    ----------
    labels : ndarray of shape (n_hits,)
        -1 for hits that do not count.
    words : ndarray of shape (n_hits, n_hits)
        Likenesses by words, 0 to 1.

    Returns
    -------
    float
        At most 1; 0 is chance.
    """
    inside = labels >= 0
    labels = labels[inside]
    alike = words[np.ix_(inside, inside)].copy()
    np.fill_diagonal(alike, 0.0)
    members = np.eye(int(labels.max()) + 1)[labels]
    others = np.maximum(members.sum(axis=0) - members, 1)
    found = (alike @ members / others).argmax(axis=1)
    shares = members.mean(axis=0)
    chance = float(shares @ np.bincount(found, minlength=len(shares)) / len(found))
    right = float((found == labels).mean())
    return (right - chance) / max(1 - chance, 1e-9)


def _principal(vectors: FloatArray, which: slice) -> FloatArray:
    """Return some principal directions of centred vectors; shape (dim, n_directions)."""
    # Through the smaller matrix: hits are usually fewer than dimensions.
    values, weights = np.linalg.eigh((vectors @ vectors.T).astype(np.float64))
    values, weights = values[::-1][which], weights[:, ::-1][:, which]
    return np.asarray(vectors.T @ (weights / np.sqrt(np.maximum(values, _NOTHING))))


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9))
