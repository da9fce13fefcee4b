"""Who may change what: asked by every store before a change, and by pages before they offer it."""

import ipaddress
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

from subclust.core import audit
from subclust.core.exceptions import NotAllowedError, ReadOnlyError, SettingsError
from subclust.core.messages import N_, Message
from subclust.core.storage.damaged import typed

Thing = Literal["session", "corrections", "library", "passages", "themes", "set", "job", "model"]
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
    "library": Role.CURATOR,
    "passages": Role.CURATOR,
    "themes": Role.CURATOR,
    "set": Role.CURATOR,
    "job": Role.CURATOR,
    "model": Role.ADMINISTRATOR,
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
    role : Role
    """

    name: str
    role: Role


LOCAL = Person("", Role.ADMINISTRATOR)
"""Whoever uses Subclust on this computer: by commands, in Python, in an app without accounts."""

STRANGER = Person("", Role.NOBODY)
"""Whoever has not signed in."""

_identify: Callable[[], Person] | None = None
_forbidden = False


def identify_by(identify: Callable[[], Person]) -> None:
    """Have a function say who acts, from now on, for as long as this process lives."""
    global _identify
    _identify = identify


def acting() -> Person:
    """Return who acts: somebody who signed in or, where nobody can, whoever is at the computer."""
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


def check_may_change(thing: Thing | None = None, name: str = "") -> None:
    """Refuse a change that may not be made; note one that may where there is an audit log.

    Parameters
    ----------
    thing : str, optional
        Its kind; without one only a process that is read-only refuses.
    name : str
        Of the thing, for the audit log.

    Raises
    ------
    ReadOnlyError
        If this process takes no changes.
    NotAllowedError
        If who acts has not the role that it takes.
    """
    if _forbidden:
        raise ReadOnlyError(
            "Nothing can be changed here, since this server only shows what there is; ask whoever "
            "runs it."
        )
    if thing is None:
        return
    person = acting()
    allowed = person.role >= NEEDED[thing]
    audit.note(person.name, "change" if allowed else "refused", thing, name)
    if not allowed:
        raise NotAllowedError(refusal(thing))


def may_see(owner: str, *, shared: bool = False) -> bool:
    """Return whether who acts may see what somebody made.

    Parameters
    ----------
    owner : str
        Name of who made it; "" where nobody had signed in, which is everybody's.
    shared : bool
        Whether its owner lets everybody see it.
    """
    person = acting()
    return shared or person == LOCAL or owner in ("", person.name)


def check_owner(owner: str) -> None:
    """Refuse a change of what belongs to somebody else.

    Raises
    ------
    NotAllowedError
    """
    if not may_see(owner):
        raise NotAllowedError("This belongs to {owner}, who alone can change it.", owner=owner)


def refusal(thing: Thing) -> str:
    """Return the sentence that says who may change a thing of some kind."""
    return _REFUSALS[NEEDED[thing]]


@dataclass(frozen=True)
class TrustedHeader:
    """A header in which a proxy says who asks.

    Parameters
    ----------
    name : str
        Such as ``"X-Remote-User"``.
    proxies : tuple of str
        Addresses of the machines that are believed; from all others the header is taken away.
    """

    name: str
    proxies: tuple[str, ...]


@dataclass(frozen=True)
class Accounts:
    """How people sign in to the app, and what each may do.

    Parameters
    ----------
    administrators, curators : tuple of str
        Names, as the sign-in tells them; everybody else who signs in is a reader.
    claim : str
        Claim of OpenID Connect whose value or values hold ``"administrator"`` or ``"curator"``.
    header : TrustedHeader, optional
        Instead of OpenID Connect.
    file : Path, optional
        That they were read from; its section ``[auth]`` is that of Streamlit's ``st.login``.
    """

    administrators: tuple[str, ...] = ()
    curators: tuple[str, ...] = ()
    claim: str = ""
    header: TrustedHeader | None = None
    file: Path | None = field(default=None, compare=False)

    def person(self, name: str, claims: Mapping[str, Any] | None = None) -> Person:
        """Return somebody with the role that the lists or their claims give; "" is nobody."""
        if not name:
            return STRANGER
        told = (claims or {}).get(self.claim, ()) if self.claim else ()
        told = (told,) if isinstance(told, str) else told if isinstance(told, list) else ()
        own = name.casefold()
        for role, names in (
            (Role.ADMINISTRATOR, self.administrators),
            (Role.CURATOR, self.curators),
        ):
            if own in map(str.casefold, names) or role.name.lower() in told:
                return Person(name, role)
        return Person(name, Role.READER)


_AUTH = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_LEAST_SECRET = 32


def read_accounts(file: Path) -> Accounts:
    """Read how people sign in.

    Parameters
    ----------
    file : Path
        TOML with a section ``[auth]`` for OpenID Connect, or ``[header]`` with ``name`` and
        ``proxies``; and perhaps ``[roles]`` with ``administrators``, ``curators`` and ``claim``.

    Raises
    ------
    SettingsError
        If it cannot be read, or lacks something.
    """

    def wrong(what: str, **values: object) -> SettingsError:
        return SettingsError(
            "The accounts in {file} cannot be used: {what}", file=file, what=Message(what, **values)
        )

    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise wrong("{error}.", error=(error.strerror or str(error)).lower()) from error
    except ValueError as error:
        raise wrong("{error}.", error=error) from error
    roles, auth, header = (found.get(name) for name in ("roles", "auth", "header"))
    if (auth is None) == (header is None):
        raise wrong(N_("give either [auth], for OpenID Connect, or [header], for a proxy."))
    try:
        accounts = typed(Accounts, {**(roles or {}), "header": header, "file": file})
    except (ValueError, TypeError) as error:
        raise wrong("{error}.", error=error) from error
    if header is None:
        given = auth if isinstance(auth, dict) else {}
        missing = [key for key in _AUTH if not (isinstance(given.get(key), str) and given[key])]
        if missing:
            raise wrong(N_("[auth] lacks {missing}."), missing=", ".join(missing))
        if len(given["cookie_secret"]) < _LEAST_SECRET:
            raise wrong(
                N_("the cookie_secret needs at least {count} characters, drawn at random."),
                count=_LEAST_SECRET,
            )
    for address in accounts.header.proxies if accounts.header else ():
        try:
            ipaddress.ip_address(address)
        except ValueError as error:
            raise wrong(N_("{address!r} is no IP address."), address=address) from error
    return accounts
