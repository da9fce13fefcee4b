"""What libraries there are, and what is in each."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from subclust.core.exceptions import LibraryError
from subclust.core.storage import StoragePath
from subclust.text.library.catalogue import OTHERS, UNKNOWN, Facets, ordered
from subclust.text.library.folder import (
    Pointer,
    library_names,
    pointer_file,
    table_folders,
    table_name,
)
from subclust.text.library.imports import ImportEntry, read_imports
from subclust.text.library.names import name_of
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.search import SEARCHED_COLUMN, scan

__all__ = ["OTHERS", "UNKNOWN", "LibraryEntry", "catalogue", "describe", "stamp"]


@dataclass(frozen=True)
class LibraryEntry:
    """A library and what is in it.

    Parameters
    ----------
    name : str
    n_passages, n_documents : int
    collections, sources, languages : mapping of str to int
        Passages by the collection that they are in, and by what their records say, most first.
        Where they say nothing the key is `UNKNOWN`; beyond 1,000 different values it is `OTHERS`.
    years : mapping of str to int
        Passages by year, ascending.
    n_bytes, n_bytes_other : int
        On disk: of the version in use, and of those that are kept or being built beside it.
    encoder_name, encoder_revision : str
        Of the encoder whose vectors it holds.
    embedding_dim : int
    is_current : bool or None
        Whether that is the encoder which was asked about; None where none was.
    written : float or None
        When something was last written to it, in seconds since 1970.
    has_text_index, has_vector_index : bool
        Without the second every vector is compared, which is exact.
    n_fragments : int
        Parts that its rows lie in; many small ones are slow.
    version : int
        The one in use, from 1.
    can_roll_back : bool
    problem : str
        A sentence where the library cannot be read; all else is then empty.
    unfinished : tuple of ImportEntry
        Imports that were broken off and neither gone on with nor taken back: it is not whole.
    title : str
        What people call it.
    """

    name: str
    n_passages: int = 0
    n_documents: int = 0
    collections: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)
    years: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    n_bytes: int = 0
    n_bytes_other: int = 0
    encoder_name: str = ""
    encoder_revision: str = ""
    embedding_dim: int = 0
    is_current: bool | None = None
    written: float | None = None
    has_text_index: bool = False
    has_vector_index: bool = False
    n_fragments: int = 0
    version: int = 1
    can_roll_back: bool = False
    problem: str = ""
    unfinished: tuple[ImportEntry, ...] = ()
    title: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)


def describe(folder: Path, name: str, encoder: tuple[str, str] | None = None) -> LibraryEntry:
    """Return what is in a library, in memory that does not grow with it but for 8 bytes a passage.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    encoder : (str, str), optional
        Name and revision of the encoder in use now.

    Raises
    ------
    LibraryError
        If it is missing or damaged.
    """
    library = PassageLibrary.open(folder, name)
    facets = Facets()
    with library.told():
        for batch in scan(library.table, facets.columns):
            facets.add(batch)
        indexed = {column for index in library.table.list_indices() for column in index.columns}
        stats = library.table.stats()
        n_fragments = int(stats["fragment_stats"]["num_fragments"])
    pointer = Pointer.load(folder, name)
    used = folder / f"{library.table.name}.lance"
    sizes = {path: size_on_disk(path) for path in table_folders(folder, name)}
    own = (library.encoder_name, library.encoder_revision)
    return LibraryEntry(
        name=name,
        n_passages=facets.n_passages,
        n_documents=facets.n_documents,
        collections=ordered(facets.collections),
        languages=ordered(facets.languages),
        years=ordered(facets.years, by_value=True),
        sources=ordered(facets.sources),
        n_bytes=sizes.get(used, 0) or int(stats["total_bytes"]),
        n_bytes_other=sum(size for path, size in sizes.items() if path != used),
        encoder_name=own[0],
        encoder_revision=own[1],
        embedding_dim=library.embedding_dim,
        is_current=None if encoder is None else encoder == own,
        written=last_written(used),
        has_text_index=SEARCHED_COLUMN in indexed,
        has_vector_index="embedding" in indexed,
        n_fragments=n_fragments,
        version=pointer.current,
        can_roll_back=pointer.previous is not None,
        unfinished=tuple(read_imports(folder, name, unfinished=True)),
        title=name_of(folder, name),
    )


def catalogue(folder: Path, encoder: tuple[str, str] | None = None) -> tuple[LibraryEntry, ...]:
    """Return what is in each library of a folder, by name; of a damaged one, what is wrong with it.

    Parameters
    ----------
    folder : Path
    encoder : (str, str), optional
        Name and revision of the encoder in use now.
    """
    entries = []
    for name in library_names(folder):
        try:
            entries.append(describe(folder, name, encoder))
        except LibraryError as error:
            problem = str(error)
            entries.append(LibraryEntry(name, problem=problem, title=name_of(folder, name)))
    return tuple(entries)


def stamp(folder: Path, name: str) -> str:
    """Return a short text that changes with each write, switch or removal, at no cost.

    Raises
    ------
    LibraryError
        If the file that says which version is in use is damaged.
    """
    if isinstance(folder, StoragePath):
        return f"{name}-{PassageLibrary.open(folder, name).table.version}"
    table = table_name(folder, name)
    versions = folder / f"{table}.lance" / "_versions"
    try:
        newest = max((path.stat().st_mtime_ns, path.name) for path in versions.iterdir())
    except (OSError, ValueError):  # none, or one that is just being removed
        newest = (0, "")
    marker = pointer_file(folder, name)
    switched = marker.stat().st_mtime_ns if marker.exists() else 0
    return f"{table}-{newest[0]:x}-{newest[1]}-{switched:x}"


def size_on_disk(folder: Path) -> int:
    """Add up the bytes of all files in a folder, some of which may just be going.

    Of object storage nobody asks: 0.
    """
    if isinstance(folder, StoragePath):
        return 0
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def last_written(table: Path) -> float | None:
    """Return when a table was last written to, in seconds since 1970; None where nobody knows."""
    if isinstance(table, StoragePath):
        return None
    try:
        return max(path.stat().st_mtime for path in (table / "_versions").iterdir())
    except (OSError, ValueError):
        return None
