"""What a person can do to groups. Each edit is a frozen record of ids, never of positions.

An edit names the passages it is about, and every group by the passages that it had, so that it can
be applied again to other hits, or to the groups of another method; see `.replay`.
"""

from dataclasses import dataclass
from typing import Literal

Mark = Literal["accepted", "unsure", "none"]
"""What a person says of passages where they are; ``"none"`` takes it back."""


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
    to : GroupRef
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
    into : GroupRef
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
    """A group has another name.

    Parameters
    ----------
    group : GroupRef
    name : str
    """

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
