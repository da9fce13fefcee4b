"""What a saved session holds, and the bounds within which a file is taken for one.

Records of pydantic: what comes from a file has these fields, these types and these sizes, or is
refused with the place of its first mistake.
"""

import hashlib
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from subclust.core.exceptions import FileFormatError
from subclust.core.records import QueryContext
from subclust.core.storage.damaged import first_mistake

MAX_PASSAGES = 5000
MAX_NAME = 120

_Finite = Annotated[float, Field(allow_inf_nan=False)]
_Strength = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0, le=MAX_PASSAGES)]
_Short = Annotated[str, StringConstraints(max_length=1000)]
Long = Annotated[str, StringConstraints(max_length=1_000_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{12}$")]
_Moment = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
_Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


MAX_BYTES = 50_000_000
"""Largest session file that is read or written."""

SUFFIX = ".subclust"
_Model = TypeVar("_Model", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class Origin(_Strict):
    """What made the groups, so that a later look can tell whether it would make them again.

    Parameters
    ----------
    subclust : str
        Version of the program.
    library, library_revision : str
        Its name, and a digest of its passages.
    n_passages : int
        In the whole library.
    encoder, encoder_revision : str
    method : str
    checkpoint, model_revision : str or None
        Name of the trained model and a digest of its weights, None where there is none.
    """

    subclust: _Short
    library: _Short
    library_revision: _Short
    n_passages: Annotated[int, Field(ge=0)]
    encoder: _Short
    encoder_revision: _Short
    method: _Short
    checkpoint: _Short | None
    model_revision: _Short | None


class StoredHit(_Strict):
    """A passage with its place among the hits; nothing estimated the relevance of old ones."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    text: Long
    title: Long
    collection: _Short
    label: Long | None
    path: Long | None
    metadata: dict[_Short, Long]
    rank: Annotated[int, Field(ge=1)]
    score: _Finite | None
    relevance: Annotated[float, Field(ge=0, le=1)] | None = None


class StoredPassage(StoredHit):
    """A hit with its place in its group and on the map."""

    strength: _Strength
    x: _Finite
    y: _Finite


class StoredGroup(_Strict):
    """A group with its passages, in their order."""

    id: Annotated[int, Field(ge=-1)]
    name: Long
    quality: _Finite
    term: Long | None = None
    passages: Annotated[list[StoredPassage], Field(min_length=1, max_length=MAX_PASSAGES)]


class SessionHeader(_Strict):
    """What a list of sessions shows; it can be changed without touching the rest.

    Parameters
    ----------
    subclust_session : int
        Version of the file's form.
    id : str
        Twelve letters and digits; it stays when the session is renamed.
    saved : str
        When, in universal time.
    sha256 : str
        Of the bytes of the rest.
    owner : str
        Name of who saved it; "" where nobody had signed in.
    shared : bool
        Whether everybody who signs in may open it.
    team : str
        Team whose members may open it, too; "" for none.
    """

    subclust_session: Literal[1]
    id: Id
    name: Name
    saved: _Moment
    question: Long
    library: _Short
    method: _Short
    n_passages: _Count
    n_groups: _Count
    sha256: _Digest
    owner: Annotated[str, StringConstraints(max_length=1000)] = ""
    shared: bool = False
    team: Annotated[str, StringConstraints(max_length=1000)] = ""


class Session(_Strict):
    """An answer as it was: the question, its hits, their groups and every map that was drawn.

    Parameters
    ----------
    address : dict of str to list of str
        Parameters of the page's address that showed it.
    question, description : str, str or None
    context : {"title", "description", "passages"}
    origin : Origin
    seed : int
    n_clusters : int
    n_clusters_source : str
    projection : str
        Name of the map whose coordinates the passages have.
    timings_ms : dict of str to float
    groups : list of StoredGroup
        As they were shown, corrections included.
    other_maps : dict of str to dict of str to (float, float)
        Coordinates of each passage on further maps, by the map's name and the passage's id.
    nearest_cosine, answered : float or None, bool or None
        How near the library came to the question, and whether it seemed to answer it; None in
        sessions that were saved before this was looked at.
    set_aside : list of StoredHit
        Hits that are in no group, since they are probably about something else.
    corrections : list
        What somebody had changed by hand, in the form of `subclust.labelled.corrections`.
    """

    address: dict[_Short, list[Long]]
    question: Long
    description: Long | None
    context: QueryContext
    origin: Origin
    seed: int
    n_clusters: _Count
    n_clusters_source: _Short
    projection: _Short
    timings_ms: dict[_Short, _Finite]
    groups: Annotated[list[StoredGroup], Field(min_length=1, max_length=MAX_PASSAGES)]
    other_maps: dict[_Short, dict[_Short, tuple[_Finite, _Finite]]] = {}
    nearest_cosine: _Finite | None = None
    answered: bool | None = None
    set_aside: Annotated[list[StoredHit], Field(max_length=MAX_PASSAGES)] = []
    corrections: Annotated[list[JsonValue], Field(max_length=100_000)] = []

    @property
    def searched(self) -> str:
        """The question by which the passages were found, where it is another one that groups."""
        return (self.address.get("hits") or [self.question])[0]

    @property
    def way(self) -> str:
        """The key of the way in which its hits are divided; empty where the question decides."""
        return (self.address.get("by") or [""])[0]

    @model_validator(mode="after")
    def _fits_together(self) -> "Session":
        passages = [passage for group in self.groups for passage in group.passages]
        ids = {passage.id for passage in passages}
        if len(passages) > MAX_PASSAGES:
            raise ValueError(f"it has {len(passages)} passages, and {MAX_PASSAGES} are the most")
        hits: list[StoredHit] = [*passages, *self.set_aside]
        _all_different("passages have the same id", [hit.id for hit in hits])
        _all_different("passages have the same rank", [hit.rank for hit in hits])
        _all_different("groups have the same number", [group.id for group in self.groups])
        for name, places in self.other_maps.items():
            if set(places) != ids:
                raise ValueError(f"the map {name!r} has other passages than the groups")
        return self


def _all_different(wrong: str, values: Collection[Hashable]) -> None:
    if len(set(values)) < len(values):
        raise ValueError(f"two {wrong}")


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
                "The session {header!r} is damaged: its content does not match its checksum; "
                "restore it from a backup.",
                header=self.header.name,
            )
        session = _read(Session, self.body, "content")
        # The checksum covers the content alone, so a header could describe something else.
        if _summary(session) != self.header.model_dump(include=set(_summary(session))):
            raise FileFormatError(
                "The session {header!r} is damaged: its first line describes another one; "
                "restore it from a backup.",
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
            first_mistake=first_mistake(error)
            if isinstance(error, ValidationError)
            else "it is not text",
            what=what,
        ) from None
