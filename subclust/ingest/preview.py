"""How a file begins, and what would become of its first records: before anything is imported."""

import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from subclust.ingest.counting import guess_records
from subclust.sources.base import Document, Refusal
from subclust.sources.opening import open_source

MOST_LOOKED_AT = 500
SECONDS = 2.0
"""A preview looks at so many records, and no longer than this."""

MOST_SHOWN = 3


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
        All of those among them.
    n_documents : int
        That would be imported of those looked at.
    """

    label: str
    n_looked_at: int
    is_whole: bool
    n_guessed: int | None
    n_mended: int
    documents: tuple[Document, ...]
    refusals: tuple[Refusal, ...]
    n_documents: int


def preview_file(
    path: Path,
    format: str = "auto",
    *,
    most: int = MOST_LOOKED_AT,
    seconds: float = SECONDS,
) -> FilePreview:
    """Read how a file begins.

    Parameters
    ----------
    path : Path
    format : str
        A key of `SOURCES`, or ``"auto"``.
    most : int
        Records to look at, at least 1.
    seconds : float
        After which it stops, at the next record.

    Raises
    ------
    FileFormatError
        If nothing of it can be read; the sentence says why.
    """
    source = open_source(path, format)
    until = time.monotonic() + seconds
    documents: list[Document] = []
    refusals: list[Refusal] = []
    n_documents = n_mended = n_looked_at = 0
    items = iter(source)
    for item in islice(items, most):
        n_looked_at += 1
        if isinstance(item, Refusal):
            refusals.append(item)
        else:
            n_documents += 1
            n_mended += bool(item.mended)
            if len(documents) < MOST_SHOWN:
                documents.append(item)
        if time.monotonic() > until:
            break
    is_whole = next(items, None) is None
    guessed = n_looked_at if is_whole else guess_records(path, format)
    return FilePreview(
        source.label,
        n_looked_at,
        is_whole,
        guessed,
        n_mended,
        tuple(documents),
        tuple(refusals),
        n_documents,
    )
