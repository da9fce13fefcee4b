"""The file of a session: a line that describes it, and a line with everything else.

Both lines are JSON; nothing in such a file is ever run. The second line is never written anew, so
that its bytes, and their sha256 in the first line, stay the same through renaming, export and
import.
"""

import hashlib
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from subclust.core.exceptions import FileFormatError
from subclust.sessions.records import Session, SessionHeader

MAX_BYTES = 50_000_000
"""Largest session file that is read or written."""

SUFFIX = ".subclust"

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True)
class SessionFile:
    """A session as it lies on disk.

    Parameters
    ----------
    header : SessionHeader
    body : bytes
        The second line, without its end.
    """

    header: SessionHeader
    body: bytes

    def to_bytes(self) -> bytes:
        """Write both lines."""
        return self.header.model_dump_json().encode() + b"\n" + self.body + b"\n"

    def session(self) -> Session:
        """Read the second line.

        Raises
        ------
        FileFormatError
            If it is not what the first line says, or not a session.
        """
        if hashlib.sha256(self.body).hexdigest() != self.header.sha256:
            raise FileFormatError(
                "The session {header!r} is damaged: its content does not have the sum that was "
                "noted when it was saved; take it from a backup.",
                header=self.header.name,
            )
        session = _read(Session, self.body, "content")
        if _summary(session) != self.header.model_dump(include=set(_summary(session))):
            raise FileFormatError(
                "The session {header!r} is damaged: its first line describes another one; take it "
                "from a backup.",
                header=self.header.name,
            )
        return session


def written(session: Session, id_: str, name: str, saved: str) -> SessionFile:
    """Make the file of a session.

    Parameters
    ----------
    session : Session
    id_, name, saved : str
        As for `SessionHeader`, whose rules they meet.
    """
    body = session.model_dump_json().encode()
    header = {
        "subclust_session": 1,
        "id": id_,
        "name": name,
        "saved": saved,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    return SessionFile(SessionHeader.model_validate(header | _summary(session)), body)


def read_file(content: bytes) -> SessionFile:
    """Split a file into its lines and read the first.

    Raises
    ------
    FileFormatError
        If it is too large, or no session.
    """
    if len(content) > MAX_BYTES:
        raise FileFormatError(
            "A session file has at most {max_bytes} MB, but this one has {count:,.0f} MB; it is "
            "not one that Subclust has written.",
            max_bytes=MAX_BYTES // 1000000,
            count=len(content) / 1000000.0,
        )
    first, _, rest = content.partition(b"\n")
    body, _, more = rest.partition(b"\n")
    if not body or more.strip():
        raise FileFormatError(
            "This is not a session file: it must have two lines, as those that Subclust exports."
        )
    return SessionFile(read_header(first), body)


def read_header(line: bytes) -> SessionHeader:
    """Read the first line.

    Raises
    ------
    FileFormatError
        If it does not describe a session.
    """
    return _read(SessionHeader, line, "first line")


def _summary(session: Session) -> dict[str, str | int]:
    return {
        "question": session.question,
        "library": session.origin.library,
        "method": session.origin.method,
        "n_passages": sum(len(group.passages) for group in session.groups),
        "n_groups": session.n_clusters,
    }


def _read(kind: type[_Model], line: bytes, what: str) -> _Model:
    try:
        return kind.model_validate_json(line)
    except ValueError as error:
        raise FileFormatError(
            "This is not a session file that this version of Subclust can read: {first_mistake} "
            "({what}).",
            first_mistake=_first_mistake(error),
            what=what,
        ) from None


def _first_mistake(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return "it is not text"
    told = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in told["loc"])
    said = told["msg"].removeprefix("Value error, ")
    return f"{place[:200]}: {said[:300]}" if place else said[:300]
