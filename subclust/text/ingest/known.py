"""The library that an import goes into, and which passages it holds, so that none comes twice."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from subclust.core.exceptions import LibraryNotFoundError
from subclust.core.records import FloatArray, Passage
from subclust.core.records.documents import document_of
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.merging import ALSO
from subclust.text.library import PassageLibrary
from subclust.text.library.schema import STORED, FoundPassages, fingerprint, passages_of
from subclust.text.library.search import fetch_column, quoted, scan


class KnownPassages:
    """The passages of a library, by id and fingerprint.

    An id begins with the passage's collection, by default the file's name, so the same record of a
    file with another name has another id. It is found under the beginnings of all ids; a text or
    PDF, whose id and title hold the file's name too, under those of all such files.

    Parameters
    ----------
    rows : iterable of (str, str, str)
        Id, fingerprint and collection of each passage.
    get : callable, optional
        Reads passages by their ids.

    Attributes
    ----------
    marks : dict of str to str
        The fingerprint of each id.
    also : dict of str to str
        The id of the record that another one was merged into, by the id which that had.
    has_suffixes : bool
        Whether a record may have been set apart from another one of its id.
    """

    def __init__(
        self,
        rows: Iterable[tuple[str, str, str]] = (),
        get: Callable[[Sequence[str]], FoundPassages] | None = None,
    ) -> None:
        self.get = get
        self.marks: dict[str, str] = {}
        self.also: dict[str, str] = {}
        self.has_suffixes = False
        self._kinds: dict[tuple[str, str], None] = {}
        self._files: dict[tuple[str, str, str], None] = {}
        for row in rows:
            self.add(*row)

    @classmethod
    def of(cls, library: PassageLibrary) -> Self:
        """Read those of a library."""
        names = ["id", "fingerprint", "collection"]
        rows = fetch_column(library.table, names)
        values = (rows.column(name).to_pylist() for name in names)
        made = cls(zip(*values, strict=True), library.get)
        for id_, others in merged_passages(library):
            made.also.update(dict.fromkeys(others, document_of(id_)))
        return made

    def fetch(self, ids: Sequence[str]) -> dict[str, tuple[Passage, FloatArray]]:
        """Read passages with their vectors."""
        if self.get is None or not ids:
            return {}
        found = self.get(ids)
        return {
            passage.id: (passage, vector)
            for passage, vector in zip(found.passages, found.embeddings, strict=True)
        }

    def holds(self, root: str) -> bool:
        """Return whether the library has a record of an id, as one passage or as several."""
        return root in self.marks or f"{root}#1" in self.marks

    def may_hold(self, root: str, collection: str) -> bool:
        """Return whether it has one of that id, be it in another collection."""
        if self.holds(root):
            return True
        local = root.removeprefix(f"{collection}:")
        return any(self.holds(f"{begin}:{local}") for begin, _ in self._kinds)

    def ids_of(self, root: str) -> list[str]:
        """List the ids of the passages of a record."""
        ids = [root] if root in self.marks else []
        number = 1
        while (id_ := f"{root}#{number}") in self.marks:
            ids.append(id_)
            number += 1
        return ids

    def add(self, id_: str, mark: str, collection: str) -> None:
        """Add a passage, or replace the one of its id."""
        self.marks[id_] = mark
        # A record that was set apart has such an id; without any, nobody looks for them.
        self.has_suffixes |= "~" in id_
        # After a collection was renamed, ids still begin with its old name.
        prefix = collection if id_.startswith(f"{collection}:") else id_.partition(":")[0]
        self._kinds.setdefault((prefix, collection))
        if id_.endswith("#1"):
            self._files.setdefault((prefix, collection, id_[len(prefix) + 1 : -2]))

    def held(self, passage: Passage, mark: str) -> str | None:
        """Find a passage that differs at most in its file's name.

        Parameters
        ----------
        passage : Passage
        mark : str
            Its fingerprint.

        Returns
        -------
        str or None
            The id under which the library holds it.
        """
        if self.marks.get(passage.id) == mark:
            return passage.id
        for id_, collection, title in self._namesakes(passage):
            there = self.marks.get(id_)
            if there is None:
                continue
            namesake = replace(passage, id=id_, collection=collection, title=title)
            if fingerprint(namesake) == there:
                return id_
        return None

    def _namesakes(self, passage: Passage) -> Iterator[tuple[str, str, str]]:
        """Return id, collection and title that it would have in each other collection or file."""
        prefix = f"{passage.collection}:"
        is_prefixed = passage.id.startswith(prefix)
        local = passage.id[len(prefix) :]
        for begin, collection in self._kinds:
            id_ = f"{begin}:{local}" if is_prefixed else passage.id
            if (id_, collection) != (passage.id, passage.collection):
                yield id_, collection, passage.title
        if not is_prefixed or passage.metadata.keys().isdisjoint(("lines", "page")):
            return
        name, _, number = local.rpartition("#")
        for begin, collection, other in self._files:
            title = passage.title
            if title == name:
                title = other
            elif title == _stem(name):
                title = _stem(other)
            yield f"{begin}:{other}#{number}", collection, title


def merged_passages(library: PassageLibrary) -> Iterator[tuple[str, list[str]]]:
    """Yield the id of each passage of merged records, with the ids that the other records had."""
    condition = f"contains(metadata, {quoted(json.dumps(ALSO))})"
    for batch in scan(library.table, STORED[:-1], condition):
        for passage in passages_of(batch):
            if ALSO in passage.metadata:
                yield passage.id, passage.metadata[ALSO].splitlines()


def _stem(filename: str) -> str:
    return filename.rsplit(".", 1)[0]


def opened_library(folder: Path, name: str, encoder: Encoder) -> tuple[PassageLibrary, bool]:
    """Open a library for vectors of an encoder, or make it where there is none of that name.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    encoder : Encoder
        Its dimension is asked for a new library only.

    Returns
    -------
    tuple of PassageLibrary and bool
        The library, and whether it was there.

    Raises
    ------
    InputError
        If the name cannot be used.
    LibraryError
        If the library was made with another encoder.
    """
    if name in PassageLibrary.names(folder):
        library = PassageLibrary.open(folder, name)
        library.check_encoder(encoder.name, encoder.revision)
        return library, True
    made = PassageLibrary.create(
        folder,
        name,
        embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    return made, False


def refuse_deleted(folder: Path, name: str, error: Exception | None = None) -> None:
    """Refuse to go on with an import into a library that was deleted after it had begun.

    Raises
    ------
    LibraryNotFoundError
        If there is no library of that name any more.
    """
    if name not in PassageLibrary.names(folder):
        raise LibraryNotFoundError(
            "The library {name!r} was deleted while documents were being added; restore it and "
            "resume, or import them again from the beginning.",
            name=name,
        ) from error
