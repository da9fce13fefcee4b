"""How a file begins, and what would become of its first records: before anything is imported."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from subclust.core.exceptions import FileFormatError
from subclust.core.records.documents import document_of
from subclust.core.storage.apart import TooMuchMemoryError, TooSlowError, call_apart
from subclust.text.ingest.files import guess_records
from subclust.text.ingest.known import KnownPassages
from subclust.text.ingest.reading import Reading
from subclust.text.ingest.survey import gone_of
from subclust.text.library import PassageLibrary
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.decoding import Decoding
from subclust.text.sources.opening import open_source

MOST_LOOKED_AT = 500
SECONDS = 2.0
"""A preview looks at so many records, and no longer than this once it has those it shows."""

MOST_SHOWN = 3

_AT_ONCE = 512

LONGEST = 20.0
"""Seconds that `preview_apart` waits, and one more for each `_BYTES_A_SECOND` of the file."""

MOST_MEMORY = 600 << 20
"""Bytes that the process of `preview_apart` may take, besides those for the library's passages."""

_BYTES_A_SECOND = 20 << 20
_BYTES_A_PASSAGE = 1000


@dataclass(frozen=True)
class FilePreview:
    """What the beginning of a file says.

    Parameters
    ----------
    label : str
        Of its format, for people.
    n_looked_at : int
        Records and refused rows.
    is_whole : bool
        Whether that was all of the file.
    n_guessed : int or None
        Records in all; None where nothing tells it.
    n_mended : int
        Records in which something would be put right.
    documents : tuple of Document
        The first `MOST_SHOWN`.
    refusals : tuple of Refusal
        All of those among them, as the import would refuse them.
    n_documents : int
        That would be imported of those looked at.
    n_there : int
        That the library holds already.
    n_changed : int
        Of those that would be imported, records that it holds with other words or fields.
    n_gone : int
        Records that it holds in the collection and the file, read to its end, has no longer; those
        that it has and that are refused are none of them.
    n_unidentified : int
        Refused records of which nobody can tell whether they are among these.
    decoding : Decoding or None
        How its letters were read, with lines to judge that by; None where that is no question.
    """

    label: str
    n_looked_at: int
    is_whole: bool
    n_guessed: int | None
    n_mended: int
    documents: tuple[Document, ...]
    refusals: tuple[Refusal, ...]
    n_documents: int
    n_there: int = 0
    n_changed: int = 0
    n_gone: int = 0
    n_unidentified: int = 0
    decoding: Decoding | None = None


def _preview_file(
    path: Path,
    *,
    collection: str | None = None,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    library: tuple[Path, str] | None = None,
    most: int = MOST_LOOKED_AT,
    seconds: float = SECONDS,
) -> FilePreview:
    """Read how a file begins, as an import would.

    Parameters
    ----------
    path : Path
    collection : str, optional
        By default the file's name.
    encoding : str, optional
        By default what its bytes say.
    columns : mapping of str to str, optional
        Of a table, our field and the head that has it, where its owner says so.
    library : (Path, str), optional
        Folder and name of the one that it would go into; it need not be there.
    most : int
        Records to look at, at least 1.
    seconds : float
        After which it stops, at the next record, but not before `MOST_SHOWN`.

    Raises
    ------
    FileFormatError
        If nothing of it can be read; the sentence says why.
    """
    source = open_source(path, collection=collection, encoding=encoding, columns=columns)
    there = KnownPassages()
    if library is not None and library[1] in PassageLibrary.names(library[0]):
        there = KnownPassages.of(PassageLibrary.open(*library))
    beginning = _Beginning(iter(source), most, seconds)
    reading = Reading(iter(beginning), there)
    for _ in reading.batches(_AT_ONCE):
        pass
    is_whole = next(beginning.items, None) is None
    unread = (
        id_ for id_ in there.marks if id_ not in reading.seen and id_ not in reading.unchanged
    )
    gone = gone_of(unread, [source.collection], reading.refused) if is_whole else []
    return FilePreview(
        source.label,
        beginning.n_items,
        is_whole,
        beginning.n_items if is_whole else guess_records(path),
        reading.n_mended,
        tuple(beginning.documents),
        tuple(reading.refusals),
        reading.n_imported,
        reading.n_unchanged,
        reading.n_changed,
        len(set(map(document_of, gone))),
        reading.n_unidentified,
        source.decoding,
    )


def preview_apart(
    path: Path,
    collection: str | None = None,
    library: tuple[Path, str] | None = None,
    *,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    seconds: float = LONGEST,
    most_bytes: int = MOST_MEMORY,
) -> FilePreview | None:
    """Call `_preview_file` in a process of its own, which no file makes take too much.

    Returns
    -------
    FilePreview or None
        None where it took too long, which says nothing against the file.

    Raises
    ------
    FileFormatError
        If nothing of it can be read, or its beginning takes too much memory.
    """
    n_passages = 0
    if library is not None and library[1] in PassageLibrary.names(library[0]):
        n_passages = PassageLibrary.open(*library).count()
    try:
        seen: FilePreview = call_apart(
            _preview_file,
            seconds=seconds + path.stat().st_size / _BYTES_A_SECOND,
            most_bytes=most_bytes + n_passages * _BYTES_A_PASSAGE,
            path=path,
            collection=collection,
            encoding=encoding,
            columns=columns,
            library=library,
        )
    except TooSlowError:
        return None
    except TooMuchMemoryError as error:
        raise FileFormatError(
            "{file} takes more memory to read than any export, so it is not read; divide it, or "
            "export it in another format.",
            file=path.name,
        ) from error
    return seen


class _Beginning:
    """The first records of a source, of which it keeps what is shown."""

    def __init__(self, items: Iterator[Document | Refusal], most: int, seconds: float) -> None:
        self.items = items
        self.most = most
        self.until = time.monotonic() + seconds
        self.n_items = 0
        self.documents: list[Document] = []

    def __iter__(self) -> Iterator[Document | Refusal]:
        for item in self.items:
            self.n_items += 1
            if isinstance(item, Document) and len(self.documents) < MOST_SHOWN:
                self.documents.append(item)
            yield item
            is_late = self.n_items >= MOST_SHOWN and time.monotonic() > self.until
            if self.n_items >= self.most or is_late:
                return
