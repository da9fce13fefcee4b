"""One version of a library brought to the passages of another, with vectors of its own encoder."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from subclust.core.exceptions import LibraryError
from subclust.core.records import Passage
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.local import BATCH_SIZE
from subclust.text.library import PassageLibrary
from subclust.text.library.add import add_rows, bring_indexes_up_to_date, remove_rows
from subclust.text.library.facets import document_of
from subclust.text.library.schema import STORED, fingerprint_keys, passages_of, to_table
from subclust.text.library.search import one_of, scan

_AT_ONCE = 1000

Keys = npt.NDArray[np.uint64]


class Synchronisation:
    """The work of one run.

    What is compared are the fingerprints, 8 bytes a passage; passages are read in batches. A
    passage of the target that has its fingerprint is not embedded again.

    Parameters
    ----------
    library : PassageLibrary
        Whose passages count.
    target : lancedb table
        Which is to have them; nobody else writes to it.
    load : callable
        Gives the target's encoder; not called while there is nothing to embed.
    progress : callable, optional
    """

    def __init__(
        self,
        library: PassageLibrary,
        target: Any,
        load: Callable[[], Encoder],
        progress: Progress | None,
    ) -> None:
        self.library = library
        self.target = target
        self.load = load
        self.progress = progress
        self.encoder: Encoder | None = None
        self.n_encoded = 0
        self._texts: EncodedTexts | None = None

    def catch_up(self) -> int:
        """Embed what the library has and the target has not, as it is when this begins.

        Returns
        -------
        int
            How many passages were embedded.
        """
        known = _fingerprints(self.target)
        self._texts = None
        total, n_done, n_before = self.library.count(), 0, self.n_encoded
        waiting: list[Passage] = []
        for batch in scan(self.library.table, [*STORED[:-1], "fingerprint"], batch_size=BATCH_SIZE):
            keys = fingerprint_keys(batch.column("fingerprint").to_pylist())
            missing = ~_among(keys, known)
            waiting += passages_of(batch.filter(pa.array(missing)))
            n_done += int((~missing).sum())
            if len(waiting) >= BATCH_SIZE:
                n_done += self._embed(waiting)
                waiting = []
            self._tell(n_done, total)
        n_done += self._embed(waiting)
        self._tell(n_done, total)
        return self.n_encoded - n_before

    def finish_indexes(self) -> None:
        """Make searching the target fast."""
        bring_indexes_up_to_date(self.target)

    def drop_surplus(self) -> None:
        """Take out of the target what is no longer in the library."""
        wanted = _fingerprints(self.library.table)
        surplus: list[str] = []
        for batch in scan(self.target, ["id", "fingerprint"]):
            keys = fingerprint_keys(batch.column("fingerprint").to_pylist())
            gone = pa.array(~_among(keys, wanted))
            surplus += batch.column("id").filter(gone).to_pylist()
        for start in range(0, len(surplus), _AT_ONCE):
            remove_rows(self.target, one_of("id", surplus[start : start + _AT_ONCE]))

    def check(self) -> None:
        """Hold the target to having just the library's passages.

        Raises
        ------
        LibraryError
            If it has not; then it must not be put in use.
        """
        if not np.array_equal(_fingerprints(self.library.table), _fingerprints(self.target)):
            raise LibraryError(
                "The new version of {name!r} does not hold the same passages as the one in use, "
                "which therefore stays; start this again.",
                name=self.library.name,
            )

    def _embed(self, passages: list[Passage]) -> int:
        if not passages:
            return 0
        if self.encoder is None:
            self.encoder = self.load()
        if self._texts is None:  # of the library as it is in this round
            self._texts = EncodedTexts(self.library)
        vectors = self.encoder.encode([self._texts.of(passage) for passage in passages])
        add_rows(self.target, to_table(passages, vectors, self.target.schema))
        self.n_encoded += len(passages)
        return len(passages)

    def _tell(self, n_done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(n_done, max(total, n_done))


class EncodedTexts:
    """What is encoded of each passage, as `encoded_text` chooses it while documents are imported.

    A library does not keep its documents. A passage is one of several where others have its id but
    for the final ``#n``, or, in labelled queries, its title, which is the query; then its text
    alone is encoded, and otherwise title and text.

    Parameters
    ----------
    library : PassageLibrary
    """

    def __init__(self, library: PassageLibrary) -> None:
        keys = [_groups(batch) for batch in scan(library.table, _GROUPING)]
        found, counts = np.unique(
            np.concatenate(keys) if keys else np.zeros(0, np.int64), return_counts=True
        )
        self._several = found[counts > 1]

    def of(self, passage: Passage) -> str:
        """Return what is encoded of a passage."""
        if not passage.title or passage.title == passage.text:
            return passage.text
        metadata = json.dumps(dict(passage.metadata))
        key = _group(passage.id, passage.title, passage.collection, passage.label, metadata)
        at = int(np.searchsorted(self._several, key))
        is_part = at < len(self._several) and self._several[at] == key
        return passage.text if is_part else f"{passage.title}. {passage.text}"


_GROUPING = ("id", "title", "collection", "label", "metadata")


def _groups(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    rows = zip(*(batch.column(name).to_pylist() for name in _GROUPING), strict=True)
    return np.fromiter((_group(*row) for row in rows), np.int64, len(batch))


def _group(id_: str, title: str, collection: str, label: str | None, metadata: str) -> int:
    """Stand for what a passage is one of several of, or for itself."""
    document = document_of(id_)
    if document != id_:
        return hash(("document", document))
    if label is not None and set(json.loads(metadata)) <= {"description"}:
        return hash(("query", collection, title))
    return hash(("passage", id_))


def _fingerprints(table: Any) -> Keys:
    parts: Iterator[Keys] = (
        fingerprint_keys(batch.column("fingerprint").to_pylist())
        for batch in scan(table, ["fingerprint"])
    )
    return np.sort(np.concatenate([np.zeros(0, np.uint64), *parts]))


def _among(keys: Keys, known: Keys) -> npt.NDArray[np.bool_]:
    """Return which keys are among those that are known, which are in order."""
    if not len(known):
        return np.zeros(len(keys), bool)
    at = np.searchsorted(known, keys).clip(max=len(known) - 1)
    return np.asarray(known[at] == keys, bool)
