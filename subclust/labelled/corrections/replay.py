"""Edits applied to groups: the same, or those of fresh hits."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from subclust.core.messages import N_, Message
from subclust.core.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    MappedPassage,
    Subtopic,
    SubtopicMap,
)
from subclust.labelled.corrections.edits import (
    Edit,
    GroupRef,
    Judge,
    Merge,
    Move,
    Rename,
    Separate,
    Split,
    free_name,
)

_MISSING = {
    "move": N_("Move to “{group}”: {missing} of {count} passages are not among these hits."),
    "separate": N_("New group “{group}”: {missing} of {count} passages are not among these hits."),
    "split": N_("Split of “{group}”: {missing} of {count} passages are not among these hits."),
    "accepted": N_("Accepted: {missing} of {count} passages are not among these hits."),
    "unsure": N_("Unsure: {missing} of {count} passages are not among these hits."),
    "none": N_("Mark removed: {missing} of {count} passages are not among these hits."),
}

_NO_GROUP = {
    "move": N_("Nothing was moved to “{group}”, since no group here holds most of what was in it."),
    "merge": N_("“{group}” was not merged, since no group here holds most of what was in it."),
    "rename": N_("“{group}” was not renamed, since no group here holds most of what was in it."),
}

Judgement = Literal["placed", "accepted", "unsure"]
"""What a person has said of a passage: put it where it is, accepted it there, is unsure."""


Measure = Callable[[Mapping[str, int]], Mapping[str, float]]
"""Gives each passage, by its id, the strength it has in the group it is in, -1 to 1."""


class _Groups:
    """Groups as sets of passage ids."""

    def __init__(self, subtopics: SubtopicMap) -> None:
        self.where: dict[str, int] = {
            member.passage.id: group.id
            for group in subtopics.subtopics
            for member in group.passages
        }
        self.names: dict[int, str] = {group.id: group.name for group in subtopics.subtopics}
        self.judgements: dict[str, Judgement] = {}
        listed = sorted(subtopics.subtopics, key=lambda group: group.place)
        self._places: dict[int, tuple[int, ...]] = {
            group.id: (at if group.id != OTHER_PASSAGES else OTHER_PASSAGES,)
            for at, group in enumerate(listed)
        }

    def members(self, group: int) -> set[str]:
        """Return the passages of a group."""
        return {one for one, where in self.where.items() if where == group}

    def order(self) -> list[int]:
        """List the groups that have passages, each behind the one it came from, -1 last."""
        there = set(self.where.values())
        return sorted(there, key=lambda id: (id == OTHER_PASSAGES, self._places.get(id, ())))

    def apply(self, edit: Edit) -> Iterator[Message]:
        """Do an edit as far as possible, and tell what was not; it must be iterated over."""
        match edit:
            case Move():
                return self._move(edit)
            case Separate():
                return self._separate(edit)
            case Merge():
                return self._merge(edit)
            case Split():
                return self._split(edit)
            case Rename():
                return self._rename(edit)
            case Judge():
                return self._judge(edit)

    def _move(self, edit: Move) -> Iterator[Message]:
        target = self._find(edit.to)
        if target is None:
            yield _no_group("move", edit.to)
            return
        here = self._here(edit.passages)
        yield from _missing("move", edit.passages, here, edit.to.name)
        self._put(here, target)

    def _separate(self, edit: Separate) -> Iterator[Message]:
        here = self._here(edit.passages)
        yield from _missing("separate", edit.passages, here, edit.name)
        if here:
            yield from self._found(edit.name, here)
            self._judged(here)

    def _merge(self, edit: Merge) -> Iterator[Message]:
        target = self._find(edit.into)
        if target is None:
            yield _no_group("merge", edit.into)
            return
        for group in edit.groups:
            ending = self._find(group)
            if ending is None:
                yield _no_group("merge", group)
            elif ending != target:
                for one in self.members(ending):
                    self.where[one] = target
                self._judged(self._here(group.members))

    def _split(self, edit: Split) -> Iterator[Message]:
        parent = self._find(edit.group)
        passages = [one for part in edit.parts for one in part.passages]
        yield from _missing("split", passages, self._here(passages), edit.group.name)
        if parent is None:
            yield _no_group("rename", edit.group)
        else:
            yield from self._name(parent, edit.name)
        for part in edit.parts:
            here = self._here(part.passages)
            if here:
                yield from self._found(part.name, here)
                self._forget_accepted(here)

    def _rename(self, edit: Rename) -> Iterator[Message]:
        group = self._find(edit.group)
        if group is None:
            yield _no_group("rename", edit.group)
        else:
            yield from self._name(group, edit.name)

    def _judge(self, edit: Judge) -> Iterator[Message]:
        here = self._here(edit.passages)
        yield from _missing(edit.mark, edit.passages, here)
        if edit.mark == "accepted":
            found = {self._find(group) for group in edit.groups}
            inside = [one for one in here if self.where[one] in found]
            if len(inside) < len(here):
                yield Message(
                    "Accepted passages that are in another group here: {count}; they count as not "
                    "accepted.",
                    count=len(here) - len(inside),
                )
            here = inside
        for one in here:
            if edit.mark == "none":
                self.judgements.pop(one, None)
            else:
                self.judgements[one] = edit.mark

    def _find(self, group: GroupRef) -> int | None:
        """Find a group again: the one that holds more than half of what it had, as far as here."""
        if group.is_other:
            self.names.setdefault(OTHER_PASSAGES, OTHER_PASSAGES_NAME)
            return OTHER_PASSAGES
        here = self._here(group.members)
        counts = Counter(self.where[one] for one in here)
        found, n_members = counts.most_common(1)[0] if counts else (OTHER_PASSAGES, 0)
        return found if found != OTHER_PASSAGES and 2 * n_members > len(here) else None

    def _here(self, passages: Iterable[str]) -> list[str]:
        return [one for one in passages if one in self.where]

    def _put(self, passages: list[str], group: int) -> None:
        for one in passages:
            self.where[one] = group
        self._judged(passages)

    def _judged(self, passages: Iterable[str]) -> None:
        for one in passages:
            self.judgements[one] = "placed"

    def _forget_accepted(self, passages: Iterable[str]) -> None:
        for one in passages:
            if self.judgements.get(one) == "accepted":
                del self.judgements[one]

    def _found(self, name: str, passages: list[str]) -> Iterator[Message]:
        """Start a group with passages."""
        sources = {self.where[one] for one in passages}
        new = max(max(self.names, default=-1), -1) + 1
        # An edit may have made "other passages", which then have no place of their own.
        came_from = self._places.get(sources.pop(), ()) if len(sources) == 1 else ()
        if came_from == (OTHER_PASSAGES,):
            came_from = ()
        self._places[new] = (*came_from, new)
        self.names[new] = ""
        for one in passages:
            self.where[one] = new
        yield from self._name(new, name)

    def _name(self, group: int, name: str) -> Iterator[Message]:
        there = set(self.where.values())
        taken = [self.names[other] for other in there if other != group]
        self.names[group] = free_name(name, taken)
        if self.names[group] != name:
            yield Message(
                "Another group is called “{name}” here, so the name has a number.", name=name
            )


def _missing(
    kind: str, passages: Sequence[str], here: Sequence[str], group: str = ""
) -> Iterator[Message]:
    if missing := len(passages) - len(here):
        yield Message(_MISSING[kind], missing=missing, count=len(passages), group=group)


def _no_group(kind: str, group: GroupRef) -> Message:
    return Message(_NO_GROUP[kind], group=group.name)


@dataclass(frozen=True)
class Unmet:
    """What of an edit could not be done.

    Parameters
    ----------
    number : int
        Of the edit, from 1.
    told : Message
        One sentence.
    """

    number: int
    told: Message


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
    measure : callable, optional
        Measures the strengths in the groups that the edits changed; without it, each passage keeps
        the strength it had in the group that the method put it in.
    """
    if not edits:
        return Corrected(subtopics, {})
    groups = _Groups(subtopics)
    unmet = [
        Unmet(number, told)
        for number, edit in enumerate(edits, start=1)
        for told in groups.apply(edit)
    ]
    return Corrected(_collected(subtopics, groups, measure), dict(groups.judgements), tuple(unmet))


