"""Who may change what: asked by every store before a change, and by pages before they offer it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, Protocol

from subclust.core import audit
from subclust.core.exceptions import InputError, NotAllowedError, ReadOnlyError
from subclust.core.messages import N_
from subclust.core.storage.presence import check_there

Thing = Literal[
    "session",
    "corrections",
    "token",
    "library",
    "passages",
    "themes",
    "set",
    "job",
    "model",
    "person",
]
"""What can be changed."""


class Role(IntEnum):
    """What somebody may do; each role may do what those below it may."""

    NOBODY = 0
    READER = 1
    CURATOR = 2
    ADMINISTRATOR = 3


NEEDED: Mapping[Thing, Role] = {
    "session": Role.READER,
    "corrections": Role.READER,
    "token": Role.READER,
    "library": Role.CURATOR,
    "passages": Role.CURATOR,
    "themes": Role.CURATOR,
    "set": Role.CURATOR,
    "job": Role.CURATOR,
    "model": Role.ADMINISTRATOR,
    "person": Role.ADMINISTRATOR,
}
"""The role that a change takes."""

_REFUSALS = {
    Role.READER: N_("Sign in to change this."),
    Role.CURATOR: N_("Only curators and administrators can change this."),
    Role.ADMINISTRATOR: N_("Only administrators can change this."),
}


@dataclass(frozen=True)
class Person:
    """Somebody who acts.

    Parameters
    ----------
    name : str
        By which the sign-in knows them, such as an e-mail address; "" on one's own computer.
    teams : tuple of str
        That they belong to.
    """

    name: str
    role: Role
    teams: tuple[str, ...] = ()


class Owned(Protocol):
    """What somebody made and may share."""

    @property
    def owner(self) -> str:
        """Name of who made it; "" where nobody had signed in, which is everybody's."""
        ...

    @property
    def shared(self) -> bool:
        """Whether everybody who signs in may see it."""
        ...

    @property
    def team(self) -> str:
        """Team whose members may see it, too; "" for none."""
        ...


LOCAL = Person("", Role.ADMINISTRATOR)
"""Whoever uses Subclust on this computer: by commands, in Python, in an app without accounts."""

STRANGER = Person("", Role.NOBODY)
"""Whoever has not signed in."""

_identify: Callable[[], Person] | None = None
_forbidden = False
_acting: ContextVar[Person | None] = ContextVar("acting", default=None)


def identify_by(identify: Callable[[], Person]) -> None:
    """Have a function say who acts, from now on, for as long as this process lives."""
    global _identify
    _identify = identify


@contextmanager
def acting_as(person: Person) -> Iterator[None]:
    """Have somebody act within a block, whoever else would.

    Threads and tasks that take a copy of the context, as those of anyio and Starlette do, have the
    same person act. Other threads do not.
    """
    token = _acting.set(person)
    try:
        yield
    finally:
        _acting.reset(token)


def acting() -> Person:
    """Return who acts: whom a block names, else who signed in, else whoever is at the computer."""
    person = _acting.get()
    if person is not None:
        return person
    return LOCAL if _identify is None else _identify()


def forbid_changes() -> None:
    """Have every change refused from now on, for as long as this process lives."""
    global _forbidden
    _forbidden = True


def is_read_only() -> bool:
    """Return whether this process takes no change from anybody."""
    return _forbidden


def may_change(thing: Thing) -> bool:
    """Return whether who acts may change a thing of some kind."""
    return not _forbidden and acting().role >= NEEDED[thing]


def check_may_change(
    thing: Thing | None = None, name: str = "", did: str = "change", to: str = ""
) -> None:
    """Refuse a change that may not be made; note one that may where there is an audit log.

    Parameters
    ----------
    thing : str, optional
        Its kind; without one only a process that is read-only refuses.
    name : str
        Of the thing, for the audit log.
    did, to : str
        What the audit log says that somebody did, and for whom; see `subclust.core.audit.note`.
        Where `did` is empty only a refusal is noted, since more is to be checked.

    Raises
    ------
    ReadOnlyError
        If this process takes no changes.
    NotAllowedError
        If who acts has not the role that it takes.
    StorageError
        If the data folder is gone.
    """
    if _forbidden:
        raise ReadOnlyError(
            "This server is read-only, so nothing can be changed here; ask whoever runs it."
        )
    check_there()
    if thing is None:
        return
    person = acting()
    allowed = person.role >= NEEDED[thing]
    if did or not allowed:
        audit.note(person.name, did if allowed else "refused", thing, name, to)
    if not allowed:
        raise NotAllowedError(refusal(thing))


def may_see(owner: str, *, shared: bool = False, team: str = "") -> bool:
    """Return whether who acts may see what somebody made."""
    person = acting()
    mine = person == LOCAL or owner in ("", person.name)
    return mine or shared or (team != "" and team in person.teams)


def may_open(thing: Owned) -> bool:
    """Return whether who acts may see something: their own, everybody's, shared with them."""
    return may_see(thing.owner, shared=thing.shared, team=thing.team)


def check_owner(owner: str) -> None:
    """Refuse a change of what belongs to somebody else.

    Raises
    ------
    NotAllowedError
    """
    if not may_see(owner):
        raise NotAllowedError("This belongs to {owner}, who alone can change it.", owner=owner)


def check_sharing(owner: str, team: str) -> None:
    """Refuse to share what is somebody else's, or with a team that one does not belong to.

    Raises
    ------
    NotAllowedError
    InputError
    """
    check_owner(owner)
    person = acting()
    if team and person != LOCAL and team not in person.teams:
        raise InputError("You do not belong to a team {team!r}.", team=team)


def shared_with(thing: Owned) -> str:
    """Return with whom something is shared, for the audit log."""
    return "everybody" if thing.shared else thing.team or "nobody"


def refusal(thing: Thing) -> str:
    """Return the sentence that says who may change a thing of some kind."""
    return _REFUSALS[NEEDED[thing]]
