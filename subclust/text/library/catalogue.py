"""What libraries there are and what is in each: languages, years, sources and documents."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from subclust.core.exceptions import LibraryError
from subclust.core.storage import StoragePath
from subclust.text.library.counts import (
    LibraryCounts,
    keep_counts,
    read_counts,
    size_on_disk,
    table_stamp,
    table_state,
)
from subclust.text.library.folder import (
    Pointer,
    check_name,
    seen_names,
    table_folders,
    table_name,
)
from subclust.text.library.imports import ImportEntry, read_imports
from subclust.text.library.names import name_of
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.search import SEARCHED_COLUMN, fetch_column, one_of, scan

if TYPE_CHECKING:
    from subclust.text.library.facets import Facets


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
    recognised : mapping of str to int
        Passages whose records say no language, by that of their texts, most first; of many an
        estimate. Where it is not told either the key is `UNKNOWN`.
    not_known : mapping of str to int
        Passages by language, where the encoder was not trained with it; empty where they are few.
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
    recognised: Mapping[str, int] = field(default_factory=dict)
    not_known: Mapping[str, int] = field(default_factory=dict)
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
    """Count what is in a library, in memory that does not grow with it but for 8 bytes a passage.

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
    check_name(name)
    state = table_state(folder, name)
    counts = _counted(folder, name)
    keep_counts(folder, name, counts, state)
    return _entry(folder, name, counts, encoder)


def count_once(folder: Path, name: str) -> None:
    """Count what is in a library on a disk, unless it is known, so that listing it need not.

    Raises
    ------
    LibraryError
        If it is missing or damaged.
    """
    if not isinstance(folder, StoragePath) and read_counts(folder, name) is None:
        describe(folder, name)


def _counted(folder: Path, name: str) -> LibraryCounts:
    """Count all passages of a library; who knows what was counted does not wait for the import."""
    from subclust.text.languages import not_known
    from subclust.text.library.facets import UNKNOWN, Facets, by_language, ordered

    library = PassageLibrary.open(folder, name)
    facets = Facets()
    with library.told():
        for batch in scan(library.table, facets.columns):
            facets.add(batch)
        indexed = {column for index in library.table.list_indices() for column in index.columns}
        stats = library.table.stats()
        recognised = _recognised(library, facets)
    languages = by_language(facets.languages)
    spoken = Counter(recognised) + Counter({**languages, UNKNOWN: 0})
    return LibraryCounts(
        n_passages=facets.n_passages,
        n_documents=facets.n_documents,
        collections=ordered(facets.collections),
        languages=ordered(languages),
        recognised=recognised,
        not_known=not_known(library.encoder_name, spoken),
        years=ordered(facets.years, by_value=True),
        sources=ordered(facets.sources),
        encoder_name=library.encoder_name,
        encoder_revision=library.encoder_revision,
        embedding_dim=library.embedding_dim,
        has_text_index=SEARCHED_COLUMN in indexed,
        has_vector_index="embedding" in indexed,
        n_fragments=int(stats["fragment_stats"]["num_fragments"]),
        n_bytes_stored=int(stats["total_bytes"]),
    )


def _recognised(library: PassageLibrary, facets: "Facets") -> dict[str, int]:
    """Recognise the languages of the passages whose records say none."""
    from subclust.text.languages import UNRECOGNISED, recognised
    from subclust.text.library.facets import UNKNOWN

    if not facets.unspoken:
        return {}
    found = fetch_column(library.table, ["text"], one_of("id", facets.unspoken))
    counts = recognised(found["text"].to_pylist(), facets.languages[UNKNOWN])
    return {UNKNOWN if code == UNRECOGNISED else code: n for code, n in counts.items()}


def _entry(
    folder: Path, name: str, counts: LibraryCounts, encoder: tuple[str, str] | None
) -> LibraryEntry:
    """Return what was counted beside what costs nothing to look at."""
    pointer = Pointer.load(folder, name)
    used = folder / f"{table_name(folder, name)}.lance"
    sizes = {path: size_on_disk(path) for path in table_folders(folder, name)}
    own = (counts.encoder_name, counts.encoder_revision)
    told = dict(vars(counts))
    n_bytes_stored = told.pop("n_bytes_stored")
    return LibraryEntry(
        name=name,
        **told,
        # No folder can be measured in object storage, where the table says how large it is.
        n_bytes=sizes.get(used, 0) or n_bytes_stored,
        n_bytes_other=sum(size for path, size in sizes.items() if path != used),
        is_current=None if encoder is None else encoder == own,
        written=last_written(used),
        version=pointer.current,
        can_roll_back=pointer.previous is not None,
        unfinished=tuple(read_imports(folder, name, unfinished=True)),
        title=name_of(folder, name),
    )


def catalogue(folder: Path, encoder: tuple[str, str] | None = None) -> tuple[LibraryEntry, ...]:
    """Return what is in each library of a folder, by name; of a damaged one, what is wrong with it.

    What was counted before is not counted again as long as the library is as it was.

    Parameters
    ----------
    folder : Path
    encoder : (str, str), optional
        Name and revision of the encoder in use now.
    """
    entries = []
    for name in seen_names(folder):
        try:
            counts = read_counts(folder, name)
            entries.append(
                describe(folder, name, encoder)
                if counts is None
                else _entry(folder, name, counts, encoder)
            )
        except LibraryError as error:
            problem = error.sentence
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
    return table_stamp(folder, name)


def last_written(table: Path) -> float | None:
    """Return when a table was last written to, in seconds since 1970; None where nobody knows."""
    if isinstance(table, StoragePath):
        return None
    try:
        return max(path.stat().st_mtime for path in (table / "_versions").iterdir())
    except (OSError, ValueError):
        return None
