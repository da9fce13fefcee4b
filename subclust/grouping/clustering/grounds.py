"""What a fitted clusterer's groups rest on, and every cut that it allows."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import OTHER_PASSAGES, BoolArray, FloatArray, Grounds, IntArray
from subclust.grouping.clustering.average_link import Tree, cut_to, numbered_cut, prune
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.strength import other_passages, passage_strengths


def grounds_of(clusterer: SubtopicClusterer, ids: Sequence[str]) -> Grounds | None:
    """Keep what a fitted clusterer's groups rest on.

    Parameters
    ----------
    clusterer : SubtopicClusterer
        Fitted.
    ids : sequence of str
        Of the passages that it was fitted on, in their order.

    Returns
    -------
    Grounds or None
        None where it did not score all pairs.
    """
    scores = clusterer.scores_
    if scores is None:
        return None
    if clusterer.tree_ is None:
        none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        empty = np.zeros((0, 0), dtype=np.float32)
        source = clusterer.n_clusters_source_
        return Grounds(tuple(ids), scores, None, none, empty, nobody, clusterer.n_clusters_, source)
    return Grounds(
        ids=tuple(ids),
        scores=scores,
        tree=clusterer.tree_,
        leaves=clusterer.leaves_,
        leaf_scores=clusterer.leaf_scores_,
        aside=clusterer.aside_,
        n_auto=clusterer.n_auto_,
        source=clusterer.n_auto_source_,
    )


def can_cut(grounds: Grounds | None, n_clusters: int) -> bool:
    """Return whether a tree is there that has so many groups."""
    return grounds is not None and grounds.tree is not None and n_clusters <= len(grounds.leaves)


def cut_labels(grounds: Grounds, n_clusters: int) -> IntArray:
    """Cut the tree to a number of groups; the same passages are set aside in each cut.

    Parameters
    ----------
    grounds : Grounds
        With a tree.
    n_clusters : int
        From 1 to the number of leaves.

    Returns
    -------
    ndarray of shape (n_passages,)
        In the order of ``grounds.ids``, numbered as `numbered_cut` does; -1 for those set aside.
    """
    assert grounds.tree is not None
    labels = np.full(len(grounds.ids), OTHER_PASSAGES, dtype=np.int64)
    labels[grounds.leaves] = settled_labels(grounds.tree, grounds.aside, grounds.n_auto, n_clusters)
    return labels


def cut_strengths(grounds: Grounds, labels: IntArray, strengths: Mapping[str, float]) -> FloatArray:
    """Measure how well each passage fits its group in a cut.

    Parameters
    ----------
    grounds : Grounds
        With a tree.
    labels : ndarray of shape (n_passages,)
        As `cut_labels` returns them.
    strengths : mapping of str to float
        By passage, taken over for those that are set aside.

    Returns
    -------
    ndarray of shape (n_passages,)
        -1 to 1; higher fits better.
    """
    rows = grounds.leaves
    fits = np.array([strengths.get(one, 0.0) for one in grounds.ids], dtype=np.float32)
    fits[rows] = settled_strengths(grounds.leaf_scores, labels[rows], fits[rows])
    return fits


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
        Numbers as `numbered_cut` returns them; -1 for those set aside.
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
