"""Parts of subtopics, cut from the groups' tree, and numbers of groups that are stable."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    Grounds,
    MappedPassage,
    Query,
    StabilityCurve,
    SubtopicMap,
    SubtopicPart,
)
from subclust.grouping.clustering.average_link import Tree, average_link, cut_to, prune
from subclust.grouping.clustering.base import renumber
from subclust.grouping.clustering.cluster_count import mean_silhouettes
from subclust.grouping.clustering.stability_count import stability_along
from subclust.grouping.naming import SubtopicNamer

_MOST_PARTS = 4
"""Parts that a group is divided into at the most."""

_LEAST_TO_DIVIDE = 6
"""Passages that a group must have to be divided."""

_AS_STABLE = 0.05
"""Stability that a number of groups may lack of the best and still count as about as stable."""

_LEAST_STABLE = 0.2
"""Below it, no number of groups comes back when passages are left out."""


def has_tree(subtopics: SubtopicMap) -> bool:
    """Return whether the parts come from the tree of the groups, not a grouping of their own.

    Where a method has no tree, each group is divided by average link over its own pair scores.
    """
    return subtopics.grounds is not None and subtopics.grounds.tree is not None


def parts_of(
    subtopics: SubtopicMap, levels: int, namer: SubtopicNamer
) -> dict[int, tuple[SubtopicPart, ...]]:
    """Divide the groups of a map into parts, and these once more.

    A group has the number of parts, 2 to `_MOST_PARTS`, at which its passages fit their parts best
    on average (silhouette); none where they fit no division, or are fewer than `_LEAST_TO_DIVIDE`.

    Parameters
    ----------
    subtopics : SubtopicMap
        Corrected groups too: what counts is which passages they hold.
    levels : int
        2 for groups with parts, 3 for parts that have parts; 1 gives none.
    namer : SubtopicNamer

    Returns
    -------
    dict of int to tuple of SubtopicPart
        By group; groups that are not divided, and "other passages", are left out.
    """
    grounds = subtopics.grounds
    if grounds is None or levels < 2:
        return {}
    row_of = {one: row for row, one in enumerate(grounds.ids)}
    found = {}
    for group in subtopics.subtopics:
        if group.id == OTHER_PASSAGES:
            continue
        query = _without(subtopics.query, group.name)
        number = f"{group.id + 1}"
        members = [one for one in group.passages if one.passage.id in row_of]
        parts = _divide(grounds, row_of, members, number, query, levels - 1, namer)
        if parts:
            found[group.id] = parts
    return found


def _divide(
    grounds: Grounds,
    row_of: Mapping[str, int],
    members: Sequence[MappedPassage],
    number: str,
    query: Query,
    levels: int,
    namer: SubtopicNamer,
) -> tuple[SubtopicPart, ...]:
    if levels < 1 or len(members) < _LEAST_TO_DIVIDE:
        return ()
    scores, tree, members = _own_tree(grounds, row_of, members)
    fits = mean_silhouettes(tree, scores, _MOST_PARTS)
    # Not by rounding alone, as in `SilhouetteCount`.
    if not len(fits) or fits.max() <= 1e-9:
        return ()
    labels = renumber(cut_to(tree, int(fits.argmax()) + 2))
    names = namer.name(query, [one.passage.text for one in members], labels)
    parts = []
    for label, name in names.items():
        inside = [members[row] for row in np.flatnonzero(labels == label).tolist()]
        own = f"{number}.{label + 1}"
        further = _divide(grounds, row_of, inside, own, _without(query, name), levels - 1, namer)
        parts.append(SubtopicPart(own, name, tuple(inside), further))
    return tuple(parts)


def _own_tree(
    grounds: Grounds, row_of: Mapping[str, int], members: Sequence[MappedPassage]
) -> tuple[FloatArray, Tree, Sequence[MappedPassage]]:
    """Return the tree of some passages, their scores, and them in the order of its leaves.

    It is the whole tree without the others, where all of them are in it; else a tree of their own.
    """
    rows = [row_of[one.passage.id] for one in members]
    if grounds.tree is not None:
        leaf_of = {int(row): leaf for leaf, row in enumerate(grounds.leaves)}
        if all(row in leaf_of for row in rows):
            ordered = sorted(members, key=lambda one: leaf_of[row_of[one.passage.id]])
            kept = np.array(sorted(leaf_of[row] for row in rows), dtype=np.int64)
            scores = grounds.leaf_scores[np.ix_(kept, kept)]
            return scores, prune(grounds.tree, kept), ordered
    # By id, so that ties do not depend on the order in which the hits come.
    ordered = sorted(members, key=lambda one: one.passage.id)
    rows = [row_of[one.passage.id] for one in ordered]
    scores = grounds.scores[np.ix_(rows, rows)]
    return scores, average_link(scores), ordered


def _without(query: Query, name: str) -> Query:
    """Have names of parts leave out the words of what they are parts of."""
    return replace(query, words=f"{query.subject} {name}")


def stability_curve(grounds: Grounds | None, *, max_k: int = 20) -> StabilityCurve:
    """Group most of the passages again and again, and see which numbers of groups come back.

    Suggested is the largest number whose stability is within `_AS_STABLE` of the highest, since few
    groups are stable without telling much; none where the highest is below `_LEAST_STABLE`.

    Parameters
    ----------
    grounds : Grounds or None
        With a tree; otherwise the curve is empty.
    max_k : int
        Largest number tried.
    """
    if grounds is None or grounds.tree is None:
        return StabilityCurve((), (), None)
    kept = np.flatnonzero(~grounds.aside)
    scores = grounds.leaf_scores[np.ix_(kept, kept)]
    stability = stability_along(
        prune(grounds.tree, kept),
        scores,
        max_k=max_k,
        n_subsets=20,
        share=0.8,
        random_state=0,
    )
    numbers = tuple(range(2, 2 + len(stability)))
    suggested = None
    if len(stability) and stability.max() >= _LEAST_STABLE:
        suggested = numbers[int(np.flatnonzero(stability >= stability.max() - _AS_STABLE)[-1])]
    return StabilityCurve(numbers, tuple(float(value) for value in stability), suggested)
