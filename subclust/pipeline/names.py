"""Names of groups: by which namer, and how they stay from one number of groups to the next."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import Grounds, IntArray, Query
from subclust.core.records.terms import Vocabulary
from subclust.core.settings import Settings
from subclust.grouping.clustering.grounds import cut_labels
from subclust.grouping.naming import HeadingNamer, LanguageModelNamer, SubtopicNamer
from subclust.labelled.llm.labeller import endpoint_of
from subclust.pipeline.placing import once
from subclust.text.encoders import Encoder, reading, remembering


def heading_namer(encoder: Encoder, vocabulary: Vocabulary | None = None) -> HeadingNamer:
    """Make the default namer over a library's encoder; what it encodes is kept in memory alone."""
    reader = reading(encoder)
    return HeadingNamer(
        remembering(encoder, reader).encode, encoder.name, reader.encode_asked, vocabulary
    )


def choose_namer(
    settings: Settings, encoder: Encoder, vocabulary: Vocabulary | None = None
) -> SubtopicNamer:
    """Make the namer that the settings name, with the terms of a library.

    Raises
    ------
    SettingsError
        If it is a language model and none is set.
    """
    if settings.names == "words":
        return HeadingNamer(vocabulary=vocabulary)
    namer = heading_namer(encoder, vocabulary)
    if settings.names == "headings":
        return namer
    endpoint = endpoint_of(settings, timeout=20.0, n_retries=0)
    return LanguageModelNamer(lambda prompt: endpoint.ask(prompt).text, namer)


def names_of_cut(
    grounds: Grounds, n_clusters: int, namer: SubtopicNamer, query: Query, texts: Sequence[str]
) -> dict[int, str]:
    """Name the groups of a cut; one that stays from a cut to the next keeps its name.

    Named is first the automatic number of groups, then step by step towards the number asked for,
    so that the names do not depend on what was looked at before.

    Parameters
    ----------
    grounds : Grounds
        With a tree. Names that were found for it are used again.
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
    names: dict[int, dict[int, str]] = once(grounds, "names", dict)
    number = grounds.n_auto
    before = cut_labels(grounds, number)
    if number not in names:
        names[number] = namer.name(query, texts, before)
    step = 1 if n_clusters > number else -1
    while number != n_clusters:
        number += step
        labels = cut_labels(grounds, number)
        if number not in names:
            names[number] = _renamed(namer, query, texts, before, names[number - step], labels)
        before = labels
    return names[n_clusters]


def _renamed(
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
