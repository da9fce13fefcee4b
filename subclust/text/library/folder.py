"""A folder of libraries: names, tables, versions, and what to say when one is missing or damaged.

A library that was never embedded anew has no file that says which version is in use: its table is
version 1, in ``<name>.lance``. Version n lies beside it in ``<name>.<n>.lance``.
"""

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError, StorageError
from subclust.core.limits import limit_file, may_use
from subclust.core.messages import N_, Message
from subclust.core.records.names import counting_key
from subclust.core.storage import StoragePath
from subclust.core.storage.damaged import read_typed
from subclust.core.storage.disk import check_reached, refusal, refusals_told, write_whole
from subclust.text.library.lance import lancedb

_GONE = ".gone-"
# Address and keys come from the AWS_ variables. Storage in one's own network may go unencrypted,
# and is retried for seconds instead of the default minutes.
_STORAGE = {
    "allow_http": "true",
    "connect_timeout": "5s",
    "client_max_retries": "3",
    "client_retry_timeout": "20",
}
_TABLES_AT_ONCE = 1000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Building:
    """A version that is being built.

    Parameters
    ----------
    number : int
    encoder_name, encoder_revision : str
        Of the encoder whose vectors it will hold.
    """

    number: int
    encoder_name: str
    encoder_revision: str


@dataclass(frozen=True)
class Pointer:
    """The versions of a library.

    Parameters
    ----------
    current : int
        The one in use.
    previous : int or None
        The one that was in use before it, and can be again.
    building : Building or None
    last : int
        The highest number that was ever given; none is given twice.
    """

    current: int
    previous: int | None
    building: Building | None
    last: int

    @classmethod
    def load(cls, folder: Path, name: str) -> "Pointer":
        """Read what there is; without a file, version 1 is all, as it is in object storage.

        Raises
        ------
        LibraryError
            If the file is damaged.
        """
        only = cls(1, None, None, 1)
        if isinstance(folder, StoragePath):
            return only
        file = pointer_file(folder, name)
        try:
            found = read_typed(cls, file.read_bytes())
            if not all(1 <= one <= found.last for one in found.numbers):
                raise ValueError("a version has a number that was never given")
            return found
        except FileNotFoundError:
            return only
        except (OSError, ValueError) as error:
            check_reached(error, file)
            raise LibraryError(
                "The file {file}, which says what version of the library {name!r} is in use, is "
                "damaged; restore the library from a backup, or remove it and import its "
                "documents again.",
                file=file,
                name=name,
            ) from error

    def save(self, folder: Path, name: str) -> None:
        """Write it beside its place and rename it there; it is on the disk when this returns."""
        with refusals_told(Message("The library {name!r} cannot be changed", name=name), folder):
            write_whole(pointer_file(folder, name), json.dumps(asdict(self)))

    def switched(self, number: int) -> "Pointer":
        """Return the versions once this one is in use."""
        building = self.building
        if building is not None and building.number == number:
            building = None
        return replace(self, current=number, previous=self.current, building=building)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The versions that are needed, the one in use first."""
        building = None if self.building is None else self.building.number
        return tuple(n for n in (self.current, self.previous, building) if n is not None)


def pointer_file(folder: Path, name: str) -> Path:
    """Name the file that says what version is in use."""
    return folder / f".{name}.versions.json"


def table_of(name: str, number: int) -> str:
    """Name the table of a version."""
    return name if number == 1 else f"{name}.{number}"


def check_name(name: str) -> None:
    """Refuse a library name that could not be a plain file name everywhere.

    Raises
    ------
    InputError
        Unless it is 1 to 64 letters, digits, ``-`` and ``_``, a letter or digit first.
    """
    if not is_id(name):
        raise InputError(
            "A library's name must be 1 to 64 letters, digits, '-' or '_' and begin with a letter "
            "or digit, but is {name!r}.",
            name=name,
        )


def is_id(name: str) -> bool:
    """Return whether a text has the form of a library's id."""
    return _NAME.fullmatch(name) is not None


def name_file(folder: Path, id_: str) -> Path:
    """Name the file that holds what people call a library."""
    return folder / f".{id_}.name.json"


def terms_file(folder: Path, id_: str) -> Path:
    """Name the file that holds a library's preferred terms."""
    return folder / f".{id_}.terms.json"


def lock_file(folder: Path, name: str) -> Path:
    """Name the file that a library's writers lock."""
    return folder / f".{name}.lock"


def imports_folder(folder: Path, name: str) -> Path:
    """Name the folder that holds what each import brought into a library."""
    return folder / f".{name}.imports"


def library_names(folder: Path) -> list[str]:
    """List the libraries of a folder by name; none where there is no folder.

    Raises
    ------
    LibraryError
        If the folder is one in object storage that cannot be used.
    """
    if isinstance(folder, StoragePath):
        return sorted(filter(_NAME.fullmatch, _stored_tables(folder)), key=counting_key)
    if not folder.is_dir():
        return []
    # Later versions lie in NAME.2.lance and so on.
    names = {path.name.partition(".")[0] for path in folder.glob("[!.]*.lance")}
    found = [name for name in names if _NAME.fullmatch(name) and is_listed(folder, name)]
    return sorted(found, key=counting_key)


def seen_names(folder: Path) -> list[str]:
    """List the libraries of a folder that who acts may use, by name."""
    return [name for name in library_names(folder) if may_use(name, folder)]


def check_seen(folder: Path, name: str) -> None:
    """Refuse a library that who acts may not know of, as one that is not there.

    Raises
    ------
    InputError
        If it cannot be the name of one.
    LibraryNotFoundError
    """
    check_name(name)
    if not may_use(name, folder):
        raise LibraryNotFoundError(not_found(folder, name))


