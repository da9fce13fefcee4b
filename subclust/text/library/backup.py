"""A library as one zip file, and back.

The file holds what a library is made of and nothing of how its table is laid out: passages as JSON
Lines, their vectors as little-endian float32, so many passages a part, and ``manifest.json`` with
the encoder and the SHA-256 of each part. So it can be read without Subclust, and restored by later
versions of it.
"""

import shutil
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
from filelock import FileLock, Timeout

from subclust.core.access import check_may_change
from subclust.core.exceptions import InputError, LibraryError
from subclust.core.messages import Message
from subclust.core.records import FloatArray, Passage
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.storage.damaged import ZIP_DAMAGES, zip_damage
from subclust.text.library import add
from subclust.text.library.backup_parts import (
    MANIFEST,
    BackupManifest,
    Part,
    checked_manifest,
    no_backup,
    read_part,
    written_part,
)
from subclust.text.library.folder import check_name, clear, is_listed
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.schema import STORED, passages_of
from subclust.text.library.search import scan

PASSAGES_PER_PART = 4096

_RESTORING = ".restoring"


@dataclass(frozen=True)
class BackupReport:
    """What was written to a backup, or restored from one.

    Parameters
    ----------
    library : str
    n_passages : int
    n_bytes : int
        Of the file.
    file : Path
    """

    library: str
    n_passages: int
    n_bytes: int
    file: Path


def back_up(
    folder: Path, name: str, file: Path, *, progress: Progress | None = None
) -> BackupReport:
    """Write a library to a zip file; an older file of that name is replaced when it is whole.

    It is the library as it is when this begins: who writes to it meanwhile need not wait, and
    nothing of what he writes is in the file.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    file : Path
        Must end in ``.zip``.
    progress : callable, optional

    Raises
    ------
    InputError
        If the file has another ending or cannot be written.
    LibraryError
        If the library is missing or damaged.
    """
    if file.suffix.lower() != ".zip":
        raise InputError("A backup is a .zip file, but its name is {name!r}.", name=file.name)
    library = PassageLibrary.open(folder, name)
    total = library.count()
    beside = file.with_name(f".{file.name}.partial")
    parts: list[Part] = []
    n_done = 0
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for rows in _parts(library):
                flat = rows.column("embedding").combine_chunks().flatten().to_numpy()
                texts, vectors = written_part(
                    passages_of(rows), flat.astype("<f4"), len(parts) // 2
                )
                for part, content in (texts, vectors):
                    # Compressing vectors takes time and saves next to nothing.
                    kind = zipfile.ZIP_STORED if part.is_vectors else zipfile.ZIP_DEFLATED
                    archive.writestr(part.name, content, kind)
                    parts.append(part)
                n_done += len(rows)
                if progress is not None:
                    progress(n_done, max(total, n_done))
            manifest = BackupManifest(
                name=name,
                n_passages=n_done,
                encoder_name=library.encoder_name,
                encoder_revision=library.encoder_revision,
                embedding_dim=library.embedding_dim,
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                parts=tuple(parts),
            )
            archive.writestr(MANIFEST, manifest.to_json())
        beside.replace(file)
        return BackupReport(name, n_done, file.stat().st_size, file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputError(
            "The backup {file} cannot be written ({error}); choose another place, or make room "
            "there.",
            file=file,
            error=error.strerror or error,
        ) from error
    except (RuntimeError, ValueError) as error:  # of the table's library
        beside.unlink(missing_ok=True)
        raise LibraryError(
            "The library {name!r} in {folder} is damaged and cannot be read to the end "
            "({error}); no backup was written.",
            name=name,
            folder=folder,
            error=error,
        ) from error


def read_manifest(file: Path) -> BackupManifest:
    """Read what a backup says of itself.

    Raises
    ------
    LibraryError
        If it is no backup, or damaged.
    """
    with _opened(file) as archive:
        return checked_manifest(archive, file.name)


def restore(
    folder: Path, file: Path, *, name: str | None = None, progress: Progress | None = None
) -> BackupReport:
    """Make a library from a backup; it is there when it is whole, and not before.

    Nothing is unpacked under a name that the file gives: each part is read, held against its
    SHA-256 and its size, and added to a library that is built beside the others.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    file : Path
        That `back_up` has written.
    name : str, optional
        Of the library, by default the one that it had.
    progress : callable, optional

    Raises
    ------
    InputError
        If the name cannot be used.
    LibraryError
        If there is a library of that name, the file is no backup or damaged, another restoring is
        at work, or the disk has no room for it.
    """
    check_may_change("library")
    manifest = read_manifest(file)
    name = manifest.name if name is None else name
    check_name(name)
    _refuse_taken(folder, name)
    _refuse_too_large(folder, manifest)
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder) as workshop:
        try:
            _build(workshop, name, file, manifest, progress)
            with add.writing(folder, name):
                # Once more, under the lock: somebody may have made a library of that name
                # meanwhile.
                _refuse_taken(folder, name)
                # A killed creation may have left a folder, onto which nothing could be renamed.
                clear(folder, name, keep_name=True)
                (workshop / f"{name}.lance").rename(folder / f"{name}.lance")
        except (OSError, RuntimeError) as error:  # the table's library raises both for a full disk
            raise LibraryError(
                "The library cannot be restored in {folder} ({error}); make room there, or "
                "check whether you may write there.",
                folder=folder,
                error=error,
            ) from error
    return BackupReport(name, manifest.n_passages, file.stat().st_size, file)


