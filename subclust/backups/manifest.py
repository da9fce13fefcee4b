"""What a backup of everything says of itself, and the places that its files come from.

The zip file has a member a file, under a number, and ``manifest.json``, which says where each
belongs and its SHA-256. A library is a member too: a backup of its own, as
`subclust.text.library.backup` writes it.
"""

import errno
import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal

from pydantic import NonNegativeInt

from subclust.core.exceptions import StorageError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage import StoragePath
from subclust.core.storage.damaged import ZIP_DAMAGES, read_typed, zip_damage
from subclust.core.storage.version import FORM

MANIFEST = "manifest.json"
CHUNK = 1024**2
PARTIAL = ".partial"

_FORMAT = "subclust-everything"
_VERSION = 1
_LARGEST_MANIFEST = 256 * 1024**2

Root = Literal["data", "models", "library"]
"""A folder of the settings."""


@dataclass(frozen=True)
class Member:
    """A file in a backup.

    Parameters
    ----------
    name : str
        In the zip file.
    root : {"data", "models", "library"}
        Folder that it belongs to.
    path : str
        Within that folder, with ``/``; of a library its id.
    """

    name: str
    root: Root
    path: str
    is_library: bool
    n_bytes: NonNegativeInt
    sha256: str


@dataclass(frozen=True)
class WholeManifest:
    """What a backup says of itself.

    Parameters
    ----------
    subclust : str
        Version that wrote it.
    form : int
        Of the data folder; see `subclust.core.storage.version`.
    created : str
        Date and time, UTC.
    """

    subclust: str
    form: int
    created: str
    members: tuple[Member, ...]

    @property
    def n_bytes(self) -> int:
        """Of all members, unpacked."""
        return sum(member.n_bytes for member in self.members)

    def to_json(self) -> str:
        """Write it as it stands in the file."""
        return json.dumps({"format": _FORMAT, "version": _VERSION, **asdict(self)})


def root_folders(settings: Settings) -> dict[Root, Path]:
    """Return the folder of each root; libraries in object storage have none."""
    folders: dict[Root, Path] = {"data": settings.data_dir, "models": settings.models_dir}
    if not isinstance(settings.library_dir, StoragePath):
        folders["library"] = settings.library_dir
    return folders


def no_whole_backup(file: Path, why: Message) -> StorageError:
    """Make the error that a file is no backup of everything, or damaged."""
    return StorageError(
        "{file} is not a complete backup of everything ({why}), so nothing was restored; take "
        "another backup.",
        file=file,
        why=why,
    )


@contextmanager
def opened(file: Path) -> Iterator[zipfile.ZipFile]:
    """Open a backup to read.

    Raises
    ------
    StorageError
        If it is missing or no zip file, also where that is only seen as it is read.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except FileNotFoundError as error:
        raise StorageError("There is no file {file}; check its name.", file=file) from error
    except IsADirectoryError as error:
        raise StorageError("{file} is a folder; name the backup in it.", file=file) from error
    except ZIP_DAMAGES as error:
        raise no_whole_backup(file, zip_damage(file)) from error
    except OSError as error:
        if str(error.filename) == str(file):  # it is closed to this user
            raise StorageError(
                "{file} cannot be read ({error}).", file=file, error=error.strerror or error
            ) from error
        if error.errno != errno.EINVAL:  # a place within the file that is none
            raise
        raise no_whole_backup(file, Message("it is damaged")) from error


def read_whole_manifest(file: Path) -> WholeManifest:
    """Read what a backup says of itself.

    Raises
    ------
    StorageError
        If it is no backup of everything, damaged, or of a newer Subclust.
    """
    with opened(file) as archive:
        names = archive.namelist()
        if MANIFEST not in names or archive.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
            raise no_whole_backup(file, Message("it holds no {manifest}", manifest=MANIFEST))
        content = archive.read(MANIFEST)
    try:
        told = json.loads(content)
        known = told["format"] == _FORMAT
        newer = known and (told["version"] > _VERSION or told["form"] > FORM)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise no_whole_backup(file, Message("its manifest cannot be read")) from error
    if not known:
        raise no_whole_backup(file, Message("its manifest is of something else"))
    if newer:
        raise StorageError(
            "{file} was written by a newer Subclust ({version}); restore it with that version.",
            file=file,
            version=str(told.get("subclust")),
        )
    try:
        manifest = read_typed(WholeManifest, content)
    except ValueError as error:
        raise no_whole_backup(file, Message("its manifest cannot be read")) from error
    if not {member.name for member in manifest.members} <= set(names):
        raise no_whole_backup(file, Message("some of its files are missing"))
    if not all(_is_plain(member) for member in manifest.members):
        raise no_whole_backup(file, Message("a file of it would lie elsewhere"))
    if len({(member.root, member.path) for member in manifest.members}) < len(manifest.members):
        raise no_whole_backup(file, Message("two files of it would lie in one place"))
    return manifest


def copy_checked(archive: zipfile.ZipFile, member: Member, target: BinaryIO | None) -> bool:
    """Read a member, write it where a target is given, and return whether it is what was written.

    Never more is read than the manifest says, whatever the archive says.
    """
    digest, n_read = hashlib.sha256(), 0
    with archive.open(member.name) as stream:
        while content := stream.read(CHUNK):
            n_read += len(content)
            if n_read > member.n_bytes:
                return False
            digest.update(content)
            if target is not None:
                target.write(content)
    return n_read == member.n_bytes and digest.hexdigest() == member.sha256


def _is_plain(member: Member) -> bool:
    if member.is_library:
        return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", member.path) is not None
    parts = PurePosixPath(member.path).parts
    usual = bool(parts) and not PurePosixPath(member.path).is_absolute() and ".." not in parts
    # On Windows "\" separates folders and "C:" names a drive.
    return usual and "\\" not in member.path and ":" not in parts[0] and "\0" not in member.path
