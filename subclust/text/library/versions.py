"""The versions of a library: one in use, the one before it, and perhaps one that is being built.

A version holds the same passages with the vectors of another encoder, in a table of its own. What
is in use changes by renaming one small file (see `pointer`), so that whoever opens the library, or
dies meanwhile, finds the one or the other.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from subclust.core.access import check_may_change
from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError
from subclust.text.library import add
from subclust.text.library.catalogue import last_written
from subclust.text.library.counts import size_on_disk
from subclust.text.library.folder import (
    Building,
    Pointer,
    check_name,
    connect,
    drop_table,
    has_table,
    is_table,
    not_found,
    table_folders,
    table_of,
)
from subclust.text.library.schema import passage_schema, read_encoder

IN_USE, PREVIOUS, BEING_BUILT = "in use", "previous", "being built"


@dataclass(frozen=True)
class Version:
    """A version of a library.

    Parameters
    ----------
    number : int
    encoder_name, encoder_revision : str
    n_passages : int
    n_bytes : int
        On disk.
    written : float or None
        When something was last written to it, in seconds since 1970.
    state : {"in use", "previous", "being built"}
    """

    number: int
    encoder_name: str
    encoder_revision: str
    n_passages: int
    n_bytes: int
    written: float | None
    state: str


def versions(folder: Path, name: str) -> tuple[Version, ...]:
    """List the versions of a library, in order of their numbers.

    Raises
    ------
    LibraryError
        If it is missing or damaged.
    """
    check_name(name)
    if not has_table(folder, name):
        raise LibraryNotFoundError(not_found(folder, name))
    pointer = Pointer.load(folder, name)
    found = []
    for number in sorted(pointer.numbers):
        if not is_table(folder, table_of(name, number)):  # one that is only just begun
            continue
        table = open_version(folder, name, number)
        place = folder / f"{table_of(name, number)}.lance"
        states = {pointer.current: IN_USE, pointer.previous: PREVIOUS}
        found.append(
            Version(
                number,
                *read_encoder(table.schema, name),
                int(table.count_rows()),
                size_on_disk(place),
                last_written(place),
                states.get(number, BEING_BUILT),
            )
        )
    return tuple(found)


def building_lock(folder: Path, name: str) -> Path:
    """Name the file that is locked while versions of a library are built or taken away."""
    return folder / f".{name}.reembed.lock"


@contextmanager
def building(folder: Path, name: str) -> Iterator[None]:
    """Be the only one who builds or takes away versions of a library.

    Raises
    ------
    LibraryError
        If somebody else does.
    """
    check_may_change("library", name)
    try:
        with FileLock(building_lock(folder, name), timeout=0):
            yield
    except Timeout as error:
        raise LibraryError(
            "The embeddings of the library {name!r} are already being recomputed; wait "
            "until that is done.",
            name=name,
        ) from error


def open_version(folder: Path, name: str, number: int) -> Any:
    """Open the table of a version.

    Raises
    ------
    LibraryError
        If it is damaged.
    """
    try:
        return connect(folder).open_table(table_of(name, number))
    except (ValueError, RuntimeError, OSError) as error:
        raise LibraryError(
            "Version {number} of the library {name!r} in {folder} is damaged and cannot be "
            "opened; restore the library from a backup.",
            number=number,
            name=name,
            folder=folder,
        ) from error


def begin_version(
    folder: Path, name: str, *, embedding_dim: int, encoder_name: str, encoder_revision: str
) -> tuple[int, Any]:
    """Go on with the version that is being built for an encoder, or begin one.

    What was being built for another encoder is dropped. The caller holds a lock of his own, so that
    nobody else builds.

    Returns
    -------
    int
        Its number.
    lancedb table
    """
    pointer = Pointer.load(folder, name)
    half = pointer.building
    wanted = (encoder_name, encoder_revision)
    if half is None or (half.encoder_name, half.encoder_revision) != wanted:
        number = pointer.last + 1
        # Noted before the table is made, so that a killed run never leaves the number to another
        # one.
        replace(pointer, building=Building(number, *wanted), last=number).save(folder, name)
        sweep(folder, name)
    else:
        number = half.number
    table = table_of(name, number)
    if not is_table(folder, table):
        shutil.rmtree(folder / f"{table}.lance", ignore_errors=True)
        schema = passage_schema(embedding_dim, encoder_name, encoder_revision)
        return number, connect(folder).create_table(table, schema=schema)
    return number, open_version(folder, name, number)


def switch(folder: Path, name: str, number: int) -> None:
    """Put a version in use. The caller holds the writer lock."""
    Pointer.load(folder, name).switched(number).save(folder, name)


def sweep(folder: Path, name: str) -> None:
    """Take away the tables of versions that are no longer needed."""
    needed = {f"{table_of(name, number)}.lance" for number in Pointer.load(folder, name).numbers}
    for table in table_folders(folder, name):
        if table.name not in needed:
            drop_table(table)


def forget(folder: Path, name: str, number: int) -> None:
    """Take away a version that is not in use.

    Raises
    ------
    InputError
        If it is the one in use, or there is none of that number.
    LibraryError
        If the library is missing, damaged or in use by another writer.
    """
    check_name(name)
    if not has_table(folder, name):
        raise LibraryNotFoundError(not_found(folder, name))
    with building(folder, name), add.writing(folder, name):
        pointer = Pointer.load(folder, name)
        if number == pointer.current:
            raise InputError(
                "Version {number} of {name!r} is the one in use; remove the whole library, or go "
                "back to the version before first.",
                number=number,
                name=name,
            )
        if number not in pointer.numbers:
            there = ", ".join(map(str, sorted(pointer.numbers)))
            raise InputError(
                "{name!r} has no version {number}; there are: {there}.",
                name=name,
                number=number,
                there=there,
            )
        half = pointer.building
        if half is not None and half.number == number:
            half = None
        previous = None if number == pointer.previous else pointer.previous
        replace(pointer, previous=previous, building=half).save(folder, name)
        sweep(folder, name)
