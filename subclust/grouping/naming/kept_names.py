"""Names that stay while the groups are made fewer or more."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import IntArray, Query
from subclust.grouping.naming.base import SubtopicNamer


def renamed(
    namer: SubtopicNamer,
    query: Query,
    passages: Sequence[str],
    before: IntArray,
    names: Mapping[int, str],
    labels: IntArray,
) -> dict[int, str]:
    """Name the groups of a cut; one that has the same passages as before keeps its name.

    Parameters
    ----------
    namer : SubtopicNamer
    query : Query
    passages : sequence of str
        Texts, n_passages of them.
    before, labels : ndarray of shape (n_passages,)
        Groups of the cut before and of this one.
    names : mapping of int to str
        Of the groups of the cut before.

    Returns
    -------
    dict of int to str
        One name for each label that occurs, all different.
    """
    groups = np.unique(labels).tolist()
    kept = {
        group: names[group]
        for group in groups
        if group in names and np.array_equal(before == group, labels == group)
    }
    changed = [group for group in groups if group not in kept]
    new = namer.name(query, passages, labels, wanted=changed, taken=kept.values())
    return kept | new
