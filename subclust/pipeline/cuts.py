"""The same groups made fewer or more, along the tree that they come from."""

import time
from dataclasses import replace

import numpy as np

from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.clustering.grounds import can_cut, cut_labels, cut_strengths
from subclust.grouping.naming import SubtopicNamer
from subclust.pipeline.expected import with_expected
from subclust.pipeline.names import names_of_cut
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
    members = subtopics.members
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
    cut = replace(
        subtopics,
        n_clusters=asked,
        n_clusters_source=grounds.source if n_clusters == "auto" else "user",
        subtopics=collect(
            in_order,
            names,
            labels,
            strengths,
            np.array([(member.x, member.y) for member in in_order], dtype=np.float32),
            namer.vocabulary,
        ),
        timings_ms=spent,
    )
    return with_expected(cut, subtopics.placed)
