"""The interface of everything that documents come from."""

import dataclasses
import re
import unicodedata
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.core.records import Passage

if TYPE_CHECKING:
    from subclust.text.sources.decoding import Decoding

EXCERPT = 120
"""Characters of a refused record that are told."""

MOST_ORIGINAL = 20_000
"""Bytes of a refused record that are kept to be mended; a longer one has only its excerpt."""

_NOT_IN_NAMES = frozenset('<>:"/\\|?*')
_LONGEST_STEM = 120
"""Bytes of a file's name without its endings."""

DAMAGES = (EOFError, OSError, zlib.error)
"""What a broken disk, a broken download or broken packing raises while a file is read."""


@dataclass(frozen=True)
class Document:
    """A record or an article; sources yield them one at a time.

    Parameters
    ----------
    id : str
        Unique in its source.
    title : str
    passages : tuple of Passage
        One for a record with an abstract, one a paragraph for an article.
    description : str or None
        What the whole is about, such as the lead of an article; not a passage.
    metadata : mapping of str to str
        What holds for the whole document; each passage carries it too.
    place : str
        Where it stands in its source, as its owner would look for it; empty where nobody knows.
    mended : tuple of str
        What was put right while it was read, a sentence each: the account of an import tells it.
    former_ids : tuple of str
        By which a library may hold it that an earlier version imported.
    """

    id: str
    title: str
    passages: tuple[Passage, ...]
    description: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False)
    place: str = field(default="", compare=False)
    mended: tuple[str, ...] = field(default=(), compare=False)
    former_ids: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Refusal:
    """A row or record that cannot become a document.

    Parameters
    ----------
    place : str
        Where it is, as its owner would look for it: ``"row 7"``, ``"line 12"``.
    reason : str
        What is wrong with it; a sentence.
    advice : str
        What to do about it; a sentence.
    field : str
        What of it is wrong, by the name that the file uses, where that can be told.
    excerpt : str
        How it begins, so that its owner recognises it; at most `EXCERPT` characters.
    original : mapping of str to str
        All that it has: a table's cells by their heads, or a record's fields as a table would
        name them. Empty where it could not be taken apart or is larger than `MOST_ORIGINAL`.
    ids : tuple of str or None
        Ids that a library may hold it under, with their collection; empty where it is no record,
        None where they cannot be told.
    """

    place: str
    reason: str
    advice: str
    field: str = ""
    excerpt: str = ""
    original: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    ids: tuple[str, ...] | None = dataclasses.field(default=None, compare=False)

    def __str__(self) -> str:
        """Return it all in one line, a `Message`."""
        return Message("{place}: {reason} {advice}", **vars(self))


class Source(ABC):
    """The documents of a file, and a refusal for whatever cannot become one: nothing is skipped.

    Parameters
    ----------
    path : Path
        Text may be packed with gzip.
    collection : str
        Name that the passages carry.

    Attributes
    ----------
    label : str
        For people.
    encoding : str or None
        What its text is in, by Python's name, where somebody says so.
    is_named : bool
        Whether its owner named the collection; else that is what the file is called.
    decoding : Decoding or None
        How its letters were read: known once the first document is, None where that is no question.
    """

    label: str
    encoding: str | None = None
    is_named: bool = False
    decoding: "Decoding | None" = None

    def __init__(self, path: Path, collection: str) -> None:
        self.path = path
        self.collection = collection

    @abstractmethod
    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read from the beginning, one at a time, in constant memory.

        Raises
        ------
        FileFormatError
            If nothing at all can be read.
        """

    def estimate(self) -> int | None:
        """Guess how many documents there are, for a progress bar; None where nobody knows."""
        return None


@dataclass(frozen=True)
class SourceCard:
    """What is known of a file format without importing its reader.

    Parameters
    ----------
    name : str
        For the command line.
    label : str
        For people.
    extensions : tuple of str
        In lower case, with the dot; of a compressed file, the one before ``.gz`` counts. Several
        formats may share one: what a file holds decides, its ending only where that says nothing.
    loader : str
        ``"package.module:Class"``; called with the path and the name of the collection, it gives
        a `Source`.
    """

    name: str
    label: str
    extensions: tuple[str, ...]
    loader: str


def collection_of(path: Path) -> str:
    """Return the collection of a file for which nobody named one: its name without its endings."""
    packed = path.suffix.lower() in (".gz", ".bz2")
    return (Path(path.stem) if packed else path).stem


def name_on_disk(filename: str) -> str:
    """Return a name that every file system takes, with the endings of the file's own.

    A text or PDF is called by it, so only letters that cannot be in a name are replaced.
    """
    filename = unicodedata.normalize("NFC", filename)  # a Mac writes an accent beside its letter
    tail = re.search(r"(\.[A-Za-z0-9]{1,8}){1,2}$", filename)
    ending = tail[0] if tail and tail.start() > 0 else ""
    stem = "".join(
        one if one.isprintable() and one not in _NOT_IN_NAMES else "_"
        for one in filename[: len(filename) - len(ending)]
    )
    # File systems limit names in bytes, of which a letter may take four.
    while len(stem.encode()) > _LONGEST_STEM:
        stem = stem[:-1]
    # Windows drops blanks and points at the end, and a program takes a leading hyphen for an
    # option.
    return f"{stem.strip(' .').lstrip('-') or 'upload'}{ending}"


def unreadable(path: Path, error: Exception) -> FileFormatError:
    """Return the error for a file of which nothing can be read."""
    return FileFormatError(
        "{file} cannot be read, it is damaged or cut off ({error}); get or export it again.",
        file=path.name,
        error=error,
    )


def cut_off(place: str, error: Exception) -> Refusal:
    """Return the refusal of all that follows a place."""
    return Refusal(
        place,
        Message("The file is damaged or cut off there ({error}).", error=error),
        Message("Get or export it again and import it once more; nothing is imported twice."),
    )


def too_long(n_bytes: int) -> str:
    """Return the reason why a record that is longer is refused."""
    return Message(
        "It is longer than {size} MB, which is too long for a record.", size=n_bytes >> 20
    )


def absent(path: Path) -> FileFormatError:
    """Return the error for a file that does not exist, or is a folder."""
    if path.is_dir():
        return FileFormatError("{file} is a folder; name the files in it.", file=path)
    return FileFormatError("There is no file {file}; check its name.", file=path)
