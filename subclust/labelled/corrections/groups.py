"""Who is in which group while edits are applied one after the other."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from subclust.core.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, SubtopicMap
from subclust.labelled.corrections.edits import (
    Edit,
    GroupRef,
    Judge,
    Merge,
    Move,
    Rename,
    Separate,
    Split,
)
from subclust.labelled.corrections.names import free_name
from subclust.labelled.corrections.told import Told

MISSING = {
    "move": "Move to “{group}”: {missing} of {count} passages are not among these hits.",
    "separate": "New group “{group}”: {missing} of {count} passages are not among these hits.",
    "split": "Split of “{group}”: {missing} of {count} passages are not among these hits.",
    "accepted": "Accepted: {missing} of {count} passages are not among these hits.",
    "unsure": "Unsure: {missing} of {count} passages are not among these hits.",
    "none": "Mark taken back: {missing} of {count} passages are not among these hits.",
}
NO_GROUP = {
    "move": "Nothing was moved to “{group}”, since no group here holds most of what was in it.",
    "merge": "“{group}” was not merged, since no group here holds most of what was in it.",
    "rename": "“{group}” got no other name, since no group here holds most of what was in it.",
}
ELSEWHERE = "Accepted passages that are in another group here: {count}; they count as not accepted."
RENUMBERED = "Another group is called “{name}” here, so the name has a number."


class Groups:
    """Groups as sets of passage ids.

    Attributes
    ----------
    where : dict of str to int
        The group of each passage.
    names : dict of int to str
        Of each group, also of those that have ended.
    judgements : dict of str to {"placed", "accepted", "unsure"}
        What a person has said of passages.
    """

    def __init__(self, subtopics: SubtopicMap) -> None:
        self.where: dict[str, int] = {
            member.passage.id: group.id
            for group in subtopics.subtopics
            for member in group.passages
        }
        self.names: dict[int, str] = {group.id: group.name for group in subtopics.subtopics}
        self.judgements: dict[str, Literal["placed", "accepted", "unsure"]] = {}
        self._places: dict[int, tuple[int, ...]] = {id: (id,) for id in self.names}

    def members(self, group: int) -> set[str]:
        """Return the passages of a group."""
        return {one for one, where in self.where.items() if where == group}

    def order(self) -> list[int]:
        """List the groups that have passages, each behind the one it came from, -1 last."""
        there = set(self.where.values())
        return sorted(there, key=lambda id: (id == OTHER_PASSAGES, self._places.get(id, ())))

    def apply(self, edit: Edit) -> Iterator[Told]:
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

    def _move(self, edit: Move) -> Iterator[Told]:
        target = self._find(edit.to)
        if target is None:
            yield _no_group("move", edit.to)
            return
        here = self._here(edit.passages)
        yield from _missing("move", edit.passages, here, edit.to.name)
        self._put(here, target)

    def _separate(self, edit: Separate) -> Iterator[Told]:
        here = self._here(edit.passages)
        yield from _missing("separate", edit.passages, here, edit.name)
        if here:
            yield from self._found(edit.name, here)
            self._judged(here)

    def _merge(self, edit: Merge) -> Iterator[Told]:
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

    def _split(self, edit: Split) -> Iterator[Told]:
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

    def _rename(self, edit: Rename) -> Iterator[Told]:
        group = self._find(edit.group)
        if group is None:
            yield _no_group("rename", edit.group)
        else:
            yield from self._name(group, edit.name)

    def _judge(self, edit: Judge) -> Iterator[Told]:
        here = self._here(edit.passages)
        yield from _missing(edit.mark, edit.passages, here)
        if edit.mark == "accepted":
            found = {self._find(group) for group in edit.groups}
            inside = [one for one in here if self.where[one] in found]
            if len(inside) < len(here):
                yield Told(ELSEWHERE, {"count": len(here) - len(inside)})
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

    def _found(self, name: str, passages: list[str]) -> Iterator[Told]:
        """Start a group with passages."""
        sources = {self.where[one] for one in passages}
        new = max(max(self.names, default=-1), -1) + 1
        # "Other passages" may have come to be by an edit, and then has no place of its own.
        came_from = self._places.get(sources.pop(), ()) if len(sources) == 1 else ()
        if came_from == (OTHER_PASSAGES,):
            came_from = ()
        self._places[new] = (*came_from, new)
        self.names[new] = ""
        for one in passages:
            self.where[one] = new
        yield from self._name(new, name)

    def _name(self, group: int, name: str) -> Iterator[Told]:
        there = set(self.where.values())
        taken = [self.names[other] for other in there if other != group]
        self.names[group] = free_name(name, taken)
        if self.names[group] != name:
            yield Told(RENUMBERED, {"name": name})


def _missing(
    kind: str, passages: Sequence[str], here: Sequence[str], group: str = ""
) -> Iterator[Told]:
    if missing := len(passages) - len(here):
        values: dict[str, str | int] = {"missing": missing, "count": len(passages)}
        yield Told(MISSING[kind], values | {"group": group})


def _no_group(kind: str, group: GroupRef) -> Told:
    return Told(NO_GROUP[kind], {"group": group.name})
