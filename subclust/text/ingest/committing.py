"""Files into a library by many workers: what they encoded is committed here, in order, once."""

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from subclust.core.exceptions import InputError
from subclust.core.quotas import check_passages
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.storage import StoragePath
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.known import KnownPassages, opened_library, refuse_deleted
from subclust.text.ingest.local import BATCH_SIZE
from subclust.text.ingest.near_duplicates import (
    KnownSignatures,
    Signatures,
    near_duplicates,
    signatures,
)
from subclust.text.ingest.report import IngestReport
from subclust.text.ingest.shares import (
    KIND,
    BlockFolder,
    FileAccount,
    ImportedFile,
    Share,
    SharedImport,
    in_order,
)
from subclust.text.ingest.units import AGAIN, END
from subclust.text.library import PassageLibrary
from subclust.text.library.add import add_rows, append_rows, sole_writer
from subclust.text.library.imports import ImportLog
from subclust.text.library.schema import passages_of

Engine = Callable[[SharedImport], Iterator[Share]]
"""Has the files of an import read and encoded, and gives the shares in any order."""

COMMIT_ROWS = 32_768
"""Passages of a transaction, about: fewer make more versions of the table, more take memory."""


def ingest_shared(
    files: tuple[ImportedFile, ...],
    encoder: Encoder,
    folder: Path,
    name: str,
    engine: Engine,
    *,
    progress: Progress | None = None,
    batch_size: int = BATCH_SIZE,
    commit_rows: int = COMMIT_ROWS,
    find_near_duplicates: bool = True,
    log: ImportLog | None = None,
) -> list[IngestReport]:
    """Import files as `ingest` does one after the other, with workers that read and encode.

    The library has the same passages afterwards and the reports say the same. Whoever starts an
    import again that was killed goes on: what is in the library is not read into it a second time,
    and what was encoded is not encoded again.

    Parameters
    ----------
    files : tuple of ImportedFile
        At least one.
    encoder : Encoder
        Only its name, revision and dimension count here.
    folder : Path
        Of the libraries, on a disk or in object storage; nobody else imports into a library of
        object storage meanwhile.
    name : str
    engine : callable
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages after each transaction.
    batch_size : int
        Passages of a block, at least 1.
    commit_rows : int
        Passages of a transaction, about, at least 1.
    find_near_duplicates : bool
    log : ImportLog, optional
        Keeps which passages it brings, so that they can be taken back.

    Returns
    -------
    list of IngestReport
        One a file.

    Raises
    ------
    InputError
        If a number or the library's name cannot be used; FileFormatError if a file cannot be read.
    LibraryError
        If the library was made with another encoder, or is held by another writer.
    """
    if batch_size < 1 or commit_rows < 1:
        raise InputError(
            "Batches must be of at least 1 passage, but are of {batch_size}.", batch_size=batch_size
        )
    blocks = BlockFolder(folder, name)
    stored = isinstance(folder, StoragePath)
    with sole_writer() if stored else nullcontext(), TemporaryDirectory() as aside:
        # Signatures are kept beside a library on a disk, and nowhere for one in object storage.
        known = KnownSignatures(Path(aside) if stored else folder, name)
        run = _Import(
            encoder,
            folder,
            name,
            blocks,
            known if find_near_duplicates else None,
            progress,
            log,
            commit_rows,
        )
        reports = run.run(files, engine, batch_size)
        blocks.clear()
    if run.library is not None:
        refuse_deleted(folder, name)
    return reports


@dataclass
class _Counts:
    """What became of a file's blocks."""

    n_stored: int = 0
    n_records: int = 0
    n_records_there: int = 0
    touched: set[str] = field(default_factory=set)
    is_fresh: bool = False
    ids: set[str] = field(default_factory=set)

    def count(self, kind: int, *, is_fresh: bool) -> None:
        """Count a passage, and with its last one the record."""
        self.n_stored += is_fresh and kind != AGAIN
        self.is_fresh |= is_fresh
        if kind == END:
            self.n_records += self.is_fresh
            self.n_records_there += not self.is_fresh
            self.is_fresh = False


