"""Restoring everything from one file: checked whole, built beside what is there, then put in place.

A mark in the data folder says that it is not whole while things are put in place: killed there, no
command opens it until it is restored again. What was there before is deleted last.
"""

import json
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from subclust.backups.manifest import (
    PARTIAL,
    Member,
    Root,
    WholeManifest,
    copy_checked,
    no_whole_backup,
    opened,
    read_whole_manifest,
    root_folders,
)
from subclust.backups.writing import WholeReport
from subclust.core.access import check_may_change
from subclust.core.exceptions import LibraryError, StorageError
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.core.storage.disk import flush_names, refusals_told, write_whole
from subclust.core.storage.presence import VERSION_FILE
from subclust.core.storage.version import RESTORING_FILE, mark
from subclust.text.library.backup import restore

_BUILT = ".restored" + PARTIAL
_BEFORE = ".before-restoring" + PARTIAL


def restore_everything(
    settings: Settings, file: Path, *, replace: bool = False, progress: Progress | None = None
) -> WholeReport:
    """Restore the data and models folders from a backup; nothing else may use them meanwhile.

    Every file is held against its SHA-256 before anything is written.

    Parameters
    ----------
    file : Path
        That `back_up_everything` has written.
    replace : bool
        Whether what the folders hold now is deleted, once the backup's content is in its place;
        the file of accounts stays.

    Raises
    ------
    StorageError
        If a folder holds something and nothing is to be replaced, the file is no backup or damaged,
        the libraries lie in object storage, or there is no room.
    """
    check_may_change("library")
    manifest = read_whole_manifest(file)
    folders = root_folders(settings)
    if "library" not in folders and any(one.root == "library" for one in manifest.members):
        raise StorageError(
            "The libraries of {file} cannot be restored to object storage; leave "
            "SUBCLUST_LIBRARIES out, or name a folder.",
            file=file,
        )
    if not replace:
        _refuse_filled(folders.values(), settings.accounts)
    _refuse_too_large(settings.data_dir, manifest)
    total = 2 * len(manifest.members)
    with opened(file) as archive:
        for n_done, member in enumerate(manifest.members, start=1):
            if not copy_checked(archive, member, None):
                raise no_whole_backup(
                    file, Message("{part} is not what was written", part=member.path)
                )
            if progress is not None:
                progress(n_done, total)
        with refusals_told(Message("The backup cannot be restored"), settings.data_dir):
            try:
                _clear_built(folders)
                # What lies beside a library comes after it, since restoring it clears its place.
                members = sorted(manifest.members, key=lambda member: not member.is_library)
                for n_done, member in enumerate(members, start=1):
                    _build(archive, member, folders)
                    if progress is not None:
                        progress(len(manifest.members) + n_done, total)
                _refuse_in_the_way(file, folders)
            except BaseException:
                _clear_built(folders, anew=False)
                raise
            _put_in_place(settings, manifest, folders)
    libraries = tuple(member.path for member in manifest.members if member.is_library)
    n_files = len(manifest.members) - len(libraries)
    return WholeReport(file, file.stat().st_size, n_files, libraries)


def _build(archive: zipfile.ZipFile, member: Member, folders: Mapping[Root, Path]) -> None:
    built = folders[member.root] / _BUILT
    target = built / (".library.zip" if member.is_library else member.path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as stream:
        if not copy_checked(archive, member, stream):
            raise StorageError("{file} changed while it was read; try again.", file=member.path)
    if member.is_library:
        try:
            restore(built, target, name=member.path)
        except LibraryError as error:
            raise StorageError(
                "The library {name!r} of the backup cannot be restored: {sentence}",
                name=member.path,
                sentence=error.sentence,
            ) from error
        target.unlink()


def _clear_built(folders: Mapping[Root, Path], *, anew: bool = True) -> None:
    for folder in folders.values():
        shutil.rmtree(folder / _BUILT, ignore_errors=True)
        if anew:
            (folder / _BUILT).mkdir(parents=True)


def _refuse_in_the_way(file: Path, folders: Mapping[Root, Path]) -> None:
    """Refuse what would lie where another folder does, or a mark of the restoring itself."""
    inner = {folder.absolute() for folder in folders.values()}
    for folder in folders.values():
        for path in (folder / _BUILT).iterdir():
            if (
                path.name.endswith(PARTIAL)
                or path.name == RESTORING_FILE
                or (path.name == VERSION_FILE and not path.is_file())
                or folder.absolute() / path.name in inner
            ):
                raise no_whole_backup(file, Message("a file of it would lie elsewhere"))


def _put_in_place(
    settings: Settings, manifest: WholeManifest, folders: Mapping[Root, Path]
) -> None:
    half = settings.data_dir / RESTORING_FILE
    write_whole(half, json.dumps({"subclust": manifest.subclust, "created": manifest.created}))
    # Models and libraries usually lie inside the data folder; each is moved in its own turn.
    inner = {folder.absolute() for folder in folders.values()}
    for folder in folders.values():
        before = folder / _BEFORE
        before.mkdir(exist_ok=True)
        for path in sorted(folder.iterdir()):
            if path.name in (_BUILT, _BEFORE, RESTORING_FILE) or path.absolute() in inner:
                continue
            target = before / path.name
            if target.exists():  # an earlier restoring was killed: this is half of what it brought
                _remove(path)
            else:
                path.rename(target)
        for path in sorted((folder / _BUILT).iterdir()):
            path.rename(folder / path.name)
        (folder / _BUILT).rmdir()
        flush_names(folder)
    if settings.accounts is not None:
        _keep(settings.accounts.absolute(), folders.values())
    mark(settings.data_dir, manifest.form, manifest.subclust)
    half.unlink()
    flush_names(settings.data_dir)
    for folder in folders.values():
        shutil.rmtree(folder / _BEFORE, ignore_errors=True)


def _keep(file: Path, folders: Iterable[Path]) -> None:
    """Put a file that no backup holds back to where it was."""
    for folder in folders:
        if file.is_relative_to(folder.absolute()):
            before = folder / _BEFORE / file.relative_to(folder.absolute())
            if before.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                before.replace(file)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _refuse_filled(folders: Iterable[Path], accounts: Path | None) -> None:
    stays = accounts and accounts.absolute()
    for folder in folders:
        there = folder.iterdir() if folder.is_dir() else ()
        if any(path.name != VERSION_FILE and path.absolute() != stays for path in there):
            raise StorageError(
                "The folder {folder} is not empty; name another one in SUBCLUST_DATA_DIR, or stop "
                "the app and add --replace to delete what it holds.",
                folder=folder,
            )


def _refuse_too_large(folder: Path, manifest: WholeManifest) -> None:
    place = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    # A library is unpacked to about twice its file, for its indexes.
    needed, room = 2 * manifest.n_bytes, shutil.disk_usage(place).free
    if needed > room:
        raise StorageError(
            "Restoring needs about {needed:.1f} GB, but there are {free:.1f} GB free in {folder}; "
            "make room there.",
            needed=needed / 1e9,
            free=room / 1e9,
            folder=folder,
        )