def _build(
    workshop: Path, name: str, file: Path, manifest: BackupManifest, progress: Progress | None
) -> None:
    library = PassageLibrary.create(
        workshop,
        name,
        embedding_dim=manifest.embedding_dim,
        encoder_name=manifest.encoder_name,
        encoder_revision=manifest.encoder_revision,
    )
    n_done = 0
    for passages, vectors in _read_parts(file, manifest):
        try:
            library.add(passages, vectors)
        except InputError as error:
            raise no_backup(file.name, Message("some of its passages cannot be read")) from error
        n_done += len(passages)
        if progress is not None:
            progress(n_done, manifest.n_passages)
    if library.count() != manifest.n_passages:
        raise no_backup(file.name, Message("some of its passages have the same id"))
    library.optimize()


def _read_parts(file: Path, manifest: BackupManifest) -> Iterator[tuple[list[Passage], FloatArray]]:
    with _opened(file) as archive:
        for texts, vectors in zip(manifest.parts[::2], manifest.parts[1::2], strict=True):
            yield read_part(archive, texts, vectors, manifest, file.name)


def _parts(library: PassageLibrary) -> Iterator[pa.Table]:
    """Return a library's rows, `PASSAGES_PER_PART` at a time, all as of one moment."""
    held: list[pa.RecordBatch] = []
    n_held = 0
    for batch in scan(library.table, STORED, batch_size=1024):
        held.append(batch)
        n_held += len(batch)
        while n_held >= PASSAGES_PER_PART:
            rows = pa.Table.from_batches(held)
            yield rows.slice(0, PASSAGES_PER_PART)
            held = rows.slice(PASSAGES_PER_PART).to_batches()
            n_held -= PASSAGES_PER_PART
    if n_held:
        yield pa.Table.from_batches(held)


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except FileNotFoundError as error:
        raise LibraryError("There is no file {file}; check its name.", file=file) from error
    except ZIP_DAMAGES as error:
        raise no_backup(file.name, zip_damage(file)) from error
    except OSError as error:
        raise LibraryError(
            "{file} cannot be read ({error}).", file=file, error=error.strerror or error
        ) from error


def _refuse_taken(folder: Path, name: str) -> None:
    if is_listed(folder, name):
        raise LibraryError(
            "There is a library {name!r} already; restore it under another name, or "
            "remove that one first.",
            name=name,
        )


def _refuse_too_large(folder: Path, manifest: BackupManifest) -> None:
    # The folder of the libraries is made only once it is known that there is room.
    place = next(one for one in (folder, *folder.parents) if one.exists())
    room, needed = shutil.disk_usage(place).free, manifest.n_bytes
    if needed > room:
        raise LibraryError(
            "The library needs about {needed:.1f} GB, but there are {free:.1f} GB free in "
            "{folder}; make room there.",
            needed=needed / 1000000000.0,
            free=room / 1000000000.0,
            folder=folder,
        )


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """Return a folder to build in, empty, on the same disk; one restoring at a time."""
    try:
        with FileLock(folder / f"{_RESTORING}.lock", timeout=0):
            for left in folder.glob(f"{_RESTORING}-*"):  # of one that was killed
                shutil.rmtree(left, ignore_errors=True)
            workshop = folder / f"{_RESTORING}-{uuid.uuid4().hex}"
            try:
                yield workshop
            finally:
                shutil.rmtree(workshop, ignore_errors=True)
    except Timeout as error:
        raise LibraryError("Another library is being restored; wait until that is done.") from error
