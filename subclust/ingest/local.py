"""Documents into a library, on this machine, batch by batch."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from subclust.encoders.base import Encoder
from subclust.exceptions import InputError
from subclust.ingest.near_duplicates import KnownSignatures, NearDuplicates, near_duplicates
from subclust.ingest.report import MOST_REFUSALS, IngestReport, Mending
from subclust.ingest.watching import ImportProgress, ImportWatcher, Phase
from subclust.library import PassageLibrary
from subclust.library.schema import fingerprint
from subclust.records import Passage
from subclust.sources.base import Document, Refusal, Source
from subclust.sources.record import excerpt

Progress = Callable[[int, int | None], None]
"""Called as ``progress(n_done, n_total)`` in passages; the total may be a guess, or None."""

BATCH_SIZE = 512
"""Passages that are encoded and added together: the most that a killed import does again."""

_BATCHES_BETWEEN_OPTIMIZING = 32
_ITEMS_BETWEEN_TELLING = 100
_MOST_REASONS = 50
_OTHER_REASONS = "Other reasons."


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
) -> IngestReport:
    """Import documents into the library of that name, which is made when the first ones are read.

    A passage that is in the library word for word is neither encoded nor written again, so an
    import that was killed goes on where it was when it is started anew.

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
        Is told of every step, and may end the import between two of them.

    Returns
    -------
    IngestReport

    Raises
    ------
    InputError
        If the library's name cannot be used; FileFormatError if nothing can be read.
    LibraryError
        If the library was made with another encoder, or is held by another writer.
    TrainingStopped
        If the watcher ends it; what was committed stays.
    """
    if batch_size < 1:
        raise InputError(f"The batch size must be at least 1, but is {batch_size}.")
    run = _Import(source, encoder, folder, name, progress, n_passages, batch_size)
    run.known = KnownSignatures(folder, name) if find_near_duplicates else None
    run.estimate = n_documents
    run.watcher = watcher or ImportWatcher()
    return run.run()


def encoded_text(document: Document, passage: Passage) -> str:
    """Choose what is encoded of a passage.

    A record is one passage and its title says what it is about, so both are encoded; the title of
    an article is the same for all of its passages and would only make them alike.
    """
    if len(document.passages) == 1 and passage.title and passage.title != passage.text:
        return f"{passage.title}. {passage.text}"
    return passage.text


class _Import:
    """One run of `ingest`."""

    def __init__(
        self,
        source: Iterable[Document | Refusal],
        encoder: Encoder,
        folder: Path,
        name: str,
        progress: Progress | None,
        n_passages: int | None,
        batch_size: int,
    ) -> None:
        self.source = source
        self.encoder = encoder
        self.folder = folder
        self.name = name
        self.progress = progress
        self.n_passages = n_passages
        self.batch_size = batch_size

        self.watcher = ImportWatcher()
        self.estimate: int | None = None
        self.library: PassageLibrary | None = None
        self.there: dict[str, str] = {}
        self.seen: dict[str, str] = {}
        self.waiting: list[tuple[Passage, str]] = []
        self.known: KnownSignatures | None = None
        self.refusals: list[Refusal] = []
        self.reasons: Counter[str] = Counter()
        self.mendings: list[Mending] = []
        self.n_mended = 0
        self.n_refused = self.n_imported = self.n_unchanged = self.n_documents = self.n_batches = 0
        self.n_looked_at = 0

    def run(self) -> IngestReport:
        started = time.monotonic()
        if self.name in PassageLibrary.names(self.folder):
            self._open()
        if self.estimate is None and isinstance(self.source, Source):
            self.estimate = self.source.estimate()
        for item in self.source:
            self.n_looked_at += 1
            if self.n_looked_at % _ITEMS_BETWEEN_TELLING == 0:
                self._watched("reading")
            if isinstance(item, Refusal):
                self._refuse(item)
                continue
            self.n_documents += 1
            self._note(item)
            for passage in item.passages:
                self._take(item, passage)
                if len(self.waiting) >= self.batch_size:
                    self._flush()
                    self._tell()
        self._flush()
        if self.library is not None and self.n_imported:
            self.library.optimize()
        near = NearDuplicates()
        self._watched("comparing")
        if self.library is not None and self.known is not None:
            near = near_duplicates(self.library, self.known, self.seen)
        if self.progress is not None:
            self.progress(self.n_read, self.n_read)
        return IngestReport(
            library=self.name,
            n_read=self.n_read,
            n_imported=self.n_imported,
            n_unchanged=self.n_unchanged,
            n_refused=self.n_refused,
            refusals=tuple(self.refusals),
            n_documents=self.n_documents,
            seconds=time.monotonic() - started,
            n_mended=self.n_mended,
            mendings=tuple(self.mendings),
            near_duplicates=near,
            reasons=dict(self.reasons.most_common()),
        )

    @property
    def n_read(self) -> int:
        return self.n_imported + self.n_unchanged + self.n_refused

    def _take(self, document: Document, passage: Passage) -> None:
        mark = fingerprint(passage)
        earlier = self.seen.get(passage.id)
        if earlier is not None:
            again = earlier == mark
            self._refuse(
                Refusal(
                    document.place or f"record {passage.id}",
                    "It is in the source twice, word for word."
                    if again
                    else "Another record of the source has the same id; the first one counts.",
                    "Nothing needs to be done." if again else "Give each record an id of its own.",
                    "id",
                    excerpt(f"{passage.id}: {passage.title}"),
                )
            )
            return
        self.seen[passage.id] = mark
        if self.there.get(passage.id) == mark:
            self.n_unchanged += 1
        else:
            self.waiting.append((passage, encoded_text(document, passage)))

    def _flush(self) -> None:
        if not self.waiting:
            return
        self._watched("encoding")
        vectors = self.encoder.encode(
            [text for _, text in self.waiting],
            progress=lambda done, _: self._watched("encoding", done),
        )
        library = self.library or self._open()
        passages = [passage for passage, _ in self.waiting]
        self._watched("storing", len(passages))
        self.watcher.storing({passage.id: self.seen[passage.id] for passage in passages})
        library.add(passages, vectors)
        self.watcher.stored(len(passages))
        if self.known is not None:
            self.known.add([self.seen[p.id] for p in passages], [p.text for p in passages])
        self.n_imported += len(self.waiting)
        self.waiting = []
        self.n_batches += 1
        self._watched("storing")
        if self.n_batches % _BATCHES_BETWEEN_OPTIMIZING == 0:
            library.optimize()

    def _open(self) -> PassageLibrary:
        if self.name in PassageLibrary.names(self.folder):
            self.library = PassageLibrary.open(self.folder, self.name)
            self.library.check_encoder(self.encoder.name, self.encoder.revision)
            self.there = self.library.fingerprints()
        else:
            self.library = PassageLibrary.create(
                self.folder,
                self.name,
                embedding_dim=self.encoder.embedding_dim,
                encoder_name=self.encoder.name,
                encoder_revision=self.encoder.revision,
            )
        self.watcher.opened(self.there)
        return self.library

    def _note(self, document: Document) -> None:
        self.n_mended += bool(document.mended)
        for what in document.mended:
            if len(self.mendings) < MOST_REFUSALS:
                self.mendings.append(Mending(document.place, what))

    def _refuse(self, refusal: Refusal) -> None:
        self.n_refused += 1
        kind = _kind_of(refusal.reason)
        # Reasons are few; where each is another one, it is the last kind that tells it.
        known = kind in self.reasons or len(self.reasons) < _MOST_REASONS
        self.reasons[kind if known else _OTHER_REASONS] += 1
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(refusal)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.n_read, self._total())

    def _total(self) -> int | None:
        total, n_read = self.n_passages, self.n_read + len(self.waiting)
        if total is None and self.estimate is not None:
            # As many passages in each document to come as in those that have been read.
            total = round(self.estimate * n_read / max(1, self.n_documents + self.n_refused))
        return None if total is None else max(total, n_read)

    def _watched(self, phase: Phase, n_encoded: int = 0) -> None:
        """Tell the watcher how far it is, with so many of those that wait encoded."""
        at = ImportProgress(
            phase=phase,
            n_documents=self.n_documents,
            n_read=self.n_read,
            n_encoded=self.n_imported + n_encoded,
            n_stored=self.n_imported,
            n_unchanged=self.n_unchanged,
            n_refused=self.n_refused,
            n_total=self._total(),
        )
        self.watcher.told(at)


def _kind_of(reason: str) -> str:
    """Give a reason without what is particular to one record, so that equal ones can be counted."""
    return re.sub(r"\d[\d,.]*", "n", re.sub(r"\s*\([^()]*\)|: .*(?=\.$)", "", reason))
