"""Any cut of one tree, with the same passages set aside in each and the strength of all."""

import numpy as np

from subclust.core.records import OTHER_PASSAGES, BoolArray, FloatArray, IntArray
from subclust.grouping.clustering.average_link import Tree, cut_to
from subclust.grouping.clustering.hierarchy import numbered_cut, prune
from subclust.grouping.clustering.strength import other_passages, passage_strengths


def set_aside(
    scores: FloatArray, tree: Tree, n_chosen: int, max_other: float
) -> tuple[BoolArray, FloatArray, int]:
    """Choose the passages that fit nowhere in the cut that a rule has chosen.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    tree : ndarray of shape (n_passages - 1, 4)
    n_chosen : int
        Groups that the rule has chosen.
    max_other : float
        Largest share of passages that may be set aside, 0 to 1.

    Returns
    -------
    aside : ndarray of shape (n_passages,)
    strengths : ndarray of shape (n_passages,)
        Of each passage in the group that it has in that cut.
    n_groups : int
        That are left without them; at most `n_chosen`, since a passage alone may be set aside.
    """
    whole = cut_to(tree, n_chosen)
    labels = other_passages(scores, whole, max_other=max_other, exact=False)
    aside = labels == OTHER_PASSAGES
    return aside, passage_strengths(scores, whole), len(np.unique(labels[~aside]))


def settled_labels(tree: Tree, aside: BoolArray, n_auto: int, n_clusters: int) -> IntArray:
    """Cut the tree of the passages that are not set aside.

    Parameters
    ----------
    tree : ndarray of shape (n_passages - 1, 4)
    aside : ndarray of shape (n_passages,)
        Who is set aside; nobody where that would leave fewer passages than groups.
    n_auto : int
        Groups at which numbering starts, see `numbered_cut`.
    n_clusters : int
        Groups, at least 1.

    Returns
    -------
    ndarray of shape (n_passages,)
        Numbers as `numbered_cut` gives them; -1 for those set aside.
    """
    kept = np.flatnonzero(~aside)
    if len(kept) < n_clusters:
        kept = np.arange(len(aside))
    labels = np.full(len(aside), OTHER_PASSAGES, dtype=np.int64)
    n_clusters, anchor = min(n_clusters, len(kept)), min(n_auto, len(kept))
    labels[kept] = numbered_cut(prune(tree, kept), n_clusters, anchor)
    return labels


def settled_strengths(scores: FloatArray, labels: IntArray, strengths: FloatArray) -> FloatArray:
    """Measure the strength of the passages in groups among themselves.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    labels : ndarray of shape (n_passages,)
    strengths : ndarray of shape (n_passages,)
        Taken over for the passages that are set aside.

    Returns
    -------
    ndarray of shape (n_passages,)
        -1 to 1; higher fits better.
    """
    kept = np.flatnonzero(labels != OTHER_PASSAGES)
    strengths = strengths.copy()
    strengths[kept] = passage_strengths(scores[np.ix_(kept, kept)], labels[kept])
    return strengths
