"""Edits applied to groups: the same, or those of fresh hits."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic, SubtopicMap
from subclust.labelled.corrections.edits import Edit
from subclust.labelled.corrections.groups import Groups
from subclust.labelled.corrections.told import Told

Judgement = Literal["placed", "accepted", "unsure"]
"""What a person has said of a passage: put it where it is, accepted it there, is unsure."""

Measure = Callable[[Mapping[str, int]], Mapping[str, float]]
"""Gives each passage, by its id, the strength it has in the group it is in, -1 to 1."""


@dataclass(frozen=True)
class Unmet:
    """What of an edit could not be done.

    Parameters
    ----------
    number : int
        Of the edit, from 1.
    told : Told
        One sentence.
    """

    number: int
    told: Told


@dataclass(frozen=True)
class Corrected:
    """Groups after all edits.

    Parameters
    ----------
    subtopics : SubtopicMap
        Every passage is in exactly one group; groups that no edit changed are what they were.
    judgements : mapping of str to {"placed", "accepted", "unsure"}
        Of the passages that a person has said something of, by id.
    unmet : tuple of Unmet
        In the order of the edits; empty where all of them could be done.
    """

    subtopics: SubtopicMap
    judgements: Mapping[str, Judgement]
    unmet: tuple[Unmet, ...] = ()


def replay(
    subtopics: SubtopicMap, edits: Sequence[Edit], *, measure: Measure | None = None
) -> Corrected:
    """Apply edits, the oldest first.

    Passages are found by id. A group of which an edit speaks is the one that holds more than half
    of the passages it had, as far as they are there: on the groups that the edits were made on it
    is that group, and on others at most one. A new group takes the next free id, and stands behind
    the group that its passages came from. A group whose last passage leaves it ends.

    Parameters
    ----------
    subtopics : SubtopicMap
        As a method made it; the order of its passages and groups does not matter.
    edits : sequence of Edit
    measure : callable, optional
        Measures the strengths in the groups that the edits changed; without it, each passage keeps
        the strength it had in the group that the method put it in.

    Returns
    -------
    Corrected
    """
    if not edits:
        return Corrected(subtopics, {})
    groups = Groups(subtopics)
    unmet = [
        Unmet(number, told)
        for number, edit in enumerate(edits, start=1)
        for told in groups.apply(edit)
    ]
    return Corrected(_collected(subtopics, groups, measure), dict(groups.judgements), tuple(unmet))


def _collected(subtopics: SubtopicMap, groups: Groups, measure: Measure | None) -> SubtopicMap:
    before = {group.id: group for group in subtopics.subtopics}
    members = {
        member.passage.id: member for group in subtopics.subtopics for member in group.passages
    }
    strengths = _strengths(before, groups, measure)
    after: list[Subtopic] = []
    for id in groups.order():
        ids = groups.members(id)
        old = before.get(id)
        if old is not None and ids == {member.passage.id for member in old.passages}:
            inside = _ordered(old.passages)
            after.append(replace(old, name=groups.names[id], passages=inside))
            continue
        inside = _ordered(
            replace(members[one], strength=strengths.get(one, members[one].strength)) for one in ids
        )
        quality = sum(one.strength for one in inside) / len(inside)
        after.append(Subtopic(id, groups.names[id], quality, inside))
    n_clusters = sum(group.id != OTHER_PASSAGES for group in after)
    source = subtopics.n_clusters_source if n_clusters == subtopics.n_clusters else "corrections"
    return replace(
        subtopics, subtopics=tuple(after), n_clusters=n_clusters, n_clusters_source=source
    )


def _strengths(
    before: Mapping[int, Subtopic], groups: Groups, measure: Measure | None
) -> Mapping[str, float]:
    """Measure again only where an edit has changed who is in a group."""
    was = {member.passage.id: id for id, group in before.items() for member in group.passages}
    if measure is None or was == groups.where:
        return {}
    return measure(groups.where)


def _ordered(members: Iterable[MappedPassage]) -> tuple[MappedPassage, ...]:
    """Put the most central first, as the pipeline does."""
    return tuple(sorted(members, key=lambda one: (-one.strength, one.rank, one.passage.id)))
