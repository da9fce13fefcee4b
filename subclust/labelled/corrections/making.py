"""From what somebody points at to an edit; what cannot be done raises an `InputError`."""

from collections.abc import Iterable, Mapping, Sequence

from subclust.core.exceptions import InputError
from subclust.core.messages import N_
from subclust.core.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, Subtopic, SubtopicMap
from subclust.labelled.corrections.edits import (
    GroupRef,
    Judge,
    Mark,
    Merge,
    Move,
    Part,
    Rename,
    Separate,
    Split,
    checked_name,
    free_name,
)

_NOTHING = N_("Nothing is chosen; choose passages on the map, in the table or in the list first.")


def move(subtopics: SubtopicMap, passages: Iterable[str], to: int) -> Move:
    """Send passages to a group; -1 sends them to "other passages"."""
    where = subtopics.groups
    target = _reference(subtopics, to)
    chosen = _chosen(where, passages)
    moving = tuple(one for one in chosen if where[one] != to)
    if not moving:
        raise InputError(
            "The selection is already in “{file}”; choose another group or other passages.",
            file=target.name,
        )
    return Move(moving, target)


def separate(subtopics: SubtopicMap, passages: Iterable[str], name: str) -> Separate:
    """Make passages a group of their own."""
    where = subtopics.groups
    chosen = _chosen(where, passages)
    for group in subtopics.subtopics:
        if group.id != OTHER_PASSAGES and _ids(group) == chosen:
            raise InputError(
                "The selection is the whole group “{group}”; choose only part of it.",
                group=group.name,
            )
    return Separate(chosen, checked_name(name, _names(subtopics)))


def merge(subtopics: SubtopicMap, groups: Iterable[int], into: int) -> Merge:
    """Make several groups one."""
    ending = sorted(set(groups) - {into})
    if not ending:
        raise InputError("A group can be merged with another one only; choose that one too.")
    if OTHER_PASSAGES in (*ending, into):
        raise InputError(
            "“{other_passages_name}” cannot be merged; move its passages instead.",
            other_passages_name=OTHER_PASSAGES_NAME,
        )
    return Merge(tuple(_reference(subtopics, one) for one in ending), _reference(subtopics, into))


def split(subtopics: SubtopicMap, group: int, parts: Sequence[tuple[str, Sequence[str]]]) -> Split:
    """Let a group fall into parts.

    Parameters
    ----------
    parts : sequence of (str, sequence of str)
        Name and passage ids of each part, all passages of the group in exactly one. The largest
        stays in the group; of equally large ones the first.
    """
    whole = _reference(subtopics, group)
    filled = [(name, tuple(sorted(set(passages)))) for name, passages in parts if passages]
    ids = sorted(one for _, passages in filled for one in passages)
    if whole.is_other or len(filled) < 2 or ids != list(whole.members):
        raise InputError(
            "“{whole}” does not fall into parts; choose passages and make them a group.",
            whole=whole.name,
        )
    stays = max(range(len(filled)), key=lambda number: (len(filled[number][1]), -number))
    taken = _names(subtopics) - {whole.name}
    names = []
    for name, _ in filled:
        names.append(free_name(name, taken))
        taken.add(names[-1])
    others = tuple(
        Part(name, passages)
        for number, (name, (_, passages)) in enumerate(zip(names, filled, strict=True))
        if number != stays
    )
    return Split(whole, names[stays], others)


def rename(subtopics: SubtopicMap, group: int, name: str) -> Rename:
    """Rename a group."""
    named = _reference(subtopics, group)
    if named.is_other:
        raise InputError(
            "“{other_passages_name}” keeps its name; choose a group.",
            other_passages_name=OTHER_PASSAGES_NAME,
        )
    tidy = checked_name(name, _names(subtopics) - {named.name})
    if tidy == named.name:
        raise InputError("The group is called “{tidy}” already; type another name.", tidy=tidy)
    return Rename(named, tidy)


def judge(subtopics: SubtopicMap, passages: Iterable[str], mark: Mark) -> Judge:
    """Accept passages where they are, be unsure about them, or take that back."""
    where = subtopics.groups
    chosen = _chosen(where, passages)
    groups = sorted({where[one] for one in chosen})
    return Judge(chosen, mark, tuple(_reference(subtopics, one) for one in groups))


def _reference(subtopics: SubtopicMap, group: int) -> GroupRef:
    """Point at a group; -1 is always there."""
    if group == OTHER_PASSAGES:
        return GroupRef(OTHER_PASSAGES_NAME)
    for one in subtopics.subtopics:
        if one.id == group and one.passages:
            return GroupRef(one.name, _ids(one))
    raise InputError("The group is not there any more; choose another one.")


def _ids(group: Subtopic) -> tuple[str, ...]:
    return tuple(sorted(member.passage.id for member in group.passages))


def _names(subtopics: SubtopicMap) -> set[str]:
    return {group.name for group in subtopics.subtopics}


def _chosen(where: Mapping[str, int], passages: Iterable[str]) -> tuple[str, ...]:
    chosen = tuple(sorted({one for one in passages if one in where}))
    if not chosen:
        raise InputError(_NOTHING)
    return chosen
