"""A folder of saved sessions, one file each, whole or not there."""

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from subclust.core.access import (
    acting,
    check_may_change,
    check_owner,
    check_sharing,
    may_open,
    shared_with,
)
from subclust.core.bin import Bin
from subclust.core.exceptions import FileFormatError, InputError, SessionError, SessionNotFoundError
from subclust.core.limits import may_use
from subclust.core.messages import Message
from subclust.core.storage.damaged import Damaged, sorted_out
from subclust.core.storage.disk import check_reached, refusals_told, write_whole
from subclust.sessions.records import (
    MAX_BYTES,
    MAX_NAME,
    SUFFIX,
    Session,
    SessionFile,
    SessionHeader,
    read_file,
    read_header,
    written,
)

MAX_SESSIONS = 1000
"""Sessions that a folder may hold."""

_ID = re.compile(r"[a-z0-9]{12}")
_LONGEST_HEADER = 5_000_000


class SessionStore:
    """Saved sessions. Where people sign in each sees their own, and what others share.

    A session is written beside its place and renamed there, so that whoever reads sees a whole one
    whatever happens to the writer.

    Methods raise a `SessionNotFoundError` where there is no such session, a `FileFormatError` where
    it is damaged, an `InputError` for a name that cannot be used, and a `SessionError` where there
    are too many, one is too large, or the disk refuses.

    Parameters
    ----------
    folder : Path
        Made when something is saved.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, session: Session, name: str) -> SessionHeader:
        """Keep a session under a name; several may have the same one."""
        saved = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self._write_own(written(session, _new_id(), _proper_name(name), saved))

    def headers(self) -> list[SessionHeader]:
        """List the sessions that can be read, last saved first."""
        found, _ = sorted_out(self._ids(), self._header)
        found = [header for header in found if _may_open(header)]
        return sorted(found, key=lambda header: (header.saved, header.id), reverse=True)

    def damaged(self) -> list[Damaged]:
        """List the sessions whose first line cannot be read, by id."""
        return sorted_out(self._ids(), self._header)[1]

    def load(self, id_: str) -> tuple[SessionHeader, Session]:
        """Read a session."""
        file = self._read(id_)
        return file.header, file.session()

    def find(self, given: str) -> str:
        """Return the id of the session that has this id, or as the only one this name."""
        if _ID.fullmatch(given) and self._path(given).is_file():
            return given
        named = [header.id for header in self.headers() if header.name == given]
        if len(named) > 1:
            raise InputError(
                "{count} sessions have the name {given!r}; say which by its id: {names}.",
                count=len(named),
                given=given,
                names=", ".join(named),
            )
        if not named:
            raise _missing(given)
        return named[0]

    def rename(self, id_: str, name: str) -> SessionHeader:
        """Rename a session; nothing else of it changes."""
        file = self._read(id_)
        return self._write_changed(file, name=_proper_name(name))

    def share(self, id_: str, shared: bool, team: str = "") -> SessionHeader:
        """Let everybody who signs in open a session, or a team, or nobody else any more."""
        check_may_change("session", id_, did="")
        file = self._read(id_)
        check_sharing(file.header.owner, team)
        header = file.header.model_copy(update={"shared": shared, "team": team})
        self._write(SessionFile(header, file.body), "shared", shared_with(header))
        return header

    def delete(self, id_: str, to: Bin | None = None) -> None:
        """Delete a session.

        Parameters
        ----------
        id_ : str
        to : Bin, optional
            Where it can be put back from; without one it is deleted for good.
        """
        check_may_change("session", id_)
        path = self._path(id_)
        title, owner = id_, ""
        # The owner of a damaged session is unknown; anybody who may delete sessions can delete it.
        with suppress(FileFormatError, OSError):
            header = _header_at(path)
            title, owner = header.name, header.owner
            if not _may_open(header):
                raise _missing(id_)
            check_owner(owner)
        if to is not None and path.exists():
            to.put("session", id_, self.folder, [path], title=title, owner=owner)
            return
        try:
            with refusals_told(Message("The session cannot be deleted"), self.folder, SessionError):
                path.unlink()
        except FileNotFoundError:
            raise _missing(id_) from None

    def export(self, id_: str) -> bytes:
        """Return the file of a session, which says nothing of its owner."""
        file = self._read(id_)
        header = file.header.model_copy(update={"owner": "", "shared": False, "team": ""})
        return SessionFile(header, file.body).to_bytes()

    def take(self, content: bytes) -> SessionHeader:
        """Take in a file that `export` gave, here or elsewhere, after checking all of it.

        It keeps its id where that is free; a session that is there is never overwritten.
        """
        file = read_file(content)
        file.session()
        _proper_name(file.header.name)
        path = self._path(file.header.id)
        if path.exists():
            with suppress(FileFormatError, SessionNotFoundError):
                there = self._header(file.header.id)
                if there is not None and there.sha256 == file.header.sha256 and _may_open(there):
                    return there
            file = SessionFile(file.header.model_copy(update={"id": _new_id()}), file.body)
        return self._write_own(file)

    def _path(self, id_: str) -> Path:
        if not _ID.fullmatch(id_):
            raise _missing(id_)
        return self.folder / f"{id_}{SUFFIX}"

    def _paths(self) -> Iterator[Path]:
        if self.folder.is_dir():
            yield from sorted(self.folder.glob(f"*{SUFFIX}"))

    def _ids(self) -> list[str]:
        return [path.stem for path in self._paths() if _ID.fullmatch(path.stem)]

    def _header(self, id_: str) -> SessionHeader | None:
        path = self._path(id_)
        try:
            header = _header_at(path)
            if header.id == id_:
                return header
        except FileNotFoundError:
            return None
        except (FileFormatError, OSError) as error:
            check_reached(error, path)
        raise self._damaged(id_)

    def _read(self, id_: str) -> SessionFile:
        try:
            with self._path(id_).open("rb") as stream:
                # One byte more than allowed, by which `read_file` sees that it is too large.
                file = read_file(stream.read(MAX_BYTES + 1))
        except FileNotFoundError:
            raise _missing(id_) from None
        except OSError as error:
            check_reached(error, self._path(id_))
            raise self._damaged(id_) from error
        if not _may_open(file.header):
            raise _missing(id_)
        return file

    def _damaged(self, id_: str) -> SessionError:
        return SessionError(
            "The saved session {id} is damaged; delete it, or restore {path} from a copy.",
            id=id_,
            path=self._path(id_),
        )

    def _write_own(self, file: SessionFile) -> SessionHeader:
        own = {"owner": acting().name, "shared": False, "team": ""}
        header = file.header.model_copy(update=own)
        self._write(SessionFile(header, file.body))
        return header

    def _write_changed(self, file: SessionFile, **changed: object) -> SessionHeader:
        check_owner(file.header.owner)
        header = file.header.model_copy(update=changed)
        self._write(SessionFile(header, file.body))
        return header

    def _write(self, file: SessionFile, did: str = "change", to: str = "") -> None:
        check_may_change("session", file.header.id, did, to)
        path = self._path(file.header.id)
        content = file.to_bytes()
        if len(content) > MAX_BYTES:
            raise SessionError(
                "A session has at most {max_bytes} MB, but this one would have {count:,.0f} MB; "
                "search for fewer passages.",
                max_bytes=MAX_BYTES // 1000000,
                count=len(content) / 1000000.0,
            )
        if not path.exists() and sum(1 for _ in self._paths()) >= MAX_SESSIONS:
            raise SessionError(
                "There are {max_sessions:,} sessions already; delete some that are not needed.",
                max_sessions=MAX_SESSIONS,
            )
        with refusals_told(Message("The session cannot be saved"), self.folder, SessionError):
            write_whole(path, content)


def _may_open(header: SessionHeader) -> bool:
    return may_open(header) and may_use(header.library)


def _proper_name(name: str) -> str:
    """Return a name as it is kept, with single spaces."""
    kept = " ".join(name.split())
    if not kept or len(kept) > MAX_NAME or not kept.isprintable():
        raise InputError(
            "A session's name must have 1 to {max_name} visible characters, but this one has "
            "{count}, or contains invisible ones.",
            max_name=MAX_NAME,
            count=len(kept),
        )
    return kept


def _header_at(path: Path) -> SessionHeader:
    with path.open("rb") as stream:
        return read_header(stream.readline(_LONGEST_HEADER))


def _new_id() -> str:
    return secrets.token_hex(6)


def _missing(given: str) -> SessionNotFoundError:
    return SessionNotFoundError(
        "There is no session {name!r}; it may have been deleted, or saved on another machine "
        "('python -m subclust sessions list' lists those here).",
        name=given[:80],
    )
