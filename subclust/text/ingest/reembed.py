"""A library embedded anew with another encoder, while it is searched and added to."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from subclust.core.exceptions import LibraryError, LibraryNotFoundError
from subclust.core.records import Passage, document_of
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.local import BATCH_SIZE
from subclust.text.library import PassageLibrary
from subclust.text.library.add import add_rows, bring_indexes_up_to_date, remove_rows
from subclust.text.library.folder import Pointer, has_table
from subclust.text.library.schema import (
    STORED,
    fingerprint_keys,
    passages_of,
    read_encoder,
    to_table,
)
from subclust.text.library.search import one_of, scan
from subclust.text.library.versions import begin_version, building, open_version, sweep, switch

_AT_ONCE = 1000

Keys = npt.NDArray[np.uint64]
_GROUPING = ("id", "title", "collection", "label", "metadata")
_MOST_ROUNDS = 20
_FEW = 512
"""So many passages, at most, are embedded while writers wait."""


@dataclass(frozen=True)
class ReembedReport:
    """What came of embedding a library anew, or of going back.

    Parameters
    ----------
    library : str
    version : int
        The one in use now.
    encoder_name, encoder_revision : str
        Of its vectors.
    n_passages : int
        In the library.
    n_encoded : int
        Passages that were embedded now.
    n_reused : int
        Passages whose vectors were there, from an earlier version or a run that was broken off.
    seconds : float
    switched : bool
        Whether another version is in use than before.
    """

    library: str
    version: int
    encoder_name: str
    encoder_revision: str
    n_passages: int
    n_encoded: int
    n_reused: int
    seconds: float
    switched: bool


def reembed(
    folder: Path, name: str, encoder: Encoder, *, progress: Progress | None = None
) -> ReembedReport:
    """Embed a library anew by another encoder.

    A new version is built beside the one in use, which is searched and written to meanwhile. What
    came in, was changed or was removed there is caught up with, at last while writers wait, and
    then the new version is put in use by renaming one file. Killed at any moment the library is as
    it was, and the next run goes on with what is embedded already. The version before is kept for
    `roll_back`; what was kept of earlier ones is taken away.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    encoder : Encoder
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages.

    Returns
    -------
    ReembedReport
        ``switched`` is False where the library had the vectors of this encoder already.

    Raises
    ------
    LibraryError
        If the library is missing, damaged, or just being embedded anew.
    """
    started = time.monotonic()
    with _alone_with(folder, name):
        library = PassageLibrary.open(folder, name)
        wanted = (encoder.name, encoder.revision)
        pointer = Pointer.load(folder, name)
        if (library.encoder_name, library.encoder_revision) == wanted:
            n = library.count()
            seconds = time.monotonic() - started
            return ReembedReport(name, pointer.current, *wanted, n, 0, n, seconds, False)
        previous = pointer.previous
        if previous is not None and _encoder_of(folder, name, previous) == wanted:
            number, target = previous, open_version(folder, name, previous)
        else:
            number, target = begin_version(
                folder,
                name,
                embedding_dim=encoder.embedding_dim,
                encoder_name=encoder.name,
                encoder_revision=encoder.revision,
            )
        return _caught_up(library, number, target, lambda: encoder, progress, started)


def roll_back(
    folder: Path, name: str, load: Callable[[str], Encoder], *, progress: Progress | None = None
) -> ReembedReport:
    """Put the version before in use again, with all passages that the library has now.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    load : callable
        Gives the encoder of a name; called only where passages came in since the switch, which
        have to be embedded as the version before was.
    progress : callable, optional

    Raises
    ------
    LibraryError
        If there is no version before, or its encoder is another one by now.
    EncoderError
        If the encoder is needed and cannot be had.
    """
    started = time.monotonic()
    with _alone_with(folder, name):
        library = PassageLibrary.open(folder, name)
        previous = Pointer.load(folder, name).previous
        if previous is None:
            raise LibraryError(
                "The library {name!r} has no version before the one in use, so there is none to "
                "go back to.",
                name=name,
            )
        target = open_version(folder, name, previous)
        wanted = read_encoder(target.schema, name)

        def loaded() -> Encoder:
            encoder = load(wanted[0])
            if (encoder.name, encoder.revision) != wanted:
                raise LibraryError(
                    "Passages were added to {name!r} after its embeddings were recomputed, and "
                    "the previous version needs the encoder {encoder} (revision {wanted}) for "
                    "them, but that is now at revision {revision}; recompute the embeddings "
                    "with an encoder that is installed.",
                    name=name,
                    encoder=wanted[0],
                    wanted=wanted[1],
                    revision=encoder.revision,
                )
            return encoder

        return _caught_up(library, previous, target, loaded, progress, started)


def _caught_up(
    library: PassageLibrary,
    number: int,
    target: Any,
    load: Callable[[], Encoder],
    progress: Progress | None,
    started: float,
) -> ReembedReport:
    """Bring a version up to date, put it in use, and take away what nobody needs any more."""
    run = _Synchronisation(library, target, load, progress)
    # Each round leaves less to do. The last one, under the lock, is short, so that nobody waits
    # long.
    for _ in range(_MOST_ROUNDS):
        if run.catch_up() <= _FEW:
            break
    # Indexing takes long and needs no lock: readers see the new version only after the switch.
    bring_indexes_up_to_date(target)
    with library.writing():
        run.catch_up()
        run.drop_surplus()
        run.check()
        switch(library.folder, library.name, number)
    sweep(library.folder, library.name)
    n_passages = int(target.count_rows())
    return ReembedReport(
        library.name,
        number,
        *read_encoder(target.schema, library.name),
        n_passages,
        run.n_encoded,
        max(0, n_passages - run.n_encoded),
        time.monotonic() - started,
        True,
    )


def _encoder_of(folder: Path, name: str, number: int) -> tuple[str, str]:
    return read_encoder(open_version(folder, name, number).schema, name)


@contextmanager
def _alone_with(folder: Path, name: str) -> Iterator[None]:
    PassageLibrary.open(folder, name)  # refuses a name that cannot be, or a library that is missing
    try:
        with building(folder, name):
            yield
    except (RuntimeError, OSError, ValueError) as error:
        if not has_table(folder, name):
            raise LibraryNotFoundError(
                "The library {name!r} was removed while its embeddings were being recomputed.",
                name=name,
            ) from error
        raise


@dataclass
class _Synchronisation:
    """A version of a library brought to the passages of another, with vectors of its own encoder.

    What is compared are the fingerprints, 8 bytes a passage; passages are read in batches. A
    passage of the target that has its fingerprint is not embedded again.
    """

    library: PassageLibrary
    target: Any
    """Table that nobody else writes to."""

    load: Callable[[], Encoder]
    """Returns the target's encoder; not called while there is nothing to embed."""

    progress: Progress | None
    encoder: Encoder | None = None
    n_encoded: int = 0
    _texts: "EncodedTexts | None" = None

    def catch_up(self) -> int:
        """Embed what the target lacks as this begins; return how many passages that were."""
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
        """Refuse a target that does not have just the library's passages."""
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