def not_found(folder: Path, name: str) -> str:
    """Return that there is no such library, and what to do."""
    there = seen_names(folder)
    if name == "demo":
        return N_("The demo library has not been built yet; run 'python -m subclust demo' once.")
    if there:
        return Message(
            "There is no library {name!r}; choose one of {there}, or make it with 'python -m "
            "subclust import FILE --library {same}'.",
            name=name,
            there=", ".join(there),
            same=name,
        )
    return Message(
        "There is no library {name!r}, nor any other, in {folder}; make it with 'python -m "
        "subclust import FILE --library {same}', or the demo with 'python -m subclust demo'.",
        name=name,
        folder=folder,
        same=name,
    )


def table_name(folder: Path, name: str) -> str:
    """Name the table that a library's readers read.

    Raises
    ------
    LibraryError
        If nobody can tell.
    """
    return table_of(name, Pointer.load(folder, name).current)


def has_table(folder: Path, name: str) -> bool:
    """Return whether there is a whole table in use.

    Raises
    ------
    LibraryError
        If nobody can tell.
    """
    return is_table(folder, table_name(folder, name))


def is_listed(folder: Path, name: str) -> bool:
    """Return whether there is a library of that name, also where nobody can tell its version."""
    try:
        return has_table(folder, name)
    except LibraryError:  # a damaged one is listed, and says so when it is opened
        return True


def is_table(folder: Path, table: str) -> bool:
    """Return whether a table is whole; a killed creation leaves a folder without versions."""
    if isinstance(folder, StoragePath):
        return table in _stored_tables(folder)
    versions = folder / f"{table}.lance" / "_versions"
    return versions.is_dir() and any(versions.iterdir())


def table_folders(folder: Path, name: str) -> list[Path]:
    """List the folders of all versions of a library on a disk."""
    if isinstance(folder, StoragePath):
        return []
    every = [folder / f"{name}.lance", *folder.glob(f"{name}.*.lance")]
    mine = re.compile(re.escape(name) + r"(\.\d+)?\.lance")
    return sorted(path for path in every if mine.fullmatch(path.name) and path.is_dir())


def files_of(folder: Path, name: str) -> list[Path]:
    """List what belongs to a library on a disk, the version in use first."""
    tables = table_folders(folder, name)
    try:
        used = folder / f"{table_name(folder, name)}.lance"
        tables.sort(key=lambda path: path != used)
    except LibraryError:  # what version is in use cannot be told
        pass
    every = (
        *tables,
        pointer_file(folder, name),
        name_file(folder, name),
        terms_file(folder, name),
        limit_file(folder, name),
        folder / f".{name}.alike.npy",
        imports_folder(folder, name),
    )
    return [path for path in every if path.exists()]


def clear(folder: Path, name: str, *, keep_name: bool = False) -> None:
    """Take away all versions of a library, and what was known of it.

    The one in use goes first, by renaming: killed at any moment the library is there wholly or not
    at all, and what remains is taken away with the next one. What people call it and its terms are
    kept for a library that is about to be made.
    """
    if isinstance(folder, StoragePath):
        connect(folder).drop_table(name, ignore_missing=True)
        return
    for path in files_of(folder, name):
        if keep_name and path in (name_file(folder, name), terms_file(folder, name)):
            continue
        if path.suffix == ".lance":
            drop_table(path)
        elif path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    for gone in folder.glob(f"{_GONE}*"):
        shutil.rmtree(gone, ignore_errors=True)


def drop_table(table: Path) -> None:
    """Take a table's folder away; it is gone at once, its files a little later."""
    gone = table.with_name(f"{_GONE}{uuid.uuid4().hex}")
    table.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def connect(folder: Path) -> Any:
    """Connect to the database of a folder, on a disk or in object storage."""
    database = lancedb()
    if isinstance(folder, StoragePath):
        return database.connect(
            folder.url, storage_options=_STORAGE, read_consistency_interval=timedelta(0)
        )
    # Interval 0: every search sees what other processes have added, at the cost of a fraction of a
    # millisecond.
    return database.connect(folder, read_consistency_interval=timedelta(0))


def _stored_tables(folder: StoragePath) -> list[str]:
    names: list[str] = []
    try:
        database = connect(folder)
        while page := database.table_names(names[-1] if names else None, _TABLES_AT_ONCE):
            names += page
    except (ValueError, RuntimeError, OSError) as error:
        raise LibraryError(
            "The object storage {url} does not answer or refuses; check whether it is there, "
            "and whether AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and "
            "AWS_REGION are right.",
            url=folder.url,
        ) from error
    return names


@contextmanager
def damage_told(folder: Path, name: str) -> Iterator[None]:
    """Turn what LanceDB raises into the sentence that a library is damaged, gone or refused.

    Raises
    ------
    LibraryError
        In place of what LanceDB raises; its panics are a `RuntimeError`.
    StorageError
        If the disk is full or cannot be written to.
    """
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        if told := refusal(error):
            raise StorageError(
                "The library {name!r} cannot be read or written: {error} ({folder}); {told_2}.",
                name=name,
                error=told[0],
                folder=folder,
                told_2=told[1],
            ) from error
        if not isinstance(folder, StoragePath) and not is_listed(folder, name):
            raise LibraryNotFoundError(not_found(folder, name)) from error
        if "conflict" in str(error).lower():
            raise LibraryError(
                "The library {name!r} is being written to by another program; try again in a "
                "moment.",
                name=name,
            ) from error
        raise LibraryError(
            "The library {name!r} in {folder} is damaged and cannot be read to the end; "
            "restore it from a backup, or remove it and import its documents again.",
            name=name,
            folder=folder,
        ) from error