def _collected(subtopics: SubtopicMap, groups: _Groups, measure: Measure | None) -> SubtopicMap:
    before = {group.id: group for group in subtopics.subtopics}
    members = subtopics.members
    strengths = _strengths(before, groups, measure)
    terms = {group.name: group.term for group in subtopics.subtopics}
    after: list[Subtopic] = []
    for id in groups.order():
        name = groups.names[id]
        ids = groups.members(id)
        old = before.get(id)
        if old is not None and ids == {member.passage.id for member in old.passages}:
            inside = _ordered(old.passages)
            after.append(replace(old, name=name, passages=inside, term=terms.get(name)))
            continue
        inside = _ordered(
            replace(members[one], strength=strengths.get(one, members[one].strength)) for one in ids
        )
        quality = sum(one.strength for one in inside) / len(inside)
        after.append(Subtopic(id, name, quality, inside, terms.get(name)))
    n_clusters = sum(group.id != OTHER_PASSAGES for group in after)
    source = subtopics.n_clusters_source if n_clusters == subtopics.n_clusters else "corrections"
    return replace(
        subtopics, subtopics=tuple(after), n_clusters=n_clusters, n_clusters_source=source
    )


def _strengths(
    before: Mapping[int, Subtopic], groups: _Groups, measure: Measure | None
) -> Mapping[str, float]:
    """Measure again only where an edit has changed who is in a group."""
    was = {member.passage.id: id for id, group in before.items() for member in group.passages}
    if measure is None or was == groups.where:
        return {}
    return measure(groups.where)


def _ordered(members: Iterable[MappedPassage]) -> tuple[MappedPassage, ...]:
    """Put the most central first, as the pipeline does."""
    return tuple(sorted(members, key=lambda one: (-one.strength, one.rank, one.passage.id)))
