"""A cache in an SQLite file: whatever happens to the file, its owner goes on."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

DAMAGED = ".damaged"
"""What the name of a file ends in that was set aside."""

# These go along with a damaged file: SQLite could apply them to the new file of that name.
_BESIDE = ("-wal", "-shm", "-journal")

_NOT_NOW = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOLFS,
    }
)
"""Primary error codes that say nothing against the file."""

Found = TypeVar("Found")

_log = logging.getLogger(__name__)
_told: set[str] = set()


class CacheFile:
    """An SQLite file of what can be computed again.

    A damaged file is set aside as ``NAME.damaged`` and made anew; one that cannot be read or
    written (a full disk, a read-only folder) is done without. Each is told once in the log, and
    neither raises an error. Several processes may use one file.

    Parameters
    ----------
    file : Path
        Its folder is made when needed.
    schema : str
        The statement that makes its table: ``CREATE TABLE IF NOT EXISTS ...``.
    """

    def __init__(self, file: Path, schema: str) -> None:
        self.file = file
        self.schema = schema

    def read(self, look: Callable[[sqlite3.Connection], Found], otherwise: Found) -> Found:
        """Look something up; nothing is written, and no writer is waited for.

        Parameters
        ----------
        look : callable
            Is given a connection. Its `ValueError` or `TypeError` means that the file is damaged.
        otherwise : object
            What to return where there is no file, or none that can be read.
        """
        seen = _identity(self.file)
        if seen is None:
            return otherwise
        for mode in ("mode=ro", "immutable=1"):  # the second reads a read-only folder, too
            try:
                with closing(self._connect(mode)) as connection:
                    return look(connection) if _has_table(connection) else otherwise
            except (sqlite3.DatabaseError, OSError, ValueError, TypeError) as error:
                if mode == "mode=ro" and _needs_writing(error):
                    continue
                self._mend(error, seen)
                break
        return otherwise

    def write(self, change: Callable[[sqlite3.Connection], object]) -> bool:
        """Change something in one transaction.

        Parameters
        ----------
        change : callable
            Is given a connection; it may be called twice, where the file has to be made anew.

        Returns
        -------
        bool
            Whether it is in the file now.
        """
        for _attempt in range(2):
            seen = _identity(self.file)
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                with closing(self._connect("mode=rwc")) as connection:
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA synchronous=NORMAL")
                    connection.execute(self.schema)
                    with connection:
                        change(connection)
                return True
            except (sqlite3.DatabaseError, OSError) as error:
                if not self._mend(error, seen):
                    break
        return False

    def _connect(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.file.absolute().as_uri()}?{mode}", uri=True, timeout=60)

    def _mend(self, error: Exception, seen: int | None) -> bool:
        """Set a damaged file aside; return whether there may be a sound one, or none, now."""
        if not self._is_damage(error):
            tell_once(
                _log, "The cache %s cannot be used and is done without (%s).", self.file, error
            )
            return False
        if _identity(self.file) not in (None, seen):  # another process was quicker
            return True
        try:
            set_aside(self.file, *(Path(f"{self.file}{end}") for end in _BESIDE))
        except OSError as refused:
            tell_once(
                _log,
                "The cache %s is damaged and cannot be set aside; it is done without (%s).",
                self.file,
                refused,
            )
            return False
        _log.warning(
            "The cache %s was damaged (%s); it was set aside as %s and is made anew.",
            self.file,
            error,
            f"{self.file.name}{DAMAGED}",
        )
        return True

    def _is_damage(self, error: Exception) -> bool:
        if isinstance(error, OSError):
            return False
        # A mistake of our own, which says nothing about the file.
        if isinstance(error, sqlite3.ProgrammingError):
            raise error
        if not isinstance(error, sqlite3.DatabaseError):
            return True  # it is whole for SQLite, but holds something else
        # Extended codes have the primary code in their low byte.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
            return not _opens(self.file)
        return code & 0xFF not in _NOT_NOW


def set_aside(*files: Path) -> None:
    """Rename each file that is there to ``NAME.damaged``, in the place of an earlier one.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    for file in files:
        with suppress(FileNotFoundError):
            file.replace(file.with_name(f"{file.name}{DAMAGED}"))


def tell_once(log: logging.Logger, message: str, file: Path, error: object) -> None:
    """Log a warning about a file, unless this process has said the same of it already."""
    if (key := f"{message}{file}") not in _told:
        _told.add(key)
        log.warning(message, file, error)


def _has_table(connection: sqlite3.Connection) -> bool:
    """Return whether there is any table; whoever was to make it may have been killed."""
    made = "SELECT 1 FROM sqlite_master WHERE type = 'table'"
    return connection.execute(made).fetchone() is not None


def _needs_writing(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _identity(file: Path) -> int | None:
    try:
        return file.stat().st_ino
    except OSError:
        return None


def _opens(file: Path) -> bool:
    """Return whether the file itself can be read, so that what is wrong lies elsewhere."""
    try:
        with file.open("rb"):
            return True
    except FileNotFoundError:
        return True
    except OSError:
        return False