@dataclass
class _Import:
    """One run of `ingest_shared`."""

    encoder: Encoder
    folder: Path
    name: str
    blocks: BlockFolder
    known: KnownSignatures | None
    progress: Progress | None
    log: ImportLog | None
    commit_rows: int
    library: PassageLibrary | None = None
    version: int | None = None
    there: KnownPassages = field(default_factory=KnownPassages)
    replaced: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    n_waiting: int = 0
    n_done: int = 0
    n_new: int = 0
    brought: set[str] = field(default_factory=set)

    def run(
        self, files: tuple[ImportedFile, ...], engine: Engine, batch_size: int
    ) -> list[IngestReport]:
        if self.name in PassageLibrary.names(self.folder):
            self._open()
        reports: list[IngestReport] = []
        n_records = n_passages = 0
        while len(reports) < len(files):
            self.replaced, self.brought = set(), set()
            rest = files[len(reports) :]
            work = SharedImport(
                self.folder, self.name, rest, self.version, batch_size, self.known is not None
            )
            counts, began = _Counts(), time.monotonic()
            for share in in_order(engine(work)):
                stands = True
                if share.account is None:
                    self.waiting.append(share.block)
                    self.n_waiting += batch_size
                    if self.n_waiting < self.commit_rows:
                        continue
                stands = self._commit(counts)
                # A passage was the library's when the file was read, and was since replaced by an
                # earlier file: now it is new again. Or an earlier file has brought another record
                # of its id. The file is read anew; it counts once.
                known = () if share.account is None else share.account.unchanged
                if not stands or (self.replaced and not self.replaced.isdisjoint(known)):
                    n_records += counts.n_records
                    n_passages += counts.n_stored
                    break
                if share.account is None:
                    continue
                if self.log is not None:
                    self.log.found(share.account.unchanged)
                seconds = time.monotonic() - began
                report = self._report(share.account, counts, seconds, last=len(rest) == 1)
                reports.append(report.credited(n_records, n_passages))
                rest = rest[1:]
                self.brought |= counts.ids
                counts, began, n_records, n_passages = _Counts(), time.monotonic(), 0, 0
        return reports

    def _commit(self, counts: _Counts) -> bool:
        """Put the blocks that wait into the library, in one transaction, and take them away.

        Returns
        -------
        bool
            False where an earlier file has brought other records of some of the ids; then nothing
            is put there, and the file has to be read anew.
        """
        if not self.waiting:
            return True
        names, self.waiting, self.n_waiting = self.waiting, [], 0
        parts = [self.blocks.read(name) for name in names]
        rows = pa.concat_tables([part for part, _ in parts])
        kinds, rows = rows.column(KIND).to_pylist(), rows.drop_columns([KIND])
        signed = [one for _, one in parts if one is not None]
        library = self.library or self._open()
        with library.writing():
            library.table.checkout_latest()
            if library.table.version != self.version:  # somebody else's import was here
                self.there = KnownPassages.of(library)
            passages, prints = passages_of(rows), rows.column("fingerprint").to_pylist()
            held = [self.there.held(*one) for one in zip(passages, prints, strict=True)]
            new = {p.id: row for row, p in enumerate(passages) if held[row] is None}
            if not self.brought.isdisjoint(new):
                return False
            # Where a record came twice, the last one has the fields of both.
            fresh = rows.take(pa.array(sorted(new.values()), pa.int64()))
            if len(fresh):
                if self.log is not None:
                    self.log.storing(fresh.column("id").to_pylist(), self.there.marks)
                replacing = {
                    one for one in fresh.column("id").to_pylist() if one in self.there.marks
                }
                n_new = len(fresh) - len(replacing)
                check_passages(library.table.count_rows() + n_new if n_new else 0)
                (add_rows if replacing else append_rows)(library.table, fresh)
                self.replaced |= replacing
            library.table.checkout_latest()
            self.version = library.table.version
        for row, (passage, mark, there) in enumerate(zip(passages, prints, held, strict=True)):
            if there is None:
                self.there.add(passage.id, mark, passage.collection)
            counts.touched.add(there or passage.id)
            counts.count(kinds[row], is_fresh=there is None)
        counts.ids |= set(new)
        if self.log is not None:
            self.log.found(one for one in held if one is not None)
        self.n_done += len(rows)
        self._remember(rows, np.concatenate(signed) if len(signed) == len(parts) else None)
        # Only now: a run that is killed earlier finds the blocks again and encodes nothing twice.
        self.blocks.drop(names)
        self.n_new += len(fresh)
        if self.progress is not None:
            self.progress(self.n_done, None)
        return True

    def _remember(self, rows: pa.Table, signed: Signatures | None) -> None:
        if self.known is None:
            return
        if signed is None:
            signed = signatures(rows.column("text").to_pylist())
        self.known.add_signed(rows.column("fingerprint").to_pylist(), signed)

    def _report(
        self, account: FileAccount, counts: _Counts, seconds: float, *, last: bool
    ) -> IngestReport:
        """Finish a file's report: other files may have brought some of its passages before."""
        read = account.report
        if self.library is not None and account.stale:
            self.library.discard(account.stale)
        if self.library is not None and self.n_new and last:
            self.library.optimize()
        report = replace(
            read,
            n_imported=counts.n_records,
            n_unchanged=read.n_unchanged + counts.n_records_there,
            n_changed=min(read.n_changed, counts.n_records),
            n_passages_imported=counts.n_stored,
            seconds=seconds,
        )
        self.n_done += len(account.unchanged) + read.n_merged + read.n_refused
        if self.progress is not None:
            self.progress(self.n_done, self.n_done if last else None)
        if self.library is None or self.known is None:
            return report
        touched = counts.touched, frozenset(account.unchanged)
        return replace(report, near_duplicates=near_duplicates(self.library, self.known, touched))

    def _open(self) -> PassageLibrary:
        self.library, _ = opened_library(self.folder, self.name, self.encoder)
        self.version = self.library.table.version
        self.there = KnownPassages.of(self.library)
        return self.library
