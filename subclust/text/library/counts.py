"""What was counted of a table, kept within it for as long as the table is as it was counted."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from subclust import __version__
from subclust.core.access import is_read_only
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import write_whole
from subclust.text.library.folder import Pointer, pointer_file, table_of

COUNTS_FILE = "subclust-counts.json"


@dataclass(frozen=True)
class LibraryCounts:
    """What of a library only its table tells, as in `LibraryEntry`."""

    n_passages: int = 0
    n_documents: int = 0
    collections: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)
    recognised: Mapping[str, int] = field(default_factory=dict)
    not_known: Mapping[str, int] = field(default_factory=dict)
    years: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    encoder_name: str = ""
    encoder_revision: str = ""
    embedding_dim: int = 0
    has_text_index: bool = False
    has_vector_index: bool = False
    n_fragments: int = 0
    n_bytes_stored: int = 0


def table_stamp(folder: Path, name: str) -> str:
    """Return a short text that changes with each write, switch or removal of a table on a disk.

    Raises
    ------
    LibraryError
        If the file that says which version is in use is damaged.
    """
    table = table_of(name, Pointer.load(folder, name).current)
    versions = folder / f"{table}.lance" / "_versions"
    try:
        newest = max((path.stat().st_mtime_ns, path.name) for path in versions.iterdir())
    except (OSError, ValueError):  # none, or one that is just being removed
        newest = (0, "")
    marker = pointer_file(folder, name)
    switched = marker.stat().st_mtime_ns if marker.exists() else 0
    return f"{table}-{newest[0]:x}-{newest[1]}-{switched:x}"


def size_on_disk(folder: Path) -> int:
    """Add up the bytes of all files in a folder but the counts, some of which may just be going.

    Of object storage nobody asks: 0.
    """
    if isinstance(folder, StoragePath):
        return 0
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() and path.name != COUNTS_FILE else 0
    return total


def table_state(folder: Path, name: str) -> str | None:
    """Return what counts are true of: the program, and a table with its files; None where unknown.

    Raises
    ------
    LibraryError
        If the file that says which version is in use is damaged.
    """
    if isinstance(folder, StoragePath):
        return None
    table = _table(folder, name)
    return f"{__version__} {table_stamp(folder, name)} {size_on_disk(table)}"


def read_counts(folder: Path, name: str) -> LibraryCounts | None:
    """Read what was counted; None where nothing was, or the table is no longer as it was then.

    Raises
    ------
    LibraryError
        If the file that says which version is in use is damaged.
    """
    state = table_state(folder, name)
    if state is None:
        return None
    try:
        found = json.loads((_table(folder, name) / COUNTS_FILE).read_text(encoding="utf-8"))
        if found.pop("state") != state or found.keys() != {one.name for one in _FIELDS}:
            return None
        return LibraryCounts(**found)
    except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return None


def keep_counts(folder: Path, name: str, counts: LibraryCounts, state: str | None) -> None:
    """Keep what was counted, where the table is still as it was before, and may be written to.

    Parameters
    ----------
    folder : Path
    name : str
    counts : LibraryCounts
    state : str or None
        What `table_state` returned before counting.
    """
    if state is None or is_read_only() or table_state(folder, name) != state:
        return
    with suppress(OSError):  # they are counted again
        content = json.dumps({"state": state, **asdict(counts)}, ensure_ascii=False)
        write_whole(_table(folder, name) / COUNTS_FILE, content, durable=False)


def _table(folder: Path, name: str) -> Path:
    return folder / f"{table_of(name, Pointer.load(folder, name).current)}.lance"


_FIELDS = fields(LibraryCounts)
