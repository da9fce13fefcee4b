"""What a person can do to groups. Each edit is a frozen record of ids, never of positions.

An edit names the passages it is about, and every group by the passages that it had, so that it can
be applied again to other hits, or to the groups of another method; see `.replay`.
"""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Literal

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES_NAME
from subclust.core.storage.damaged import typed

_LONGEST_NAME = 80


Mark = Literal["accepted", "unsure", "none"]
"""What a person says of passages where they are; ``"none"`` takes it back."""


def comparable(name: str) -> str:
    """Return a name without the differences that nobody means: capitals, blanks, accents' form."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def checked_name(name: str, taken: Collection[str]) -> str:
    """Tidy the blanks of a name that somebody gave to a group.

    Raises
    ------
    InputError
        If it is empty or too long, has no letter, or another group has it.
    """
    tidy = " ".join(name.split())
    if not any(map(str.isalnum, tidy)) or not tidy.isprintable():
        raise InputError("A group needs a name with letters or digits; type one.")
    if len(tidy) > _LONGEST_NAME:
        raise InputError(
            "The name has {count} characters and may have {longest_name}; shorten it.",
            count=len(tidy),
            longest_name=_LONGEST_NAME,
        )
    if comparable(tidy) in {comparable(other) for other in (*taken, OTHER_PASSAGES_NAME)}:
        raise InputError(
            "Another group is called “{tidy}” already; choose another name.", tidy=tidy
        )
    return tidy


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number where it is taken."""
    used = {comparable(other) for other in (*taken, OTHER_PASSAGES_NAME)}
    candidates = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(one for one in candidates if comparable(one) not in used)


@dataclass(frozen=True)
class GroupRef:
    """A group as it was when somebody pointed at it.

    Parameters
    ----------
    name : str
        Then.
    members : tuple of str
        Ids of its passages then, sorted; empty for "other passages", which is always there.
    """

    name: str
    members: tuple[str, ...] = ()

    @property
    def is_other(self) -> bool:
        """Whether it stands for "other passages"."""
        return not self.members


@dataclass(frozen=True)
class Move:
    """Passages go to a group, or to "other passages".

    Parameters
    ----------
    passages : tuple of str
        Their ids, sorted; at least one.
    """

    passages: tuple[str, ...]
    to: GroupRef


@dataclass(frozen=True)
class Separate:
    """Passages, of one group or of several, become a group of their own.

    Parameters
    ----------
    passages : tuple of str
        Their ids, sorted; at least one.
    name : str
        Of the new group.
    """

    passages: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Merge:
    """Groups become one; it keeps id, name and colour of the one they are merged into.

    Parameters
    ----------
    groups : tuple of GroupRef
        That end; at least one.
    """

    groups: tuple[GroupRef, ...]
    into: GroupRef


@dataclass(frozen=True)
class Part:
    """What a split takes out of a group.

    Parameters
    ----------
    name : str
        Of the new group.
    passages : tuple of str
        Their ids, sorted; at least one.
    """

    name: str
    passages: tuple[str, ...]


@dataclass(frozen=True)
class Split:
    """A group falls into parts that the model proposed; what is in no part stays.

    The proposal is part of the record, so that no model is needed to do it again.

    Parameters
    ----------
    group : GroupRef
        Keeps its id and colour.
    name : str
        That it has from then on.
    parts : tuple of Part
        At least one.
    """

    group: GroupRef
    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Rename:
    """A group has another name."""

    group: GroupRef
    name: str


@dataclass(frozen=True)
class Judge:
    """A person accepts passages where they are, is unsure about them, or takes that back.

    Parameters
    ----------
    passages : tuple of str
        Their ids, sorted; at least one.
    mark : {"accepted", "unsure", "none"}
    groups : tuple of GroupRef
        Where the passages were then.
    """

    passages: tuple[str, ...]
    mark: Mark
    groups: tuple[GroupRef, ...]


Edit = Move | Separate | Merge | Split | Rename | Judge


@dataclass(frozen=True)
class History:
    """What a person has done, and what they have taken back and may do again.

    Parameters
    ----------
    done : tuple of Edit
        The oldest first.
    undone : tuple of Edit
        What `redo` does again, the next one last.
    """

    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()

    def do(self, edit: Edit) -> "History":
        """Add an edit; what was undone before can then not be done again."""
        return History((*self.done, edit))

    def undo(self) -> "History":
        """Take the last edit back; without one, nothing changes."""
        if not self.done:
            return self
        return History(self.done[:-1], (*self.undone, self.done[-1]))

    def redo(self) -> "History":
        """Do again what was taken back last; without that, nothing changes."""
        if not self.undone:
            return self
        return History((*self.done, self.undone[-1]), self.undone[:-1])


_KINDS: dict[str, type[Edit]] = {
    "move": Move,
    "separate": Separate,
    "merge": Merge,
    "split": Split,
    "rename": Rename,
    "judge": Judge,
}
"""By what an edit is called in JSON."""


def to_object(edit: Edit) -> dict[str, Any]:
    """Return an edit as JSON holds it; its ``"kind"`` says what it is."""
    kind = next(name for name, kind in _KINDS.items() if kind is type(edit))
    return {"kind": kind} | asdict(edit)


def from_object(value: Mapping[str, Any]) -> Edit:
    """Read what `to_object` wrote.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is something else.
    """
    if value["kind"] not in _KINDS:
        raise ValueError(f"there is no edit {value['kind']!r}")
    return typed(_KINDS[value["kind"]], value)
