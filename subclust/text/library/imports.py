"""What each import brought into a library, so that it can be taken back and told from a whole one.

Beside the library lies a folder with two files an import: its record, and a line for each passage
that it brought (``+``), replaced (``~``) or found there (``=``), written before it is stored, and
for each that was removed since the files have it no longer (``-``).
"""

import hashlib
import json
import time
import uuid
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from subclust.core.exceptions import InputError, LibraryError
from subclust.core.messages import Message
from subclust.core.storage import StoragePath
from subclust.core.storage.damaged import typed
from subclust.core.storage.disk import refusals_told, write_whole
from subclust.text.library.folder import imports_folder
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.schema import storable

BROUGHT, REPLACED, FOUND, REMOVED = "+", "~", "=", "-"
_ANY = BROUGHT + REPLACED + FOUND
_NOT_KEPT = ("n_brought", "n_removed", "is_running")
_PATIENCE = 10.0


@dataclass(frozen=True)
class ImportEntry:
    """An import into a library.

    Parameters
    ----------
    id : str
    files : tuple of str
        Their names.
    started : float
        Seconds since 1970.
    ended : float or None
        None where it has not come to its end.
    made_library : bool
        Whether there was no library before.
    job : str
        The background job that does it, empty if none.
    key : str
        Stands for the files and the collection: who imports them again goes on with this import.
    n_brought : int
        Passages that came by it; counted when entries are read.
    n_removed : int
        Passages that were removed since its files have them no longer; counted likewise.
    is_running : bool
        Whether a process is at work on it.
    """

    id: str
    files: tuple[str, ...]
    started: float
    ended: float | None
    made_library: bool
    job: str
    key: str
    n_brought: int = 0
    n_removed: int = 0
    is_running: bool = False

    @property
    def is_interrupted(self) -> bool:
        """Whether it neither came to its end nor is at work."""
        return self.ended is None and not self.is_running


class ImportLog:
    """Keeps what an import does to a library; a context that ends well ends the import.

    Parameters
    ----------
    folder : Path
        Of the libraries; in object storage nothing is kept.
    name : str
    files : sequence of Path
    collection : str, optional
    job : str
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        files: Sequence[Path],
        collection: str | None = None,
        job: str = "",
    ) -> None:
        self.folder = folder
        self.name = name
        self.place = imports_folder(folder, name)
        sizes = [(path.name, path.stat().st_size if path.is_file() else 0) for path in files]
        key = hashlib.sha256(json.dumps([sizes, collection]).encode()).hexdigest()
        made = name not in PassageLibrary.names(folder)
        names = tuple(path.name for path in files)
        self.entry = ImportEntry(uuid.uuid4().hex[:12], names, time.time(), None, made, job, key)
        self._lock: FileLock | None = None

    def __enter__(self) -> Self:
        """Return the log; nothing is written before a library is there."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Note that the import has ended, unless an error broke it off."""
        if self._lock is None:
            return
        try:
            if kind is None:
                _save(self.place, replace(self.entry, ended=time.time()))
        finally:
            self._lock.release()

    def storing(self, ids: Iterable[str], there: Container[str]) -> None:
        """Note what is about to be stored.

        Parameters
        ----------
        ids : iterable of str
        there : container of str
            Ids that the library holds already, with other words.
        """
        self._write((REPLACED if one in there else BROUGHT, one) for one in ids)

    def found(self, ids: Iterable[str]) -> None:
        """Note which passages were there already, so that they stay when others are taken back."""
        self._write((FOUND, one) for one in ids)

    def removed(self, ids: Iterable[str]) -> None:
        """Note what was removed after the import had ended, with the newest of these files."""
        entries = read_imports(self.folder, self.name)
        if ended := [one for one in entries if one.key == self.entry.key and one.ended]:
            self.entry = replace(ended[0], job=self.entry.job)
        self._write((REMOVED, one) for one in ids)

    def _write(self, lines: Iterable[tuple[str, str]]) -> None:
        lines = iter(lines)
        first = next(lines, None)
        if first is None or isinstance(self.folder, StoragePath):
            return
        self._begin()
        told = refusals_told(Message("What the import adds cannot be recorded"), self.place)
        with told, _ids_file(self.place, self.entry.id).open("a", encoding="utf-8") as stream:
            for sign, id_ in chain([first], lines):
                stream.write(f"{sign}{json.dumps(storable(id_))}\n")

    def _begin(self) -> None:
        """Write the record, or go on with that of the same import where it was broken off.

        Raises
        ------
        LibraryError
            If another process goes on with it already.
        """
        if self._lock is not None:
            return
        told = Message("What the import adds cannot be recorded")
        with refusals_told(told, self.place):
            self.place.mkdir(parents=True, exist_ok=True)
        for before in read_imports(self.folder, self.name):
            if before.is_interrupted and before.key == self.entry.key:
                self.entry = replace(before, job=self.entry.job)
        # Locked before it is saved: a record without an end whose lock is free looks interrupted.
        lock = FileLock(_lock_file(self.place, self.entry.id))
        try:
            with refusals_told(told, self.place):
                lock.acquire(timeout=_PATIENCE)
        except Timeout as error:
            raise LibraryError(
                "These files are being imported into the library {name!r} already; wait until "
                "that import has finished, or stop it, and try again.",
                name=self.name,
            ) from error
        self._lock = lock
        _save(self.place, self.entry)


