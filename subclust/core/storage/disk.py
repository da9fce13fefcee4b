"""The one door through which files are written, and what to say when the disk refuses or fails."""

import errno
import os
import re
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from subclust.core.exceptions import StorageError, SubclustError
from subclust.core.messages import Message
from subclust.core.storage.presence import check_there

_MAKE_ROOM = Message("free some space on that disk and try again")
_ALLOW = Message("have the folder made writable for this program and try again")
_ALLOW_BOTH = Message("have the folder made readable and writable for this program and try again")
_ALLOW_READING = Message("have it made readable for this program and try again")
_CONNECT = Message("check the disk and the connection to it, and try again")
_LOOK = Message("check whether the folder is there and may be written to")

_REFUSALS = {
    errno.ENOSPC: (Message("the disk is full"), _MAKE_ROOM),
    errno.EDQUOT: (Message("the quota of the disk is used up"), _MAKE_ROOM),
    errno.EFBIG: (Message("the file grew larger than is allowed"), _MAKE_ROOM),
    errno.EROFS: (Message("the disk can only be read"), _ALLOW),
    # The number does not tell reading from writing.
    errno.EACCES: (Message("access is not permitted"), _ALLOW_BOTH),
    errno.EPERM: (Message("access is not permitted"), _ALLOW_BOTH),
}
_LOST = dict.fromkeys(
    (
        errno.EIO,
        errno.ESTALE,
        errno.ENOTCONN,
        errno.ENODEV,
        errno.ENXIO,
        getattr(errno, "EREMOTEIO", errno.EIO),  # not on macOS and Windows
        getattr(errno, "EHOSTDOWN", errno.EIO),
    ),
    (Message("the disk, or the connection to it, has failed"), _CONNECT),
)
"""Of a network disk that is gone, and of one that is broken."""

_REFUSALS |= _LOST
_UNREADABLE = {
    **_LOST,
    errno.EACCES: (Message("reading is not permitted"), _ALLOW_READING),
    errno.EPERM: (Message("reading is not permitted"), _ALLOW_READING),
}
_SQLITE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
# Errors of systems and disks that cannot flush a folder, where nothing more can be done.
_NO_NAMES_TO_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM)

# The two ways in which Rust prints an io::Error; LanceDB passes such errors on as mere text.
_IN_TEXT = re.compile(r"\bos error (\d+)|\bOs \{ code: (\d+)")


class Readable(Protocol):
    """A stream of bytes, such as an open file or what a browser sends."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes; none at the end."""
        ...


def refusal(error: BaseException) -> tuple[str, str] | None:
    """Return why a disk refused to be written to, or failed, and what to do about it.

    Parameters
    ----------
    error : BaseException
        Also one of SQLite, or of a library in Rust, which tells the system's number in its text.

    Returns
    -------
    (str, str) or None
        The reason and the advice; None where it is an error of another kind.
    """
    return _REFUSALS.get(_number_of(error))


def check_reached(error: BaseException, file: Path) -> None:
    """Tell a file that the disk does not give from one that is damaged; nothing where it is that.

    Raises
    ------
    StorageError
        If the disk, or the connection to it, has failed, or the file may not be read.
    """
    told = _UNREADABLE.get(_number_of(error))
    if told is not None:
        raise StorageError(
            "{file} cannot be read: {reason}; {advice}.", file=file, reason=told[0], advice=told[1]
        ) from error


def _number_of(error: BaseException) -> int:
    """Return the system's number of an error; 0 where it has none."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if isinstance(error, sqlite3.Error):
        return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, 0)
    found = _IN_TEXT.search(str(error))
    return 0 if found is None else int(found[1] or found[2])


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
            # filelock's Timeout is a TimeoutError; callers have a sentence of their own for it.
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
def written_whole(
    path: Path, *, durable: bool = True, mode: int | None = None
) -> Iterator[BinaryIO]:
    """Write a file beside its place and rename it there, in the place of one that is there.

    Parameters
    ----------
    path : Path
        Its folder is made when needed.
    durable : bool
        Whether it must outlast a power failure.
    mode : int, optional
        Who may read and write it. By default a new file is made as `open` makes it, and one that is
        there keeps its mode.

    Yields
    ------
    BinaryIO
        What is written to it takes the file's place when the context ends well.

    Raises
    ------
    OSError
        If the disk refuses; nothing is left beside the file then.
    StorageError
        If the whole data folder is gone; see `subclust.core.storage.presence`.
    """
    check_there(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode is None:
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(path.stat().st_mode)
    descriptor, beside = _new_file_beside(path, 0o666 if mode is None else mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            # Before the content, so that nobody reads it who may not read the file.
            if mode is not None:
                os.chmod(beside, mode)
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        # BaseException, because an interrupt must not leave the partial file behind, either.
        with suppress(OSError):
            os.unlink(beside)
        raise
    if durable:
        # Without this, the folder may still list the old file after a power failure.
        flush_names(path.parent)


def _new_file_beside(path: Path, mode: int) -> tuple[int, Path]:
    """Make and open a file with a name of its own; the umask counts, as it does not in tempfile."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # Cut, because a long name with these additions could exceed what a file system allows.
        beside = path.with_name(f".{path.name[:60]}.{secrets.token_hex(4)}.partial")
        with suppress(FileExistsError):
            return os.open(beside, flags, mode), beside


def new_folder(within: Path, prefix: str) -> Path:
    """Make a folder with a name of its own; the umask counts, as it does not in tempfile.

    Parameters
    ----------
    within : Path
        Where it is made.
    prefix : str
        What its name begins with; it ends with ".partial".
    """
    while True:
        folder = within / f"{prefix}{secrets.token_hex(4)}.partial"
        with suppress(FileExistsError):
            folder.mkdir()
            return folder


def write_whole(
    path: Path, content: str | bytes, *, durable: bool = True, mode: int | None = None
) -> None:
    """Write a file as `written_whole` does; text becomes UTF-8, lone surrogates question marks.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    with written_whole(path, durable=durable, mode=mode) as stream:
        stream.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)


def flush_files(folder: Path) -> None:
    """Have the contents of a folder's files written to the disk."""
    for file in folder.iterdir():
        with file.open("r+b") as stream:
            os.fsync(stream.fileno())


def flush_names(folder: Path) -> None:
    """Have the disk keep which files a folder has, where the system can do so.

    Raises
    ------
    OSError
        If the disk fails meanwhile, so that nobody knows whether it has them.
    """
    try:
        place = os.open(folder, os.O_RDONLY)
    except PermissionError:  # as on Windows
        return
    try:
        os.fsync(place)
    except OSError as error:
        if error.errno not in _NO_NAMES_TO_FLUSH:
            raise
    finally:
        os.close(place)
