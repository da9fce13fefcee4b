"""The same groups made fewer or more, along the tree that they come from."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from subclust.core.records import OTHER_PASSAGES, Grounds, IntArray, Query, SubtopicMap
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.clustering.grounds import can_cut, cut_labels, cut_strengths
from subclust.grouping.naming import SubtopicNamer
from subclust.pipeline.placing import collect


def recut(
    subtopics: SubtopicMap, n_clusters: NumberOfClusters, namer: SubtopicNamer
) -> SubtopicMap | None:
    """Return the same answer with another number of groups; nothing is compared again.

    One group more splits exactly one group; the others keep their passages, ids and names, and
    "other passages" stay.

    Parameters
    ----------
    subtopics : SubtopicMap
        As the pipeline gave it.
    n_clusters : int or "auto"
    namer : SubtopicNamer
        The one that the pipeline uses.

    Returns
    -------
    SubtopicMap or None
        The same as the pipeline gives for that number; None where there is no tree, or it has not
        so many groups.
    """
    grounds = subtopics.grounds
    if grounds is None:
        return None
    asked = grounds.n_auto if n_clusters == "auto" else int(n_clusters)
    if not can_cut(grounds, asked):
        return None
    if grounds.aside.any() and not any(one.id == OTHER_PASSAGES for one in subtopics.subtopics):
        return None  # So many groups that nobody is set aside, and how they fitted is not known.
    started = time.perf_counter()
    members = {one.passage.id: one for group in subtopics.subtopics for one in group.passages}
    in_order = [members[one] for one in grounds.ids]
    labels = cut_labels(grounds, asked)
    strengths = cut_strengths(grounds, labels, {m.passage.id: m.strength for m in in_order})
    grouped = time.perf_counter()
    texts = [member.passage.text for member in in_order]
    names = names_of_cut(grounds, asked, namer, subtopics.query, texts)
    named = time.perf_counter()
    spent = dict.fromkeys(subtopics.timings_ms, 0.0) | {
        "cluster": (grouped - started) * 1000,
        "name": (named - grouped) * 1000,
        "total": (named - started) * 1000,
    }
    return replace(
        subtopics,
        n_clusters=asked,
        n_clusters_source=grounds.source if n_clusters == "auto" else "user",
        subtopics=collect(
            [(member.passage, member.rank) for member in in_order],
            names,
            labels,
            strengths,
            np.array([(member.x, member.y) for member in in_order], dtype=np.float32),
        ),
        timings_ms=spent,
    )


def names_of_cut(
    grounds: Grounds, n_clusters: int, namer: SubtopicNamer, query: Query, texts: Sequence[str]
) -> dict[int, str]:
    """Name the groups of a cut; one that stays from a cut to the next keeps its name.

    Named is first the automatic number of groups, then step by step towards the number asked for,
    so that the names do not depend on what was looked at before.

    Parameters
    ----------
    grounds : Grounds
        With a tree; its `names` are filled.
    n_clusters : int
    namer : SubtopicNamer
    query : Query
    texts : sequence of str
        Of the passages, in the order of ``grounds.ids``.

    Returns
    -------
    dict of int to str
        One name a group, all different.
    """
    names, number = grounds.names, grounds.n_auto
    before = cut_labels(grounds, number)
    if number not in names:
        names[number] = namer.name(query, texts, before)
    step = 1 if n_clusters > number else -1
    while number != n_clusters:
        number += step
        labels = cut_labels(grounds, number)
        if number not in names:
            names[number] = renamed(namer, query, texts, before, names[number - step], labels)
        before = labels
    return names[n_clusters]


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
