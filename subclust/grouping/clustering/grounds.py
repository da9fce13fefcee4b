"""What a fitted clusterer's groups rest on, and every cut that it allows."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import OTHER_PASSAGES, FloatArray, Grounds, IntArray
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.settled import settled_labels, settled_strengths


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
        As `cut_labels` gives them.
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
