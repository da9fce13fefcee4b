"""The one door through which files are written, and what to say when the disk refuses."""

import errno
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from subclust.core.exceptions import StorageError, SubclustError
from subclust.core.messages import Message

_MAKE_ROOM = "free some space on that disk and try again"
_ALLOW = "have the folder made writable for this program and try again"
_LOOK = Message("check whether the folder is there and may be written to")

_REFUSALS = {
    errno.ENOSPC: (Message("the disk is full"), _MAKE_ROOM),
    errno.EDQUOT: (Message("the quota of the disk is used up"), _MAKE_ROOM),
    errno.EFBIG: (Message("the file grew larger than is allowed"), _MAKE_ROOM),
    errno.EROFS: (Message("the disk can only be read"), _ALLOW),
    errno.EACCES: (Message("writing is not permitted"), _ALLOW),
    errno.EPERM: (Message("writing is not permitted"), _ALLOW),
}
_SQLITE = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_READONLY: errno.EROFS}

_IN_TEXT = re.compile(r"\bos error (\d+)|\bOs \{ code: (\d+)")


class Readable(Protocol):
    """A stream of bytes, such as an open file or what a browser sends."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes; none at the end."""
        ...


def refusal(error: BaseException) -> tuple[str, str] | None:
    """Return why a disk refused to be written to, and what to do about it.

    Parameters
    ----------
    error : BaseException
        Also one of SQLite, or of a library in Rust, which tells the system's number in its text.

    Returns
    -------
    (str, str) or None
        The reason and the advice; None where it is an error of another kind.
    """
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, sqlite3.Error):
        number = _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if number is None:
        found = _IN_TEXT.search(str(error))
        number = None if found is None else int(found[1] or found[2])
    return None if number is None else _REFUSALS.get(number)


@contextmanager
def refusals_told(
    what: str, folder: Path, kind: type[SubclustError] = StorageError
) -> Iterator[None]:
    """Turn what a disk refuses into a sentence; a missing file and a bug pass.

    Parameters
    ----------
    what : str
        What could not be done: ``"The session cannot be saved"``.
    folder : Path
        Where it was to be written.
    kind : type
        Of the error.

    Raises
    ------
    SubclustError
        Of that kind, in place of the disk's.
    """
    try:
        yield
    except SubclustError:
        raise
    except Exception as error:
        told = refusal(error)
        if told is None:
            if not isinstance(error, OSError) or error.strerror is None:
                raise
            if isinstance(error, FileNotFoundError | TimeoutError):
                raise
            told = error.strerror.lower(), _LOOK
        raise kind(
            "{what}: {reason} ({folder}); {advice}.",
            what=what,
            reason=told[0],
            folder=folder,
            advice=told[1],
        ) from error


@contextmanager
def written_whole(path: Path, *, durable: bool = True, mode: int = 0o644) -> Iterator[BinaryIO]:
    """Write a file beside its place and rename it there, in the place of one that is there.

    Parameters
    ----------
    path : Path
        Its folder is made when needed.
    durable : bool
        Whether it must outlast a power failure.
    mode : int
        Who may read and write it.

    Yields
    ------
    BinaryIO
        What is written to it takes the file's place when the context ends well.

    Raises
    ------
    OSError
        If the disk refuses; nothing is left beside the file then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(
        prefix=f".{path.name[:60]}.", suffix=".partial", dir=path.parent
    )
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    if durable:
        flush_names(path.parent)


def write_whole(
    path: Path, content: str | bytes, *, durable: bool = True, mode: int = 0o644
) -> None:
    """Write a file as `written_whole` does; text becomes UTF-8, lone surrogates question marks.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    with written_whole(path, durable=durable, mode=mode) as stream:
        stream.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)


def flush_names(folder: Path) -> None:
    """Have the disk keep which files a folder has, where the system can do so."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
