"""Subtopics that somebody expects: each keeps a group of its name, and takes its passages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from subclust.core.records import MappedPassage, Ranking, Subtopic, SubtopicMap
from subclust.grouping.clustering.strength import passage_strengths
from subclust.grouping.naming.base import as_heading
from subclust.grouping.similarity.cosine import unit_rows
from subclust.text.encoders import Encoder
from subclust.text.retrieval.hit_words import word_vectors

NEAR, CENTRED = 0.2, 0.2
"""Least cosine of a passage with an expected subtopic, as it is and once the mean of the hits has
been taken out of both, unless it has all the words of it. Chosen on headings of
wiki2014_validation: lower ones find more, but also passages for headings of other articles."""


def find_expected(ranking: Ranking, expected: Sequence[str], encoder: Encoder) -> dict[str, str]:
    """Find the hits that are about subtopics somebody expects.

    Parameters
    ----------
    ranking : Ranking
    expected : sequence of str
    encoder : Encoder
        The library's.

    Returns
    -------
    dict of str to str
        By the id of a hit the expected subtopic that it is nearest to, written as a heading; hits
        that are near to none are not in it.
    """
    wanted = {as_heading(one.strip()).casefold(): as_heading(one.strip()) for one in expected}
    names = [name for name in wanted.values() if name]
    if not names or not ranking.hits:
        return {}
    texts = [passage.text for passage in ranking.passages]
    vectors = np.stack([encoder.encode_asked(name) for name in names])
    middle = ranking.embeddings.mean(axis=0)
    alike = ranking.embeddings @ vectors.T
    centred = unit_rows(ranking.embeddings - middle) @ unit_rows(vectors - middle).T
    held = np.column_stack([word_vectors(name, texts)[1] > 1 - 1e-6 for name in names])
    taken = (alike >= NEAR) & (centred >= CENTRED) | held
    best = np.where(taken, centred, -np.inf)
    return {
        hit.passage.id: names[int(row.argmax())]
        for hit, row in zip(ranking.hits, best, strict=True)
        if np.isfinite(row).any()
    }


def with_expected(subtopics: SubtopicMap, placed: Mapping[str, str]) -> SubtopicMap:
    """Return groups with those that are expected; nothing else is grouped anew.

    Parameters
    ----------
    subtopics : SubtopicMap
    placed : mapping of str to str
        As `find_expected` returns it.

    Returns
    -------
    SubtopicMap
        A group that has the name already keeps its passages; a group that loses all is gone.
    """
    if not placed:
        return subtopics
    ids = {group.name.casefold(): group.id for group in subtopics.subtopics}
    free = max(group.id for group in subtopics.subtopics) + 1
    names = {group.id: group.name for group in subtopics.subtopics}
    group_of = dict(subtopics.groups)
    for passage, name in placed.items():
        if name.casefold() not in ids:
            ids[name.casefold()], names[free] = free, name
            free += 1
        group_of[passage] = ids[name.casefold()]
    strengths = _strengths(subtopics, group_of)
    groups: dict[int, list[MappedPassage]] = {}
    for id_, member in subtopics.members.items():
        moved = replace(member, strength=strengths.get(id_, member.strength))
        groups.setdefault(group_of[id_], []).append(moved)
    terms = {group.id: group.term for group in subtopics.subtopics}
    order = [*(group.id for group in subtopics.subtopics if group.id >= 0)]
    order = [*order, *(one for one in names if one not in order and one >= 0), -1]
    shown = tuple(
        Subtopic(
            group,
            names[group],
            float(np.mean([member.strength for member in groups[group]])),
            tuple(sorted(groups[group], key=lambda one: (-one.strength, one.rank))),
            terms.get(group),
        )
        for group in order
        if group in groups
    )
    return replace(
        subtopics,
        subtopics=shown,
        n_clusters=sum(group.id >= 0 for group in shown),
        placed=placed,
    )


def unmet(subtopics: SubtopicMap) -> list[str]:
    """Return the expected subtopics that no passage is about."""
    found = {name.casefold() for name in subtopics.placed.values()}
    found |= {group.name.casefold() for group in subtopics.subtopics}
    return [one for one in subtopics.query.expected if one.strip().casefold() not in found]


def _strengths(subtopics: SubtopicMap, group_of: Mapping[str, int]) -> dict[str, float]:
    """Return how well each passage of a group fits it, by the scores that the groups rest on."""
    grounds = subtopics.grounds
    if grounds is None:
        return {}
    inside = [row for row, id_ in enumerate(grounds.ids) if group_of[id_] >= 0]
    labels = np.array([group_of[grounds.ids[row]] for row in inside], dtype=np.int64)
    _, labels = np.unique(labels, return_inverse=True)
    found = passage_strengths(grounds.scores[np.ix_(inside, inside)], labels)
    return {grounds.ids[row]: float(value) for row, value in zip(inside, found, strict=True)}
