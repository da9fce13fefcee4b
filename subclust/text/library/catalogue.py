"""What libraries there are and what is in each: languages, years, sources and documents.

The metadata of a passage is one JSON object in the table, written by `json.dumps`. A quotation mark
within a value has a backslash before it there, so what looks like a field is one.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from subclust.core.exceptions import LibraryError
from subclust.core.records.languages import language_codes
from subclust.core.storage import StoragePath
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

UNKNOWN = "unknown"
"""Stands for what a passage's record does not say."""

OTHERS = "others"
"""Stands for all values beyond the first `MOST_VALUES` that came."""

MOST_VALUES = 1000
"""Different values of a field that are counted one by one."""

YEAR = r'"year": "[^"\\]*?(?P<value>(?:1[0-9]|20)[0-9]{2})'
"""The first year from 1000 to 2099 in the field."""

PART = r"#[0-9]+$"
"""End of the id of a passage that is one of several of its document."""

ARTICLE = r"wiki:[0-9]+#[0-9]+$"
POSITION = '"position": "'


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
        languages=ordered(by_language(facets.languages)),
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


def field_start(name: str) -> str:
    """Write how a field begins, if there is one."""
    return f'"{name}": "'


def field_value(name: str, value: str) -> str:
    """Write a field of a value as it stands in the metadata."""
    return f"{json.dumps(name)}: {json.dumps(value)}"


def _pattern(name: str) -> str:
    return field_start(name) + r'(?P<value>(?:[^"\\]|\\.)+)"'


@dataclass
class Facets:
    """Counts over passages, batch by batch.

    Attributes
    ----------
    n_passages, n_documents : int
    collections, languages, years, sources : Counter
        Passages by value; `UNKNOWN` where a record says nothing.
    """

    n_passages: int = 0
    collections: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    years: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    _documents: list[npt.NDArray[np.int64]] = field(default_factory=list, repr=False)

    columns = ("id", "collection", "metadata")

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch that has `columns`."""
        self.n_passages += len(batch)
        metadata = batch.column("metadata")
        _count(self.collections, batch.column("collection"), len(batch), quoted=False)
        for counts, pattern in (
            (self.languages, _pattern("language")),
            (self.years, YEAR),
            (self.sources, _pattern("source")),
        ):
            found = pc.struct_field(pc.extract_regex(metadata, pattern), "value")
            _count(counts, found, len(batch), quoted=True)
        self._documents.append(_document_keys(batch))

    @property
    def n_documents(self) -> int:
        """Documents that the passages belong to."""
        if not self._documents:
            return 0
        self._documents = [np.unique(np.concatenate(self._documents))]
        return len(self._documents[0])


def _document_keys(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    """Return a number for each passage's document, equal for equal ones, in this process.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        With the columns ``id`` and ``metadata``.
    """
    ids, metadata = batch.column("id"), batch.column("metadata")
    is_part = pc.or_(
        pc.and_(pc.match_substring_regex(ids, PART), pc.match_substring(metadata, POSITION)),
        pc.match_substring_regex(ids, ARTICLE),
    )
    documents = pc.if_else(is_part, pc.replace_substring_regex(ids, PART, ""), ids)
    return np.fromiter(map(hash, documents.to_pylist()), np.int64, len(batch))


def by_language(counts: Counter[str]) -> Counter[str]:
    """Count languages by one code each, however records write them; one of two counts for both."""
    found: Counter[str] = Counter()
    for said, n in counts.items():
        codes = [said] if said in (OTHERS, UNKNOWN) else language_codes(said) or [UNKNOWN]
        for code in codes:
            found[code] += n
    return found


def ordered(counts: Counter[str], *, by_value: bool = False) -> dict[str, int]:
    """Put counts in order, most first or by value, and what is unknown or left at the end."""
    last = (OTHERS, UNKNOWN)
    named = [(value, n) for value, n in counts.items() if value not in last]
    named.sort(key=lambda one: one[0] if by_value else (-one[1], one[0]))
    return dict([*named, *((value, counts[value]) for value in last if counts[value])])


def _count(counts: Counter[str], values: pa.Array, n_rows: int, *, quoted: bool) -> None:
    there = values.drop_null()
    for one in pc.value_counts(there):
        value = one["values"].as_py()
        if quoted and "\\" in value:
            value = json.loads(f'"{value}"')
        value = value or UNKNOWN
        known = value in counts or len(counts) < MOST_VALUES
        counts[value if known else OTHERS] += one["counts"].as_py()
    if len(there) < n_rows:
        counts[UNKNOWN] += n_rows - len(there)
