"""Names that stay while the groups are made fewer or more."""

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from subclust.naming.base import SubtopicNamer
from subclust.records import IntArray, Query


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
    found = namer.name(query, passages, labels)
    result = {
        group: names[group]
        for group in found
        if group in names and np.array_equal(before == group, labels == group)
    }
    taken = {name.casefold() for name in result.values()}
    for group, name in found.items():
        if group in result:
            continue
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        result[group] = next(one for one in numbered if one.casefold() not in taken)
        taken.add(result[group].casefold())
    return result
