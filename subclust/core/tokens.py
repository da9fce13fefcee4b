"""Access tokens: by which a program acts as somebody, with no more than their role."""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, cast

from filelock import FileLock, Timeout

from subclust.core.access import (
    LOCAL,
    STRANGER,
    Person,
    Role,
    acting,
    check_may_change,
)
from subclust.core.accounts import Accounts
from subclust.core.exceptions import InputError, NotAllowedError, StorageError
from subclust.core.messages import Message
from subclust.core.storage.damaged import typed
from subclust.core.storage.disk import check_reached, refusals_told, write_whole

PREFIX = "subclust_"
"""With which every token begins, so that one that has leaked is recognised."""

MAX_DAYS = 366
MAX_TOKENS = 20
"""That one person has at a time."""

_MAX_NAME = 80
_DAY = 24 * 3600.0
_PATIENCE = 10.0
_KEPT_DAYS = 30
"""How long a token is listed after its end."""

Scope = Literal["reader", "curator", "administrator"]


@dataclass(frozen=True)
class Token:
    """An access token, without its text.

    Parameters
    ----------
    owner : str
        Name of whom it stands for.
    name : str
        What it is for.
    scope : {"reader", "curator", "administrator"}
        The most that it allows.
    made, until : float
        In seconds since 1970.
    sha256 : str
        Of its text.
    claimed : {"reader", "curator", "administrator"}
        The role that the claims of its owner gave when it was made.
    teams : tuple of str
        Those of its owner that claims told then.
    """

    id: str
    owner: str
    name: str
    scope: Scope
    made: float
    until: float
    sha256: str = field(repr=False)
    claimed: Scope = "reader"
    teams: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether its end date has passed."""
        return time.time() >= self.until


class TokenStore:
    """The tokens of all people: one file, written whole, that only its owner's account can read.

    Of a token's text nothing is kept but a hash. Several processes may use the store at once.

    Methods raise an `InputError` for what cannot be made or is not there, and a `StorageError`
    where the file is damaged, in use, or the disk refuses.

    Parameters
    ----------
    folder : Path
        Made when the first token is.
    accounts : Accounts, optional
        That say which role somebody has; without them a token's scope is its owner's role.
    """

    def __init__(self, folder: Path, accounts: Accounts | None = None) -> None:
        self.folder = folder
        self.accounts = accounts

    def create(self, owner: Person, name: str, scope: Role, days: int) -> tuple[Token, str]:
        """Make a token; its text is told now and never again.

        Parameters
        ----------
        owner : Person
            Who acts or, for whoever is at the computer, anybody.
        name : str
            What it is for.
        scope : Role
            At most that of its owner.
        days : int
            Until it ends, from 1 to `MAX_DAYS`.

        Returns
        -------
        Token, str
        """
        kept_name = " ".join(name.split())
        check_may_change("token", kept_name, "created")
        if acting() not in (LOCAL, owner):
            raise NotAllowedError(
                "This belongs to {owner}, who alone can change it.", owner=owner.name
            )
        if not kept_name or len(kept_name) > _MAX_NAME or not kept_name.isprintable():
            raise InputError(
                "The name of an access token must have 1 to {most} visible characters.",
                most=_MAX_NAME,
            )
        if not 1 <= days <= MAX_DAYS:
            raise InputError(
                "An access token is valid for 1 to {most} days, not for {days}.",
                most=MAX_DAYS,
                days=days,
            )
        if not Role.READER <= scope <= owner.role:
            raise InputError(
                "An access token allows at most what its owner may: {name} is no {role}.",
                name=owner.name,
                role=Message(scope.name.lower()),
            )
        # Lists are consulted at every use; only what claims said must be kept with the token.
        by_claim = self.accounts is not None and self.accounts.claim != ""
        listed = self._now(owner.name) if by_claim else owner
        text = PREFIX + secrets.token_urlsafe(32)
        made = time.time()
        token = Token(
            id=secrets.token_hex(4),
            owner=owner.name,
            name=kept_name,
            scope=_scope(scope),
            made=made,
            until=made + days * _DAY,
            sha256=_hash(text),
            claimed=_scope(owner.role if owner.role > listed.role else Role.READER),
            teams=tuple(team for team in owner.teams if team not in listed.teams),
        )
        with self._changing() as tokens:
            # Not at once: the clock may have leapt ahead.
            # In place, because `_changing` writes this very list.
            tokens[:] = [one for one in tokens if made - one.until < _KEPT_DAYS * _DAY]
            if sum(one.owner == owner.name and not one.is_over for one in tokens) >= MAX_TOKENS:
                raise InputError(
                    "{name} has {most} access tokens already; revoke one that is not needed.",
                    name=owner.name,
                    most=MAX_TOKENS,
                )
            tokens.append(token)
        return token, text

    def all(self) -> list[Token]:
        """List the tokens of who acts, those of all for administrators; the newest first."""
        found = [one for one in self._read() if _may_see(one)]
        return sorted(found, key=lambda one: (-one.made, one.id))

    def revoke(self, id_: str) -> Token:
        """Have a token count no more from now on, and return what it was."""
        with self._changing() as tokens:
            found = [one for one in tokens if one.id == id_ and _may_see(one)]
            if not found:
                raise InputError("There is no access token {id!r}.", id=id_[:80])
            check_may_change("token", found[0].name, "revoked")
            tokens.remove(found[0])
        return found[0]

    def person_of(self, text: str) -> Person | None:
        """Return for whom a token's text stands, with the role that they have by it now.

        The role is the scope or, where that is less, the one that the lists of the accounts give
        now. A role that only a claim gave counts as it was when the token was made, as nobody asks
        the provider again.

        Returns
        -------
        Person or None
            None where it is unknown, revoked or over, or its owner may not even read.
        """
        if not (text.startswith(PREFIX) and text.isascii()):
            return None
        given = _hash(text)
        # No early exit: the time this takes must not tell whether, or which, token matched.
        found = None
        for one in self._read():
            if hmac.compare_digest(one.sha256, given):
                found = one
        if found is None or found.is_over:
            return None
        person = self._person(found)
        return person if person.role > Role.NOBODY else None

    def _person(self, token: Token) -> Person:
        scope = Role[token.scope.upper()]
        if self.accounts is None:
            return Person(token.owner, scope)
        now = self._now(token.owner)
        if not self.accounts.claim or now == STRANGER:
            return Person(token.owner, min(scope, now.role), now.teams)
        role = max(now.role, Role[token.claimed.upper()])
        teams = (*now.teams, *(team for team in token.teams if team not in now.teams))
        return Person(token.owner, min(scope, role), teams)

    def _now(self, name: str) -> Person:
        return STRANGER if self.accounts is None else self.accounts.person(name)

    @property
    def _file(self) -> Path:
        return self.folder / "tokens.json"

    def _read(self) -> list[Token]:
        try:
            found = json.loads(self._file.read_bytes())
            return [typed(Token, one) for one in found]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, RecursionError) as error:
            check_reached(error, self._file)
            raise StorageError(
                "The access tokens cannot be read ({error}); restore {file} from a backup, or "
                "delete it and have everybody create theirs again.",
                error=type(error).__name__,
                file=self._file,
            ) from error

    @contextmanager
    def _changing(self) -> Iterator[list[Token]]:
        """Yield the tokens, alone among all processes, and write what they have become."""
        try:
            with refusals_told(Message("The access token cannot be saved"), self.folder):
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                with FileLock(self.folder / ".lock", timeout=_PATIENCE):
                    tokens = self._read()
                    yield tokens
                    content = json.dumps([asdict(one) for one in tokens], ensure_ascii=False)
                    write_whole(self._file, content, mode=0o600)
        except Timeout as error:
            raise StorageError(
                "The access tokens are in use by another program; try again in a moment."
            ) from error


def _may_see(token: Token) -> bool:
    person = acting()
    return person == LOCAL or person.role is Role.ADMINISTRATOR or token.owner == person.name


def _scope(role: Role) -> Scope:
    return cast(Scope, role.name.lower())


def _hash(text: str) -> str:
    # Whoever has the file cannot search 256 random bits, so that a slow hash would add nothing.
    return hashlib.sha256(text.encode()).hexdigest()
