"""How people sign in, and what each may do: read from one file."""

import ipaddress
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from subclust.core import audit
from subclust.core.access import STRANGER, Person, Role
from subclust.core.exceptions import SettingsError
from subclust.core.limits import libraries_in
from subclust.core.messages import N_, Message
from subclust.core.quotas import Quota, quotas_are
from subclust.core.storage.damaged import typed


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
class Retention:
    """After how many days things are deleted for good; None is never.

    Parameters
    ----------
    sessions : int, optional
        Saved sessions, counted from when they were saved.
    audit : int, optional
        Lines of the audit log.
    """

    sessions: int | None = None
    audit: int | None = None

    def __post_init__(self) -> None:
        """Refuse what would delete a thing as soon as it is made."""
        if any(value is not None and value < 1 for value in vars(self).values()):
            raise ValueError("things are kept for at least 1 day")


@dataclass(frozen=True)
class Accounts:
    """How people sign in to the app, and what each may do.

    Parameters
    ----------
    administrators, curators : tuple of str
        Names, as the sign-in tells them; everybody else who signs in is a reader.
    claim : str
        Claim of OpenID Connect whose value or values hold ``"administrator"`` or ``"curator"``.
    teams : mapping of str to tuple of str
        Names of the members of each team; whoever has a team's name in a claim belongs to it, too.
    quotas : mapping of str to Quota
        What those of each role may have.
    retention : Retention
        How long things are kept.
    header : TrustedHeader, optional
        Instead of OpenID Connect.
    file : Path, optional
        That they were read from; its section ``[auth]`` is that of Streamlit's ``st.login``.
    """

    administrators: tuple[str, ...] = ()
    curators: tuple[str, ...] = ()
    claim: str = ""
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quotas: Mapping[Literal["reader", "curator", "administrator"], Quota] = field(
        default_factory=dict
    )
    retention: Retention = field(default_factory=Retention)
    header: TrustedHeader | None = None
    file: Path | None = field(default=None, compare=False)

    def person(self, name: str, claims: Mapping[str, Any] | None = None) -> Person:
        """Return somebody with role and teams, by the lists or their claims; "" is nobody."""
        if not name:
            return STRANGER
        # A provider may put anything into a claim: a single text, or a list of anything.
        told = (claims or {}).get(self.claim, ()) if self.claim else ()
        told = (told,) if isinstance(told, str) else told if isinstance(told, list) else ()
        told = [one for one in told if isinstance(one, str) and one]
        own = name.casefold()
        listed = [team for team, names in self.teams.items() if own in map(str.casefold, names)]
        # One claim carries both roles and teams, so the words for roles must not count as teams.
        teams = tuple(dict.fromkeys([*listed, *(one for one in told if one not in _ROLES)]))
        # The higher role first: somebody in both lists, or with both claims, is an administrator.
        for role, names in (
            (Role.ADMINISTRATOR, self.administrators),
            (Role.CURATOR, self.curators),
        ):
            if own in map(str.casefold, names) or role.name.lower() in told:
                return Person(name, role, teams)
        return Person(name, Role.READER, teams)

    def person_of(self, claims: Mapping[str, Any]) -> Person:
        """Return whom the claims of OpenID Connect are about, named by e-mail address or subject.

        An address that the provider calls unverified does not count.
        """
        # An address that nobody has verified could be anybody's.
        email = claims.get("email") if claims.get("email_verified") is not False else None
        return self.person(str(email or claims.get("sub") or ""), claims)


def serve_accounts(file: Path, *, audit_log: Path, libraries: Path) -> Accounts:
    """Read how people sign in, and have this process note what they do and heed their teams.

    Whatever serves several people calls it at its start.

    Raises
    ------
    SettingsError
        If they cannot be used.
    """
    accounts = read_accounts(file)
    audit.begin(audit_log)
    libraries_in(libraries)
    quotas_are({Role[role.upper()]: quota for role, quota in accounts.quotas.items()})
    return accounts


_SECTIONS = ("teams", "quotas", "retention")
_ROLE_LISTS = ("administrators", "curators", "claim")
_ROLES = [role.name.lower() for role in Role]
_AUTH = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
_LEAST_SECRET = 32


def read_accounts(file: Path) -> Accounts:
    """Read how people sign in.

    Parameters
    ----------
    file : Path
        TOML with a section ``[auth]`` for OpenID Connect, or ``[header]`` with ``name`` and
        ``proxies``; perhaps ``[roles]`` with ``administrators``, ``curators`` and ``claim``, and
        ``[teams]`` with the names of each team's members, and ``[quotas.ROLE]`` with the fields of
        a `Quota`; ``[retention]`` with those of `Retention`.

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
    more = {name: found[name] for name in _SECTIONS if name in found}
    # A misspelt name would leave somebody without a role, or keep what is to be deleted.
    for prefix, section, known in _closed_sections(found):
        if unknown := next((name for name in section if name not in known), None):
            raise wrong(
                N_("{unknown!r} is unknown; use {known}."),
                unknown=prefix + unknown,
                known=", ".join(known),
            )
    if (auth is None) == (header is None):
        raise wrong(N_("give either [auth], for OpenID Connect, or [header], for a proxy."))
    try:
        accounts = typed(Accounts, {**(roles or {}), **more, "header": header, "file": file})
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


def _closed_sections(
    found: Mapping[str, Any],
) -> Iterator[tuple[str, Mapping[str, Any], Sequence[str]]]:
    """Yield each part that has no names but ours: what its names begin with, itself, and ours."""
    yield "", found, ("auth", "header", "roles", *_SECTIONS)
    closed = {
        "roles": (found.get("roles"), _ROLE_LISTS),
        "header": (found.get("header"), _names_of(TrustedHeader)),
        "retention": (found.get("retention"), _names_of(Retention)),
    }
    quotas = found.get("quotas")
    if isinstance(quotas, dict):
        closed |= {f"quotas.{role}": (one, _names_of(Quota)) for role, one in quotas.items()}
    for name, (section, known) in closed.items():
        if isinstance(section, dict):
            yield f"{name}.", section, known


def _names_of(kind: type[TrustedHeader | Retention | Quota]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))