def read_imports(folder: Path, name: str, *, unfinished: bool = False) -> list[ImportEntry]:
    """Read the imports into a library, the newest first; damaged records are passed over.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    unfinished : bool
        Whether only those that were interrupted count.
    """
    if isinstance(folder, StoragePath):
        return []
    place = imports_folder(folder, name)
    entries = []
    for file in place.glob("*.json"):
        entry = _load(file)
        if entry is None or (unfinished and entry.ended is not None):
            continue
        running = entry.ended is None and is_locked(_lock_file(place, entry.id))
        if unfinished and running:
            continue
        n_brought = len(_ids(place, entry.id, BROUGHT))
        n_removed = len(_ids(place, entry.id, REMOVED))
        entries.append(replace(entry, n_brought=n_brought, n_removed=n_removed, is_running=running))
    return sorted(entries, key=lambda one: -one.started)


def take_back(folder: Path, name: str, id_: str) -> int:
    """Remove the passages that an import brought, but for those that another import found too.

    A passage that it replaced stays as it is now. A library that it made and that is empty then
    goes with it.

    Returns
    -------
    int
        Passages removed.

    Raises
    ------
    InputError
        If there is no such import.
    LibraryError
        If an import is at work on the library, or it cannot be opened.
    """
    mine = brought_alone(folder, name, id_)
    entries = read_imports(folder, name)
    if any(one.is_running for one in entries):
        raise LibraryError(
            "An import into the library {name!r} is running; wait until it has "
            "finished, or stop it first.",
            name=name,
        )
    library = PassageLibrary.open(folder, name)
    place = imports_folder(folder, name)
    shared = _ids(place, id_, BROUGHT) - mine
    for other in reversed(entries):
        # What stays is credited to the import that found it, which may be taken back later, too.
        if other.id != id_ and (its := shared & _ids(place, other.id, _ANY)):
            told = refusals_told(Message("The import cannot be undone"), place)
            with told, _ids_file(place, other.id).open("a", encoding="utf-8") as stream:
                stream.writelines(f"{BROUGHT}{json.dumps(one)}\n" for one in sorted(its))
            shared -= its
    before = library.count()
    library.discard(sorted(mine))
    n_removed = before - library.count()
    made = next(one.made_library for one in entries if one.id == id_)
    if made and len(entries) == 1 and not library.count():
        PassageLibrary.remove(folder, name)
    # Last, so that what is killed on the way can be taken back once more.
    for file in place.glob(f"{id_}.*"):
        file.unlink(missing_ok=True)
    return n_removed


def brought_alone(folder: Path, name: str, id_: str) -> set[str]:
    """Find the ids of passages that an import brought and that no other import found too.

    Raises
    ------
    InputError
        If there is no such import.
    """
    entries = read_imports(folder, name)
    if id_ not in {one.id for one in entries}:
        raise InputError(
            "The library {name!r} has no import {id!r}; it may have been undone already.",
            name=name,
            id=id_,
        )
    place = imports_folder(folder, name)
    mine = _ids(place, id_, BROUGHT)
    for other in entries:
        if other.id != id_:
            mine -= _ids(place, other.id, _ANY)
    return mine


def _ids(place: Path, id_: str, signs: str) -> set[str]:
    """Read the ids of lines that begin with one of some signs; a line cut short is none."""
    found: set[str] = set()
    with suppress(OSError), _ids_file(place, id_).open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line[:1] in signs:
                with suppress(ValueError, RecursionError):
                    found.add(str(json.loads(line[1:])))
    return found


def _load(file: Path) -> ImportEntry | None:
    try:
        entry = typed(ImportEntry, json.loads(file.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return None
    return entry if entry.id == file.stem else None


def _save(place: Path, entry: ImportEntry) -> None:
    kept = {k: v for k, v in asdict(entry).items() if k not in _NOT_KEPT}
    with refusals_told(Message("What the import adds cannot be recorded"), place):
        write_whole(place / f"{entry.id}.json", json.dumps(kept), durable=False)


def is_locked(file: Path) -> bool:
    """Return whether a process holds a lock; it falls with the process."""
    if not file.exists():
        return False
    try:
        with FileLock(file, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that cannot be written to: nobody imports into it
        return False


def _lock_file(place: Path, id_: str) -> Path:
    return place / f"{id_}.lock"


def _ids_file(place: Path, id_: str) -> Path:
    return place / f"{id_}.ids"
