"""A library of passages: one LanceDB table, its lock and its encoder's name."""

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError
from subclust.core.messages import Message
from subclust.core.records import FloatArray, Passage
from subclust.core.records.names import counting_key
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import check_reached, refusal, refusals_told
from subclust.text.library import add, search
from subclust.text.library.folder import (
    check_name,
    check_seen,
    clear,
    connect,
    damage_told,
    has_table,
    not_found,
    seen_names,
    table_name,
)
from subclust.text.library.schema import (
    STORED,
    FoundPassages,
    passage_schema,
    passages_of,
    read_encoder,
    to_table,
)

_log = logging.getLogger(__name__)


class PassageLibrary:
    """Passages and their embeddings on disk, searchable by words and by vector.

    Make one with `create` or `open`. A table lies in ``<folder>/<name>.lance``, or in
    ``<name>.<n>.lance`` once it was embedded anew. Any number of processes may read while one
    writes: a reader sees each `add` wholly or not at all. Whoever has it open when another version
    is put in use goes on reading the one that he has; who writes is told.
    """

    def __init__(self, folder: Path, name: str, table: Any) -> None:
        self.folder = folder
        self.name = name
        self.table = table

    @classmethod
    def create(
        cls,
        folder: Path,
        name: str,
        *,
        embedding_dim: int,
        encoder_name: str,
        encoder_revision: str,
    ) -> "PassageLibrary":
        """Make an empty library.

        Raises
        ------
        InputError
            If the name cannot be used; see `check_name`.
        LibraryError
            If there is a library of that name.
        """
        check_name(name)
        schema = passage_schema(embedding_dim, encoder_name, encoder_revision)
        with refusals_told(Message("The library {name!r} cannot be created", name=name), folder):
            folder.mkdir(parents=True, exist_ok=True)
        with add.writing(folder, name), damage_told(folder, name):
            if has_table(folder, name):
                raise LibraryError(
                    "There is a library {name!r} already; choose another name, or add to it.",
                    name=name,
                )
            clear(folder, name, keep_name=True)  # what a killed `create` or `remove` left
            table = connect(folder).create_table(name, schema=schema)
            add.ensure_text_index(table)
        return cls(folder, name, table)

    @classmethod
    def open(cls, folder: Path, name: str) -> "PassageLibrary":
        """Open a library.

        Raises
        ------
        LibraryNotFoundError
            If there is none of that name for who acts.
        LibraryError
            If it is damaged, or was made by another version of Subclust.
        """
        check_seen(folder, name)
        if not has_table(folder, name):
            raise LibraryNotFoundError(not_found(folder, name))
        used = table_name(folder, name)
        try:
            table = connect(folder).open_table(used)
        except (ValueError, RuntimeError, OSError) as error:
            if has_table(folder, name) and table_name(folder, name) != used:
                return cls.open(folder, name)  # another version was put in use meanwhile
            check_reached(error, folder / name)
            raise LibraryError(
                "The library {name!r} in {folder} is damaged and cannot be opened; restore it "
                "from a backup, or remove it and import its documents again.",
                name=name,
                folder=folder,
            ) from error
        read_encoder(table.schema, name)
        return cls(folder, name, table)

    names = staticmethod(seen_names)
    remove = staticmethod(add.remove_library)
    put_back = staticmethod(add.put_library_back)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer lock.

        Raises
        ------
        LibraryError
            If another writer does not let go, or another version was put in use.
        """
        with add.writing(self.folder, self.name):
            if not has_table(self.folder, self.name):
                raise LibraryNotFoundError(
                    "The library {name!r} has meanwhile been removed; what was to be written "
                    "to it is not stored.",
                    name=self.name,
                )
            if table_name(self.folder, self.name) != self.table.name:
                raise LibraryError(
                    "The library {name!r} has meanwhile been given the embeddings of another "
                    "encoder; start this again: what is in the library is not imported twice.",
                    name=self.name,
                )
            yield

    def told(self) -> AbstractContextManager[None]:
        """Turn what LanceDB raises into a sentence."""
        return damage_told(self.folder, self.name)

    @cached_property
    def _encoder(self) -> tuple[str, str]:
        return read_encoder(self.table.schema, self.name)

    @property
    def encoder_name(self) -> str:
        """Name of the encoder whose vectors it holds."""
        return self._encoder[0]

    @property
    def encoder_revision(self) -> str:
        """Revision of the encoder whose vectors it holds."""
        return self._encoder[1]

    @cached_property
    def embedding_dim(self) -> int:
        """Length of its vectors."""
        return int(self.table.schema.field("embedding").type.list_size)

    def check_encoder(self, name: str, revision: str) -> None:
        """Raise a LibraryError for vectors of another encoder: only their length is comparable."""
        if (name, revision) != self._encoder:
            raise LibraryError(
                "The library {name!r} was made with the encoder {encoder} (revision "
                "{revision}), but the encoder in use is {other} (revision {used}); choose that "
                "encoder, or recompute the library's embeddings with 'python -m subclust "
                "library reembed {same}'.",
                name=self.name,
                encoder=self.encoder_name,
                revision=self.encoder_revision,
                other=name,
                used=revision,
                same=self.name,
            )

    def add(self, passages: Sequence[Passage], embeddings: FloatArray) -> None:
        """Add passages in one transaction; one whose id is there already replaces the old one.

        When it returns they are on disk, whatever happens to the process afterwards.

        Raises
        ------
        InputError
            If the embeddings do not fit.
        LibraryError
            If another writer does not let go.
        """
        rows = to_table(passages, embeddings, self.table.schema)
        if len(rows):
            with self.writing(), self.told():
                add.add_rows(self.table, rows)

    def replace(
        self, ids: Sequence[str], passages: Sequence[Passage], embeddings: FloatArray
    ) -> None:
        """Put passages in the place of those of other ids, in one transaction.

        Parameters
        ----------
        ids : sequence of str
            What is deleted, unless it is among the passages; ids that are not there are ignored.
        passages, embeddings
            As for `add`, which raises the same errors; at least one.
        """
        rows = to_table(passages, embeddings, self.table.schema)
        with self.writing(), self.told():
            add.add_rows(self.table, rows, search.one_of("id", ids) if ids else None)

    def discard(self, ids: Sequence[str]) -> None:
        """Delete passages by id; ids that are not there are ignored."""
        for condition in search.among(ids):
            with self.writing(), self.told():
                add.remove_rows(self.table, condition)

    def optimize(self) -> None:
        """Make searching fast again after much was added. Everything is found without it too."""
        with self.writing(), self.told():
            add.bring_indexes_up_to_date(self.table)

    def compact(self) -> None:
        """Do as `optimize`, and free the disk of what nobody has read for a day."""
        with self.writing(), self.told():
            add.compact(self.table)

    def search_text(
        self,
        text: str,
        k: int,
        *,
        collection: str | None = None,
        ids: Sequence[str] | None = None,
        where: str | None = None,
    ) -> FoundPassages:
        """Find the passages with the query's words (BM25 over title and text).

        Parameters
        ----------
        text : str
            Plain words; quotes and operators have no meaning, and no text is wrong.
        k : int
            At most so many, at least 1.
        collection : str, optional
            Only passages of that collection.
        ids : sequence of str, optional
            Only passages of these ids, at least one.
        where : str, optional
            Only passages whose rows meet this SQL.

        Returns
        -------
        FoundPassages
            Scores above 0, best first, the same score in order of id.
        """
        condition = search.narrowed(collection, ids, where)
        with self.told():
            return self._mended(lambda: search.search_text(self.table, text, k, condition))

    def search_vector(
        self,
        vector: FloatArray,
        k: int,
        *,
        collection: str | None = None,
        ids: Sequence[str] | None = None,
        where: str | None = None,
    ) -> FoundPassages:
        """Find the passages whose embeddings are closest to a vector of shape (embedding_dim,).

        As `search_text`; scores are cosines from -1 to 1.

        Raises
        ------
        InputError
            If the vector has another length, or is not finite.
        """
        condition = search.narrowed(collection, ids, where)

        def look(*, exact: bool) -> FoundPassages:
            return search.search_vector(self.table, vector, k, condition, exact=exact)

        with self.told():
            found = self._mended(lambda: look(exact=False))
            if where is not None and len(found) < k:
                # An index searches some lists only, which may hold few rows of a narrow condition.
                found = self._mended(lambda: look(exact=True))
        return found

    def listed(
        self,
        where: str,
        k: int,
        *,
        collection: str | None = None,
        ids: Sequence[str] | None = None,
    ) -> FoundPassages:
        """Read the passages whose rows meet an SQL condition, in order of id; at most `k`."""
        condition = search.narrowed(collection, ids, where)
        with self.told():
            rows = search.fetch_column(self.table, ["id"], condition)
        return self.get(sorted(rows.column("id").to_pylist(), key=counting_key)[:k])

    def get(self, ids: Sequence[str]) -> FoundPassages:
        """Read passages by id, in the order asked for.

        Raises
        ------
        InputError
            If one is not there.
        """
        wanted = list(dict.fromkeys(ids))
        rows: dict[str, int] = {}
        parts = []
        for condition in search.among(wanted):
            with self.told():
                part = search.fetch(self.table, condition)
            for passage in part.passages:
                rows[passage.id] = len(rows)
            parts.append(part)
        missing = [id_ for id_ in wanted if id_ not in rows]
        if missing:
            raise InputError(
                "The library {name!r} has no passage with the id {id!r}.",
                name=self.name,
                id=missing[0],
            )
        return search.reordered(parts, [rows[id_] for id_ in ids], self.embedding_dim)

    def passages(self, *, collection: str | None = None) -> FoundPassages:
        """Read all passages, or those of a collection, in order of id."""
        with self.told():
            return search.fetch(self.table, search.equals(collection=collection))

    def skim(self) -> Iterator[tuple[Passage, ...]]:
        """Read all passages without texts and vectors, a few thousand at a time, in no order."""
        columns = [name for name in STORED if name not in ("text", "embedding")]
        with self.told():
            yield from map(passages_of, search.scan(self.table, columns))

    def fingerprints(self) -> dict[str, str]:
        """Map each id to the fingerprint of its passage, to see what need not be added again."""
        with self.told():
            rows = search.fetch_column(self.table, ["id", "fingerprint"])
        ids, marks = (rows.column(name).to_pylist() for name in ("id", "fingerprint"))
        return dict(zip(ids, marks, strict=True))

    def revision(self) -> str:
        """Return twelve hexadecimal digits that stand for all passages, whatever their order.

        Two libraries of the same passages and encoder have the same one.
        """
        digest = hashlib.sha256("\n".join(self._encoder).encode())
        with self.told():
            rows = search.fetch_column(self.table, ["fingerprint"])
        for one in sorted(rows.column("fingerprint").to_pylist()):
            digest.update(one.encode())
        return digest.hexdigest()[:12]

    def count(self) -> int:
        """Count the passages."""
        with self.told():
            return int(self.table.count_rows())

    def collections(self) -> dict[str, int]:
        """Count the passages of each collection, by name."""
        return self._counted("collection")

    def articles(self) -> dict[str, int]:
        """Count the passages of each article, by title."""
        return self._counted("title")

    def _counted(self, column: str) -> dict[str, int]:
        with self.told():
            rows = search.fetch_column(self.table, [column])
        return dict(sorted(Counter(rows.column(column).to_pylist()).items()))

    def _mended(self, look: Callable[[], FoundPassages]) -> FoundPassages:
        """Search, and where that fails make the indexes anew, which only repeat what rows hold."""
        try:
            return look()
        except (RuntimeError, OSError, ValueError) as error:
            if isinstance(self.folder, StoragePath) or refusal(error):
                raise
            for _ in search.scan(self.table, STORED):  # the rows themselves are whole
                pass
            with self.writing():
                add.renew_indexes(self.table)
            told = "The indexes of the library %s were damaged (%s) and were made anew."
            _log.warning(told, self.name, str(error)[:200])
            return look()
