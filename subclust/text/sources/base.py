"""The interface of everything that documents come from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from subclust.core.records import Passage

EXCERPT = 120
"""Characters of a refused record that are told."""


@dataclass(frozen=True)
class Document:
    """A record or an article: what a source gives, one at a time.

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
    """

    id: str
    title: str
    passages: tuple[Passage, ...]
    description: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict, compare=False)
    place: str = field(default="", compare=False)
    mended: tuple[str, ...] = field(default=(), compare=False)


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
    """

    place: str
    reason: str
    advice: str
    field: str = ""
    excerpt: str = ""

    def __str__(self) -> str:
        """Say it all in one line."""
        return f"{self.place}: {self.reason} {self.advice}"


class Source(ABC):
    """Gives documents, and a refusal for whatever cannot become one: nothing is passed over.

    Attributes
    ----------
    label : str
        For people.
    """

    label: str

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
