"""What of a document has one id: a record with its passages, or each passage of a labelled set."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from subclust.core.records import FloatArray, Passage
from subclust.core.records.boilerplate import without_labels
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.identity import heading, suffix_of
from subclust.text.library.schema import fingerprint
from subclust.text.sources.base import Document

PART, END, AGAIN = 0, 1, 2
"""Whether a passage ends what a record gives, or takes the place of one that was given before."""


class Taken(NamedTuple):
    """A passage that is to be stored.

    Parameters
    ----------
    passage : Passage
    text : str
        What is encoded of it.
    kind : int
        `PART`, `END` or `AGAIN`.
    vector : ndarray of shape (embedding_dim,) or None
        Where the library has one of the same text.
    mark : str
        The passage's fingerprint.
    """

    passage: Passage
    text: str
    kind: int
    vector: FloatArray | None
    mark: str


Batch = list[Taken]
"""Passages that are new, or new in some part."""


@dataclass(frozen=True)
class Unit:
    """Passages of one id.

    Parameters
    ----------
    root : str
        The id of its only passage, or what comes before the ``#1``, ``#2`` of several.
    passages : tuple of Passage
    is_whole : bool
        Whether it is a whole record, so that another one of its title may be made one with it.
    former : tuple of str
        Ids that earlier versions gave it, without the collection.
    parts : frozenset of str
        Marks of the records that it was made of, if it was.
    """

    root: str
    passages: tuple[Passage, ...]
    is_whole: bool = True
    former: tuple[str, ...] = ()
    parts: frozenset[str] = frozenset()

    @property
    def lead(self) -> Passage:
        """The first passage."""
        return self.passages[0]

    @cached_property
    def ids(self) -> list[str]:
        """Of its passages."""
        return [passage.id for passage in self.passages]

    @cached_property
    def marks(self) -> list[str]:
        """Fingerprints of its passages."""
        return [fingerprint(passage) for passage in self.passages]

    @cached_property
    def mark(self) -> str:
        """What stands for all of it: the fingerprint of its only passage, or of all together."""
        if len(self.marks) == 1:
            return self.marks[0]
        return hashlib.sha256("".join(self.marks).encode()).hexdigest()

    def text_of(self, passage: Passage) -> str:
        """Choose what is encoded of one of its passages, see `encoded_text`.

        One that is no whole record has others of its document beside it.
        """
        if not self.is_whole:
            return without_labels(passage.text)
        return encoded_text(self.passages, passage)

    @property
    def former_roots(self) -> list[str]:
        """The roots that earlier versions gave it."""
        prefix = f"{self.lead.collection}:"
        return [prefix + one for one in self.former if prefix + one != self.root]

    @property
    def apart_roots(self) -> tuple[str, str]:
        """The roots that it gets where another record has its id: one of another title, or not."""
        lead = self.lead
        fields = {**lead.metadata, "": "" if self.is_whole else lead.text}
        title = heading(lead)
        return self.root + suffix_of(title), self.root + suffix_of(title, fields)

    def at(self, root: str) -> list[str]:
        """List the ids that its passages have, or had when it was cut otherwise, under a root."""
        ids = [root + id_[len(self.root) :] for id_ in self.ids]
        return list(dict.fromkeys([*ids, root, f"{root}#1"])) if self.is_whole else ids

    def moved(self, root: str) -> "Unit":
        """Return it under another id."""
        if root == self.root:
            return self
        passages = tuple(
            replace(passage, id=root + passage.id[len(self.root) :]) for passage in self.passages
        )
        return Unit(root, passages, self.is_whole, self.former, self.parts)

    def having(self, passages: tuple[Passage, ...]) -> "Unit":
        """Return it with other passages of its id."""
        return Unit(self.root, passages, self.is_whole, self.former, self.parts)

    def with_parts(self, parts: Iterable[str]) -> "Unit":
        """Return it with the marks of what it was made of."""
        return replace(self, parts=frozenset(parts))


def units_of(document: Document) -> list[Unit]:
    """Divide a document into what has ids of its own."""
    passages = document.passages
    first = passages[0]
    if len(passages) == 1:
        return [Unit(first.id, passages, True, _former(document))]
    root = first.id.removesuffix("#1")
    if root != first.id and all(passage.id.startswith(f"{root}#") for passage in passages):
        return [Unit(root, passages, True, _former(document))]
    return [Unit(passage.id, (passage,), False) for passage in passages]


def encoded_text(passages: Sequence[Passage], passage: Passage) -> str:
    """Choose what is encoded of a passage.

    A record is one passage and its title says what it is about, so both are encoded; the title of
    an article is the same for all of its passages and would only make them alike.
    """
    text = without_labels(passage.text)
    if len(passages) == 1 and passage.title and passage.title != passage.text:
        return f"{passage.title}. {text}"
    return text


def encoded(batch: Batch, encoder: Encoder, progress: Progress | None = None) -> FloatArray:
    """Compute the vectors of passages, but for those that the library has already.

    Returns
    -------
    ndarray of shape (n_passages, embedding_dim)
    """
    texts = [one.text for one in batch if one.vector is None]
    if len(texts) == len(batch):
        return encoder.encode(texts, progress=progress)
    vectors = np.stack([one.vector for one in batch if one.vector is not None])
    whole = np.empty((len(batch), vectors.shape[1]), np.float32)
    has = np.array([one.vector is not None for one in batch])
    whole[has] = vectors
    if texts:
        whole[~has] = encoder.encode(texts, progress=progress)
    return whole


def _former(document: Document) -> tuple[str, ...]:
    """Return the ids that earlier versions gave a record."""
    first = document.passages[0]
    return document.former_ids if first.id.startswith(f"{first.collection}:") else ()
