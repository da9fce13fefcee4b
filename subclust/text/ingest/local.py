"""Documents into a library, on this machine, batch by batch."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from subclust.core.exceptions import InputError
from subclust.core.quotas import check_passages, quota
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.known import KnownPassages, opened_library, refuse_deleted
from subclust.text.ingest.near_duplicates import KnownSignatures, NearDuplicates, near_duplicates
from subclust.text.ingest.reading import Reading
from subclust.text.ingest.report import IngestReport
from subclust.text.ingest.units import END, Batch, encoded
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import count_once
from subclust.text.library.imports import ImportLog
from subclust.text.library.search import fetch_column, one_of
from subclust.text.sources.base import Document, Refusal, Source

Phase = Literal["reading", "encoding", "storing", "comparing"]
BATCH_SIZE = 512
"""Passages that are encoded and added together: the most that a killed import does again."""

_BATCHES_BETWEEN_OPTIMIZING = 32
_ITEMS_BETWEEN_TELLING = 100


@dataclass(frozen=True)
class ImportProgress:
    """The progress of the import of one source.

    Parameters
    ----------
    phase : {"reading", "encoding", "storing", "comparing"}
        Comparing is the search for near-duplicates at the end.
    n_documents : int
        Records or articles that were read.
    n_read, n_unchanged, n_merged, n_refused : int
        Records, as in `IngestReport`.
    n_done : int
        Passages that were read to their end, and records that gave none: encoded ones count once
        stored.
    n_encoded, n_stored : int
        Passages that this run has encoded, and that it has committed to the library.
    n_total : int or None
        A guess at `n_done` at the end; None where nobody knows.
    """

    phase: Phase
    n_documents: int
    n_read: int
    n_done: int
    n_encoded: int
    n_stored: int
    n_unchanged: int
    n_merged: int
    n_refused: int
    n_total: int | None


class ImportWatcher:
    """Hears of an import as it goes on; each method may raise `TrainingStopped` to end it.

    What was committed before stays in the library. This one does nothing.
    """

    def opened(self, there: Mapping[str, str]) -> None:
        """Hear which passages the library holds: the fingerprint of each id."""

    def told(self, at: ImportProgress) -> None:
        """Hear of the progress, often."""

    def storing(self, marks: Mapping[str, str], n_records: int) -> None:
        """Hear what is about to be committed: the fingerprint of each id, and how many records."""

    def stored(self, n_passages: int, n_records: int) -> None:
        """Hear that the passages of `storing` are on disk."""


def ingest(
    source: Iterable[Document | Refusal],
    encoder: Encoder,
    folder: Path,
    name: str,
    *,
    progress: Progress | None = None,
    n_passages: int | None = None,
    n_documents: int | None = None,
    batch_size: int = BATCH_SIZE,
    find_near_duplicates: bool = True,
    watcher: ImportWatcher | None = None,
    log: ImportLog | None = None,
    has_begun: bool = False,
) -> IngestReport:
    """Import documents into the library of that name, which is made when the first ones are read.

    A passage that is in the library word for word, be it under another file's name, is neither
    encoded nor written again, so an import that was killed goes on where it was when it is started
    anew. One of which only other fields changed is written and not encoded.

    Parameters
    ----------
    source : Source or iterable of Document and Refusal
    encoder : Encoder
    folder : Path
        Of the libraries.
    name : str
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` after each batch and at the end.
    n_passages : int, optional
        How many there are, where somebody knows; otherwise the source's estimate is used.
    n_documents : int, optional
        A guess at the documents, for sources that give no estimate.
    batch_size : int
        At least 1.
    find_near_duplicates : bool
        Whether to look, at the end, for passages of the library that say nearly the same.
    watcher : ImportWatcher, optional
        Hears of every step, and may end the import between two of them.
    log : ImportLog, optional
        Keeps which passages it brings, so that they can be taken back.
    has_begun : bool
        Whether an earlier part of this import is in the library, which is then not made anew.

    Raises
    ------
    InputError
        If the library's name cannot be used; FileFormatError if nothing can be read.
    LibraryError
        If the library was made with another encoder, is held by another writer, or was deleted
        meanwhile.
    TrainingStopped
        If the watcher ends it; what was committed stays.
    """
    if batch_size < 1:
        raise InputError(
            "The batch size must be at least 1, but is {batch_size}.", batch_size=batch_size
        )
    run = _Import(
        source,
        encoder,
        folder,
        name,
        batch_size,
        progress=progress,
        n_passages=n_passages,
        estimate=n_documents,
        watcher=watcher or ImportWatcher(),
        log=log,
        known=KnownSignatures(folder, name) if find_near_duplicates else None,
    )
    if has_begun:
        refuse_deleted(folder, name)
    try:
        report = run.run()
    # LanceDB raises any of these when a table vanishes while it is written to.
    except (OSError, RuntimeError, ValueError) as error:
        if run.library is not None:
            refuse_deleted(folder, name, error)
        raise
    if run.library is not None:
        refuse_deleted(folder, name)
    return report


@dataclass
class _Import:
    """One run of `ingest`."""

    source: Iterable[Document | Refusal]
    encoder: Encoder
    folder: Path
    name: str
    batch_size: int
    progress: Progress | None
    n_passages: int | None
    estimate: int | None
    watcher: ImportWatcher
    log: ImportLog | None
    known: KnownSignatures | None
    library: PassageLibrary | None = None
    n_stored: int = 0
    n_batches: int = 0
    n_looked_at: int = 0
    n_waiting: int = 0

    def __post_init__(self) -> None:
        self.reading = Reading(self.source)

    def run(self) -> IngestReport:
        started = time.monotonic()
        if self.name in PassageLibrary.names(self.folder):
            self._open()
        if self.estimate is None and isinstance(self.source, Source):
            self.estimate = self.source.estimate()
        for batch in self.reading.batches(self.batch_size, self._looked):
            self._flush(batch)
            # The last, smaller batch is reported below, together with the end.
            if self.progress is not None and len(batch) == self.batch_size:
                self.progress(self.n_done, self._total())
        if self.library is not None and self.reading.stale:
            self.library.discard(self.reading.stale)
        if self.library is not None and self.n_stored:
            self.library.optimize()
        if self.log is not None:
            self.log.found(self.reading.unchanged)
        near = NearDuplicates()
        self._watched("comparing")
        if self.library is not None and self.known is not None:
            touched = self.reading.seen, self.reading.unchanged
            near = near_duplicates(self.library, self.known, touched)
        if self.library is not None:
            count_once(self.folder, self.name)
        if self.progress is not None:
            self.progress(self.n_done, self.n_done)
        return self.reading.report(self.name, time.monotonic() - started, near_duplicates=near)

    @property
    def n_done(self) -> int:
        seen = self.reading
        return self.n_stored + len(seen.unchanged) + seen.n_merged + seen.n_refused

    def _looked(self) -> None:
        self.n_looked_at += 1
        if self.n_looked_at % _ITEMS_BETWEEN_TELLING == 0:
            self._watched("reading")

    def _flush(self, batch: Batch) -> None:
        self.n_waiting = len(batch)
        self._watched("encoding")
        vectors = encoded(
            batch, self.encoder, progress=lambda done, _: self._watched("encoding", done)
        )
        library = self.library or self._open()
        passages = [one.passage for one in batch]
        marks = {one.passage.id: one.mark for one in batch}
        # Which ids are new takes a look into the table, so only where a quota asks for it.
        if quota().passages is not None:
            there = fetch_column(library.table, ["id"], one_of("id", list(marks)))
            n_new = len(passages) - len(there)
            check_passages(library.count() + n_new if n_new else 0)
        self._watched("storing", len(passages))
        n_records = sum(one.kind == END for one in batch)
        # Noted before it is committed: after a kill, only so can a resumed import tell what was its
        # own.
        self.watcher.storing(marks, n_records)
        if self.log is not None:
            self.log.storing(marks, self.reading.there.marks)
        library.add(passages, vectors)
        self.watcher.stored(len(passages), n_records)
        if self.known is not None:
            self.known.add(list(marks.values()), [p.text for p in passages])
        self.n_stored += len(batch)
        self.n_waiting = 0
        self.n_batches += 1
        self._watched("storing")
        if self.n_batches % _BATCHES_BETWEEN_OPTIMIZING == 0:
            library.optimize()

    def _open(self) -> PassageLibrary:
        self.library, was_there = opened_library(self.folder, self.name, self.encoder)
        if was_there:
            self.reading.there = KnownPassages.of(self.library)
        self.watcher.opened(self.reading.there.marks)
        return self.library

    def _total(self) -> int | None:
        n_waiting = self.n_waiting + len(self.reading.waiting)
        total, n_done = self.n_passages, self.n_done + n_waiting
        if total is None and self.estimate is not None:
            seen = self.reading
            # Assumes that documents to come have as many passages each as those read so far.
            total = round(self.estimate * n_done / max(1, seen.n_documents + seen.n_refused))
        return None if total is None else max(total, n_done)

    def _watched(self, phase: Phase, n_encoded: int = 0) -> None:
        """Report the progress, with so many of those that wait encoded."""
        at = ImportProgress(
            phase=phase,
            n_documents=self.reading.n_documents,
            n_read=self.reading.n_read,
            n_done=self.n_done,
            n_encoded=self.n_stored + n_encoded,
            n_stored=self.n_stored,
            n_unchanged=self.reading.n_unchanged,
            n_merged=self.reading.n_merged,
            n_refused=self.reading.n_refused,
            n_total=self._total(),
        )
        self.watcher.told(at)
