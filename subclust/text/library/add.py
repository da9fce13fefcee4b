"""Writing to a library's table: one writer at a time, each write a transaction."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
from filelock import FileLock, Timeout

from subclust.core.access import check_may_change
from subclust.core.bin import Bin, BinEntry, taken
from subclust.core.exceptions import LibraryError, LibraryNotFoundError
from subclust.core.limits import teams_of
from subclust.core.messages import Message
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import refusals_told
from subclust.text.library.folder import (
    check_name,
    check_seen,
    clear,
    files_of,
    is_listed,
    lock_file,
    not_found,
)
from subclust.text.library.search import SEARCHED_COLUMN

VECTOR_INDEX_ROWS = 20_000
"""From so many rows on, comparing a query with every vector is slower than an index."""

LOCK_TIMEOUT = 120.0
"""Seconds that a writer waits for another."""

KEPT = timedelta(days=1)
"""How long a reader may go on with what he began to read before the table was written to."""

_ATTEMPTS = 5
_FIRST_PAUSE = 0.1
_INDEX_OF_TEXT = f"{SEARCHED_COLUMN}_idx"
_INDEX_OF_VECTORS = "embedding_idx"
_KIND_OF_VECTORS = "ivfsq"

Result = TypeVar("Result")

_is_sole_writer = ContextVar("_is_sole_writer", default=False)


@contextmanager
def sole_writer() -> Iterator[None]:
    """Let libraries in object storage, where no file can be locked, be written to.

    Whoever says so sees to it that nobody else writes to them meanwhile.
    """
    before = _is_sole_writer.set(True)
    try:
        yield
    finally:
        _is_sole_writer.reset(before)


@contextmanager
def writing(folder: Path, library: str) -> Iterator[None]:
    """Hold the library's writer lock; it falls when the process dies, however it dies.

    Raises
    ------
    LibraryError
        If another writer holds it for longer than `LOCK_TIMEOUT`, or it lies in object storage and
        nobody is its `sole_writer`.
    """
    check_seen(folder, library)
    check_may_change("library", library)
    if isinstance(folder, StoragePath) and _is_sole_writer.get():
        yield
        return
    lock = FileLock(lock_file(folder, library))
    try:
        with refusals_told(
            Message("The library {library!r} cannot be changed", library=library), folder
        ):
            lock.acquire(timeout=LOCK_TIMEOUT)
    except Timeout as error:
        raise LibraryError(
            "The library {name!r} has been in use by another import for {count:.0f} seconds; wait "
            "for that import to end, or stop it, and try again.",
            name=library,
            count=LOCK_TIMEOUT,
        ) from error
    try:
        yield
    finally:
        lock.release()


def remove_library(folder: Path, name: str, to: Bin | None = None, *, title: str = "") -> None:
    """Delete a library and everything in it.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    to : Bin, optional
        Where it can be put back from; without one it is deleted for good.
    title : str
        What people call it.

    Raises
    ------
    LibraryNotFoundError
        If there is none of that name.
    LibraryError
        If it is held by a writer.
    """
    check_name(name)
    if not is_listed(folder, name):
        raise LibraryNotFoundError(not_found(folder, name))
    told = refusals_told(Message("The library {name!r} cannot be removed", name=name), folder)
    with writing(folder, name), told:
        if to is not None:
            files, teams = files_of(folder, name), teams_of(folder, name)
            to.put("library", name, folder, files, title=title, teams=teams)
        clear(folder, name)


def put_library_back(folder: Path, entry: BinEntry, bin_: Bin, name: str = "") -> None:
    """Put a library back that was deleted, under its id or another.

    Raises
    ------
    BinError
        If there is one of that id, or it cannot be written to its place.
    """
    name = name or entry.name
    with writing(folder, name):
        if is_listed(folder, name):
            raise taken(entry)
        bin_.put_back(entry, folder, name)


def add_rows(table: Any, rows: pa.Table, instead_of: str | None = None) -> None:
    """Insert rows, replacing those whose id is already there, in one transaction.

    The caller holds the lock of `writing`.

    Parameters
    ----------
    table : lancedb table
    rows : pyarrow.Table
        Unique ids.
    instead_of : str, optional
        SQL condition; rows that meet it and have none of these ids are deleted.
    """
    ensure_text_index(table)

    def merge() -> None:
        # At each attempt: after a conflict the table has a newer version than this handle.
        table.checkout_latest()
        builder = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        if instead_of is not None:
            builder = builder.when_not_matched_by_source_delete(instead_of)
        builder.execute(rows)

    _retry(merge)


def append_rows(table: Any, rows: pa.Table) -> None:
    """Insert rows in one transaction; other than `add_rows`, this reads nothing of the table.

    The caller holds the lock of `writing`.

    Parameters
    ----------
    table : lancedb table
    rows : pyarrow.Table
        Unique ids, none of which is there.
    """
    ensure_text_index(table)
    table.checkout_latest()
    table.add(rows)


def remove_rows(table: Any, condition: str) -> None:
    """Delete the rows that meet an SQL condition, in one transaction."""

    def delete() -> None:
        table.checkout_latest()
        table.delete(condition)

    _retry(delete)


def ensure_text_index(table: Any) -> None:
    """Make the full-text index if it is not there (a killed `create` may have left none).

    English stemming and stop words, accents folded: "passages" finds "passage", "cafe" finds
    "café". Words of other languages are found as they are written.
    """
    from lancedb.index import FTS

    if not _has_index(table, _INDEX_OF_TEXT):
        config = FTS(language="English", stem=True, remove_stop_words=True, ascii_folding=True)
        _retry(lambda: table.create_index(SEARCHED_COLUMN, config=config, name=_INDEX_OF_TEXT))


def bring_indexes_up_to_date(table: Any, vector_index_rows: int = VECTOR_INDEX_ROWS) -> None:
    """Compact the table and take new rows into its indexes, so that searching is fast again.

    Rows are found before that too, only more slowly. A table of at least `vector_index_rows` rows
    gets an index of its vectors, which holds each number in a byte (IVF_SQ; searches compute the
    final scores exactly). One of another kind, as earlier versions made, is replaced.
    """
    from lancedb.index import IvfSq

    ensure_text_index(table)
    many = table.count_rows() >= vector_index_rows
    if many and _kind_of_index(table, _INDEX_OF_VECTORS) != _KIND_OF_VECTORS:
        config = IvfSq(distance_type="cosine")
        _retry(lambda: table.create_index("embedding", config=config, name=_INDEX_OF_VECTORS))
    _retry(table.optimize)


def renew_indexes(table: Any) -> None:
    """Make the indexes that there are anew, reading nothing of the old ones."""
    kinds = [index.name for index in table.list_indices()]
    for name in kinds:
        table.drop_index(name)
    ensure_text_index(table)
    if _INDEX_OF_VECTORS in kinds:
        bring_indexes_up_to_date(table)


def compact(table: Any) -> None:
    """Bring the indexes up to date, and delete what only versions of more than a day ago need."""
    bring_indexes_up_to_date(table)
    _retry(lambda: table.optimize(cleanup_older_than=KEPT))


def _has_index(table: Any, name: str) -> bool:
    return _kind_of_index(table, name) is not None


def _kind_of_index(table: Any, name: str) -> str | None:
    kinds = {index.name: _letters(index.index_type) for index in table.list_indices()}
    return kinds.get(name)


def _letters(kind: str) -> str:
    """Write ``IVF_SQ`` and ``IvfSq``, as which LanceDB tells the same kind, alike."""
    return kind.replace("_", "").lower()


def _retry(write: Any) -> None:
    """Try again when a program that ignores the lock got its commit in first."""
    pause = _FIRST_PAUSE
    for attempt in range(_ATTEMPTS):
        try:
            write()
            return
        except (RuntimeError, OSError, ValueError) as error:
            # LanceDB has no class of its own for a conflict; only the message tells it.
            if "conflict" not in str(error).lower() or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(pause)
            pause *= 2
