"""What was deleted lies here for 30 days, and can be put back."""

import json
import shutil
import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from subclust.core.access import Thing, check_may_change, is_read_only, may_see
from subclust.core.exceptions import BinError
from subclust.core.limits import is_for
from subclust.core.storage.ageing import long_old
from subclust.core.storage.damaged import typed

KEPT_DAYS = 30
"""How long; sentences say so, too."""

KEPT_SECONDS = KEPT_DAYS * 24 * 3600.0

_RECORD = "record.json"
_FILES = "files"


@dataclass(frozen=True)
class BinEntry:
    """One thing that was deleted.

    Parameters
    ----------
    kind : str
        ``"library"``, ``"model"``, ``"set"``, ``"session"``, ``"corrections"`` or
        ``"passages"`` (of the library of that name).
    name : str
        By which it was known to the program, and is again when it is put back.
    title : str
        For people.
    deleted : float
        In seconds since 1970.
    files : tuple of str
        Its files and folders, relative to the folder that it lay in.
    owner : str
        Who alone sees and restores it; "" for everybody.
    teams : tuple of str
        Whose members alone see and restore it; () for everybody.
    """

    id: str
    kind: Thing
    name: str
    title: str
    deleted: float
    files: tuple[str, ...]
    owner: str = ""
    teams: tuple[str, ...] = ()

    @property
    def until(self) -> float:
        """When it is gone for good, in seconds since 1970."""
        return self.deleted + KEPT_SECONDS


class Bin:
    """The bin: a folder an entry, in it a record and what was deleted.

    Files are moved by renaming where the bin is on the same disk, so that deleting needs no room.
    Whoever deletes or puts back holds the lock of whatever it is.

    Parameters
    ----------
    folder : Path
        Made when something is first deleted.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(
        self,
        kind: Thing,
        name: str,
        root: Path,
        paths: Sequence[Path],
        *,
        title: str = "",
        owner: str = "",
        teams: tuple[str, ...] = (),
    ) -> BinEntry:
        """Move files and folders here; those that are not there are passed over.

        Parameters
        ----------
        kind, name, title, owner, teams
            As in `BinEntry`.
        root : Path
            Folder below which the paths are.
        paths : sequence of Path
            The one without which the others are nothing comes first: killed in between, the thing
            is deleted, and the rest is found again where it was.

        Raises
        ------
        BinError
            If they cannot be moved; they stay where they were.
        """
        check_may_change(kind, title or name)
        self.sweep()
        there = [path for path in paths if path.exists()]
        files = tuple(str(path.relative_to(root)) for path in there)
        entry = BinEntry(
            uuid.uuid4().hex[:12], kind, name, title or name, time.time(), files, owner, teams
        )
        place = self.folder / entry.id
        moved: list[str] = []
        try:
            (place / _FILES).mkdir(parents=True)
            # The record goes first: killed in between, what has been moved can still be put back.
            (place / _RECORD).write_text(json.dumps(asdict(entry)), encoding="utf-8")
            for file in files:
                _move(root / file, place / _FILES / file)
                moved.append(file)
        except OSError as error:
            for file in moved:
                _move(place / _FILES / file, root / file)
            shutil.rmtree(place, ignore_errors=True)
            reason = (error.strerror or str(error)).lower()
            raise BinError(
                "{name} cannot be deleted ({error}); make room in {folder}, or check whether "
                "you may write there.",
                name=entry.title,
                error=reason,
                folder=self.folder,
            ) from error
        return entry

    def entries(self, kind: str | None = None) -> list[BinEntry]:
        """List what can be put back, the last deleted first; damaged records are passed over."""
        return [one for one in self._all() if kind in (None, one.kind) and _may_see(one)]

    def _all(self) -> list[BinEntry]:
        found = []
        for file in self.folder.glob(f"*/{_RECORD}"):
            try:
                entry = typed(BinEntry, json.loads(file.read_bytes()))
            except (OSError, ValueError, RecursionError):
                continue
            # The id names the folder that gets deleted, so a copied or edited record must not point
            # at another entry, or out of the bin.
            if entry.id == file.parent.name:
                found.append(entry)
        return sorted(found, key=lambda one: -one.deleted)

    def find(self, id_: str) -> BinEntry:
        """Look an entry up by its id.

        Raises
        ------
        BinError
            If there is none of that id.
        """
        for entry in self.entries():
            if entry.id == id_:
                return entry
        raise BinError(
            "There is nothing {name!r} in the bin; it may have been restored, or its 30 "
            "days are over.",
            name=id_,
        )

    def put_back(self, entry: BinEntry, root: Path, name: str = "") -> None:
        """Move an entry to where it was.

        Parameters
        ----------
        root : Path
            Folder below which it lay.
        name : str, optional
            Takes the place of its own at the beginning of its files' names.

        Raises
        ------
        BinError
            If its place is taken, or cannot be written to; it then stays in the bin.
        """
        check_may_change(entry.kind, entry.title)
        place = self.folder / entry.id / _FILES
        waiting = {
            file: root / (file.replace(entry.name, name, 1) if name else file)
            for file in entry.files
            if (place / file).exists()
        }
        if any(target.exists() for target in waiting.values()):
            raise taken(entry)
        moved: list[str] = []
        try:
            # The first makes it whole.
            for file in reversed(waiting):
                _move(place / file, waiting[file])
                moved.append(file)
        except OSError as error:
            for file in moved:
                _move(waiting[file], place / file)
            reason = (error.strerror or str(error)).lower()
            raise BinError(
                "{name} cannot be restored ({error}); make room in {folder}, or check whether "
                "you may write there.",
                name=entry.title,
                error=reason,
                folder=root,
            ) from error
        self._drop(entry)

    def place(self, entry: BinEntry, file: str) -> Path:
        """Return where a file of an entry lies while it is in the bin."""
        return self.folder / entry.id / _FILES / file

    def remove(self, entry: BinEntry) -> None:
        """Delete an entry for good."""
        check_may_change(entry.kind, entry.title)
        self._drop(entry)

    def _drop(self, entry: BinEntry) -> None:
        shutil.rmtree(self.folder / entry.id, ignore_errors=True)

    def sweep(self) -> list[BinEntry]:
        """Delete for good what has lain here for 30 days, by two looks a day apart; return it."""
        if is_read_only():
            return []
        now = time.time()
        old = {one.id: one for one in self._all() if now - one.deleted > KEPT_SECONDS}
        over = [old[id_] for id_ in long_old(self.folder, old)]
        for entry in over:
            self._drop(entry)
        return over


def _may_see(entry: BinEntry) -> bool:
    return may_see(entry.owner) and is_for(entry.teams)


def taken(entry: BinEntry) -> BinError:
    """Return what is raised where the place of an entry is taken."""
    return BinError(
        "{name} cannot be restored, since something of that name exists again; delete that "
        "first, which then goes to the bin too.",
        name=entry.title,
    )


def _move(source: Path, target: Path) -> None:
    """Rename a file or folder; to another disk it is copied whole before it is taken away."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(source, target)
