"""Passages that leave a library: to the bin, and back."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from subclust.core.bin import Bin, BinEntry
from subclust.core.exceptions import BinError, InputError
from subclust.core.messages import Message
from subclust.core.storage.changes import check_may_change
from subclust.core.storage.disk import refusals_told
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter
from subclust.text.library.imports import brought_alone, read_imports, take_back
from subclust.text.library.names import name_of
from subclust.text.library.schema import STORED, from_table
from subclust.text.library.search import among, scan

KIND = "passages"

_FILE = "passages.arrow"


def move_to_bin(folder: Path, name: str, which: PassageFilter, to: Bin) -> int:
    """Move all passages that match from a library to the bin.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    which : PassageFilter
    to : Bin

    Returns
    -------
    int
        How many there were.

    Raises
    ------
    InputError
        If the filter means every passage.
    LibraryError
        If there is no such library, or another writer does not let go.
    BinError
        If the bin cannot be written to.
    """
    check_may_change()
    library = PassageLibrary.open(folder, name)
    if which.condition is None:
        raise InputError(
            "Nothing says which passages are to be removed; name some of them, or remove the "
            "whole library {name}.",
            name=name,
        )
    before = library.count()
    with copied_to_bin(folder, library, [which.condition], to) as ids:
        library.discard(ids)
    return before - library.count()


def take_back_import(folder: Path, name: str, id_: str, to: Bin) -> int:
    """Take an import back, and move what it alone brought to the bin.

    A library that it made, and that holds nothing else, goes to the bin as a whole.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name, id_ : str
    to : Bin

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
    BinError
        If the bin cannot be written to.
    """
    check_may_change()
    ids = sorted(brought_alone(folder, name, id_))
    imports = read_imports(folder, name)
    library = PassageLibrary.open(folder, name)
    is_all = len(imports) == 1 and imports[0].made_library and library.count() == len(ids)
    if is_all and not imports[0].is_running:
        PassageLibrary.remove(folder, name, to, title=name_of(folder, name))
        return len(ids)
    with copied_to_bin(folder, library, among(ids), to):
        return take_back(folder, name, id_)


@contextmanager
def copied_to_bin(
    folder: Path, library: PassageLibrary, conditions: Iterable[str], to: Bin
) -> Iterator[list[str]]:
    """Copy passages to the bin, for a block that deletes them; they stay there if it succeeds."""
    name = library.name
    with (
        refusals_told(Message("The passages cannot be deleted"), to.folder, BinError),
        library.told(),
    ):
        to.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".passages-", dir=to.folder) as work:
            ids = _copy(library, conditions, Path(work) / _FILE)
            entry = None
            if ids:
                title = f"{name_of(folder, name)} ({len(ids):,})"
                entry = to.put(KIND, name, Path(work), [Path(work) / _FILE], title=title)
    try:
        yield ids
    except BaseException:
        if entry is not None:
            to.remove(entry)
        raise


def put_back_from(folder: Path, entry: BinEntry, where: Bin) -> None:
    """Add passages of the bin to their library again, but for those that are there.

    Raises
    ------
    BinError
        If the library has vectors of another encoder now.
    LibraryError
        If it is gone, or another writer does not let go.
    """
    library = PassageLibrary.open(folder, entry.name)
    with pa.OSFile(str(where.place(entry, _FILE))) as source, pa.ipc.open_file(source) as reader:
        rows = reader.read_all()
    revision = (rows.schema.metadata or {}).get(b"encoder_revision", b"").decode()
    if revision != library.encoder_revision:
        raise BinError(
            "The library {library} has the vectors of another encoder than these passages; import "
            "their documents again.",
            library=entry.name,
        )
    found = from_table(rows, np.zeros(len(rows)))
    there = library.fingerprints()
    back = [number for number, one in enumerate(found.passages) if one.id not in there]
    library.add([found.passages[number] for number in back], found.embeddings[back])
    where.remove(entry)


def _copy(library: PassageLibrary, conditions: Iterable[str], path: Path) -> list[str]:
    """Write rows that meet any of the conditions, a few at a time, and return their ids."""
    ids: list[str] = []
    about = {"encoder_revision": library.encoder_revision}
    fields = [library.table.schema.field(name) for name in STORED]
    schema = pa.schema(fields, metadata=about)
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_file(target, schema) as writer:
        for condition in conditions:
            for batch in scan(library.table, STORED, condition):
                writer.write_batch(batch.select(STORED).replace_schema_metadata(about))
                ids += batch.column("id").to_pylist()
    return ids
