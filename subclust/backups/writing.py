"""Writing everything to one file while the app and its jobs run."""

import hashlib
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from subclust import __version__
from subclust.backups.manifest import (
    CHUNK,
    MANIFEST,
    PARTIAL,
    Member,
    Root,
    WholeManifest,
    root_folders,
)
from subclust.core.exceptions import (
    InputError,
    LibraryError,
    LibraryNotFoundError,
    StorageError,
)
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.core.storage.disk import flush_names, refusals_told
from subclust.core.storage.version import check_version
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import back_up
from subclust.text.library.folder import Pointer

REBUILT = ("embeddings", "encoders", "live")
"""Folders of the data folder that are caches."""

_FIRST = ("jobs", "sessions", "corrections", "themes", "harvests")
"""What refers to other things is copied before them, so that what it says is there is there."""

_NOT_COPIED = re.compile(r"\.?[^/]*\.(lock|partial|damaged)|\.before-.*|stop")
_OF_LIBRARY = re.compile(r"\.[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(name\.json|terms\.json|imports)")
_TRIES = 3


@dataclass(frozen=True)
class WholeReport:
    """What was written to a backup of everything, or restored from one.

    Parameters
    ----------
    n_bytes : int
        Of the file.
    n_files : int
        Without the libraries.
    damaged : tuple of str
        Libraries that could not be read and are not in the file.
    accounts : Path or None
        The file of accounts, which is not in the file, wherever it lies: it holds secrets.
    earlier : tuple of str
        Libraries whose vectors of before are not in the file; those in use are.
    """

    file: Path
    n_bytes: int
    n_files: int
    libraries: tuple[str, ...]
    damaged: tuple[str, ...] = ()
    accounts: Path | None = None
    earlier: tuple[str, ...] = ()


def back_up_everything(
    settings: Settings, file: Path, *, progress: Progress | None = None
) -> WholeReport:
    """Write the data and models folders to a zip file that only its owner may read.

    Whatever was reported as saved before this began is in the file. The app and its jobs may go on:
    each file is copied as it is at one moment, each library as of one version of it. What somebody
    adds meanwhile is in the file or not. Caches, models that came with Subclust, earlier versions
    of libraries, libraries in object storage, and the file of accounts are left out.

    Parameters
    ----------
    file : Path
        Must end in ``.zip``; an older one is replaced when the new one is whole.

    Raises
    ------
    InputError
        If the file has another ending, or lies in a folder that it would hold.
    StorageError
        If it cannot be written.
    """
    if file.suffix.lower() != ".zip":
        raise InputError("A backup is a .zip file, but its name is {name!r}.", name=file.name)
    folders = root_folders(settings)
    for folder in folders.values():
        if file.absolute().is_relative_to(folder.absolute()):
            raise InputError(
                "The backup {file} would lie in {folder}, which it is to hold; choose another "
                "place.",
                file=file,
                folder=folder,
            )
    roots: tuple[Root, ...] = ("data", "models")
    units = [(root, unit) for root in roots for unit in _units(root, settings)]
    places = folders.get("library")
    if places is not None:
        units += [("library", path) for path in _listed(places) if _OF_LIBRARY.fullmatch(path.name)]
    names = PassageLibrary.names(places) if places is not None else []
    total = len(units) + len(names)
    with refusals_told(Message("The backup cannot be written"), file.parent):
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(
            prefix=f".{file.name[:60]}.", suffix=PARTIAL, dir=file.parent
        )
        try:
            with os.fdopen(descriptor, "w+b") as stream:
                writer = _Writer(stream, progress, total, settings.accounts)
                for root, unit in units:
                    writer.copy(root, folders[root], unit)
                damaged = writer.libraries(places, names, file.parent) if places else []
                writer.end(check_version(settings.data_dir, __version__))
                # On the disk before the rename; a crash could otherwise leave half a file there.
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(beside, file)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        flush_names(file.parent)
    libraries = tuple(member.path for member in writer.members if member.is_library)
    n_files = len(writer.members) - len(libraries)
    return WholeReport(
        file,
        file.stat().st_size,
        n_files,
        libraries,
        tuple(damaged),
        settings.accounts,
        tuple(name for name in libraries if places is not None and _has_earlier(places, name)),
    )


def _has_earlier(folder: Path, name: str) -> bool:
    with suppress(LibraryError, StorageError):
        return Pointer.load(folder, name).previous is not None
    return False


class _Writer:
    """Puts files into an archive, and notes what each is."""

    def __init__(
        self, stream: IO[bytes], progress: Progress | None, total: int, without: Path | None
    ) -> None:
        self._without = without and without.absolute()
        self.archive = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self.members: list[Member] = []
        self._progress, self._total, self._n_done = progress, total, 0
        self._number = 0

    def copy(self, root: Root, folder: Path, unit: Path) -> None:
        """Copy a file, or a folder whose files belong together: again where they change."""
        # Members of a failed try remain in the archive, but the manifest does not list them.
        for n_left in reversed(range(_TRIES)):
            before = [path for path in _files(unit) if path.absolute() != self._without]
            members = []
            for path in before:
                try:
                    members.append(self._put(root, folder, path))
                except FileNotFoundError:
                    # In the last try, what is still there is copied without what vanished.
                    if n_left:
                        break
            now = [path for path in _files(unit) if path.absolute() != self._without]
            if before == now and len(members) == len(before):
                break
        self.members += members
        self._step()

    def libraries(self, folder: Path, names: Sequence[str], place: Path) -> list[str]:
        """Copy libraries, each by way of a file in a place; return those that are damaged."""
        damaged = []
        with tempfile.TemporaryDirectory(prefix=".subclust-", suffix=PARTIAL, dir=place) as beside:
            for name in names:
                one = Path(beside) / "library.zip"
                try:
                    back_up(folder, name, one)
                except LibraryNotFoundError:  # removed meanwhile
                    continue
                except LibraryError:
                    damaged.append(name)
                    continue
                self.members.append(self._store("library", one, name, is_library=True))
                self._step()
        return damaged

    def end(self, form: int) -> None:
        """Write the manifest, with the form of the data folder."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = WholeManifest(__version__, form, created, tuple(self.members))
        self.archive.writestr(MANIFEST, manifest.to_json())
        self.archive.close()

    def _put(self, root: Root, folder: Path, path: Path) -> Member:
        return self._store(root, path, path.relative_to(folder).as_posix(), is_library=False)

    def _store(self, root: Root, path: Path, told: str, *, is_library: bool) -> Member:
        self._number += 1
        info = zipfile.ZipInfo(f"{'libraries' if is_library else 'files'}/{self._number:08}")
        # Already compressed; a second time costs time and saves nothing.
        packed = is_library or path.suffix in (".safetensors", ".zip", ".npy", ".gz", ".pdf")
        info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        digest, n_bytes = hashlib.sha256(), 0
        # The header is written before the size is known, and a file may still be growing.
        with path.open("rb") as source, self.archive.open(info, "w", force_zip64=True) as target:
            while content := source.read(CHUNK):
                digest.update(content)
                n_bytes += len(content)
                target.write(content)
        return Member(info.filename, root, told, is_library, n_bytes, digest.hexdigest())

    def _step(self) -> None:
        self._n_done += 1
        if self._progress is not None:
            self._progress(self._n_done, self._total)


def _units(root: Root, settings: Settings) -> Iterator[Path]:
    """List what is copied of a folder, each with the files that belong together."""
    data, models = settings.data_dir, settings.models_dir
    if root == "models":
        # What is in use first: whatever it names is there, or was there.
        every = sorted(_listed(models), key=lambda path: path.is_dir())
        for path in every:
            yield from _listed(path) if path.is_dir() else [path]
        return
    others = (models.absolute(), root_folders(settings).get("library", data).absolute())
    every = [
        path
        for path in _listed(data)
        if path.name not in REBUILT and path.absolute() not in others and path.name != "library"
    ]
    every.sort(key=lambda path: (path.name not in _FIRST, path.name))
    for path in every:
        yield from _listed(path) if path.is_dir() else [path]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not _NOT_COPIED.fullmatch(path.name))
    except FileNotFoundError:
        return []


def _files(unit: Path) -> list[Path]:
    if not unit.is_dir():
        return [unit] if unit.is_file() else []
    found = []
    for path, folders, names in os.walk(unit):
        folders[:] = [one for one in sorted(folders) if not _NOT_COPIED.fullmatch(one)]
        found += [Path(path) / name for name in sorted(names) if not _NOT_COPIED.fullmatch(name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]
