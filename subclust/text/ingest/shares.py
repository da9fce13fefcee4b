"""What workers do of an import: one reads a file, any of them encodes what it read."""

import hashlib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import fs

from subclust.core.exceptions import LibraryError, SubclustError
from subclust.core.settings import storage_endpoint
from subclust.core.storage import StoragePath
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.known import KnownPassages
from subclust.text.ingest.near_duplicates import N_HASHES, Signatures, signatures
from subclust.text.ingest.reading import Reading
from subclust.text.ingest.report import IngestReport
from subclust.text.ingest.units import Batch, encoded
from subclust.text.library import PassageLibrary
from subclust.text.library.schema import fingerprint, passage_schema, to_table
from subclust.text.sources.base import Source
from subclust.text.sources.opening import open_source

_SIGNATURE = "signature"

KIND = "kind"
"""Column of a block: `PART`, `END` or `AGAIN` of each passage."""


@dataclass(frozen=True)
class ImportedFile:
    """A file that is imported.

    Parameters
    ----------
    path : Path
        As all machines see it.
    format : str
        A key of `SOURCES`, or ``"auto"``.
    collection : str or None
        By default the file's name.
    encoding : str or None
        By default what its bytes say.
    columns : mapping of str to str or None
        Of a table, our field and the head that has it.
    """

    path: Path
    format: str = "auto"
    collection: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] | None = None

    def source(self) -> Source:
        """Return its reader."""
        return open_source(self.path, self.format, self.collection, self.encoding, self.columns)


@dataclass(frozen=True)
class SharedImport:
    """What every worker knows of an import.

    Parameters
    ----------
    folder : Path
        Of the libraries, as all machines see it, or in object storage.
    library : str
    files : tuple of ImportedFile
    version : int or None
        Of the library's table when the import began, so that a file which is read once more is
        read as it was the first time; None where there is no library yet.
    batch_size : int
        Passages of a block.
    with_signatures : bool
        Whether near-duplicates will be looked for.
    """

    folder: Path
    library: str
    files: tuple[ImportedFile, ...]
    version: int | None
    batch_size: int
    with_signatures: bool


@dataclass(frozen=True)
class FileAccount:
    """What became of a file's rows, but for what other files of the import have a say in.

    Parameters
    ----------
    report : IngestReport
        Counts as imported whatever was given to be encoded.
    unchanged : tuple of str
        Ids of passages that the library held, word for word, when the import began.
    stale : tuple of str
        Ids of passages that its records have no longer.
    """

    report: IngestReport
    unchanged: tuple[str, ...]
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Share:
    """A part of a file: passages to encode, the block of encoded ones, or how the file ended.

    Parameters
    ----------
    file, number : int
        Both from 0; the last one of a file carries its account.
    batch : list or None
    block : str
        Its name, once it is written.
    account : FileAccount or None
    error : SubclustError or None
        Why there is no more.
    """

    file: int
    number: int
    batch: Batch | None = None
    block: str = ""
    account: FileAccount | None = None
    error: SubclustError | None = None


def read_shares(work: SharedImport, file: int) -> Iterator[Share]:
    """Read a file; as often as it is read, it gives the same."""
    number = 0
    try:
        there = KnownPassages()
        if work.version is not None:
            library = PassageLibrary.open(work.folder, work.library)
            library.table.checkout(work.version)
            there = KnownPassages.of(library)
        one = work.files[file]
        reading = Reading(one.source(), there)
        for batch in reading.batches(work.batch_size):
            yield Share(file, number, batch=batch)
            number += 1
        report = reading.report(work.library, 0.0)
        account = FileAccount(report, tuple(reading.unchanged), tuple(reading.stale))
        yield Share(file, number, account=account)
    # Passed on as a value: Ray would wrap what a task raises, and `in_order` raises it in its turn.
    except SubclustError as error:
        yield Share(file, number, error=error)


class BlockWriter:
    """Encodes shares and writes their blocks.

    Parameters
    ----------
    work : SharedImport
    load : callable
        Gives the encoder.
    """

    def __init__(self, work: SharedImport, load: Callable[[], Encoder]) -> None:
        self.work = work
        self.blocks = BlockFolder(work.folder, work.library)
        self.load = load
        self.encoder: Encoder | None = None

    def write(self, share: Share) -> Share:
        """Return the share with its block in the place of its passages."""
        if share.batch is None:
            return share
        try:
            self.encoder = encoder = self.encoder or self.load()
            passages = [one.passage for one in share.batch]
            name = self.blocks.name_of(
                self.work.files[share.file].path,
                [f"{fingerprint(one.passage)}{one.kind}" for one in share.batch],
                encoder.revision,
            )
            if not self.blocks.has(name):
                vectors = encoded(share.batch, encoder)
                schema = passage_schema(encoder.embedding_dim, encoder.name, encoder.revision)
                signed = signatures(p.text for p in passages) if self.work.with_signatures else None
                rows = to_table(passages, vectors, schema)
                kinds = pa.array([one.kind for one in share.batch], pa.int8())
                self.blocks.write(name, rows.append_column(KIND, kinds), signed)
            return Share(share.file, share.number, block=name)
        except SubclustError as error:
            return Share(share.file, share.number, error=error)


def in_order(shares: Iterator[Share]) -> Iterator[Share]:
    """Return shares in the order of their files and numbers, in whatever order they come.

    One that came before already is dropped, and an error is raised in its turn.

    Raises
    ------
    SubclustError
    """
    early: dict[tuple[int, int], Share] = {}
    due = (0, 0)
    for share in shares:
        early[share.file, share.number] = share
        while (next_ := early.pop(due, None)) is not None:
            if next_.error is not None:
                raise next_.error
            yield next_
            due = (due[0] + 1, 0) if next_.account is not None else (due[0], due[1] + 1)
        for key in [key for key in early if key < due]:
            del early[key]


class BlockFolder:
    """The blocks of an import, beside the libraries, on a disk or in object storage.

    A block's name follows from what it holds, so that whoever does a killed worker's work again
    writes the same block and no second one. It is there wholly or not at all.
    """

    def __init__(self, folder: Path, library: str) -> None:
        place = folder / f".{library}.blocks"
        self.in_storage = isinstance(place, StoragePath)
        self.name = str(place)
        self.root = self.name.removeprefix("s3://") if self.in_storage else self.name

    @staticmethod
    def name_of(file: Path, marks: Sequence[str], encoder_revision: str) -> str:
        """Name the block of a file's passages that these marks stand for."""
        text = "\n".join([str(file), encoder_revision, *marks])
        return f"{hashlib.sha256(text.encode()).hexdigest()[:40]}.arrow"

    def has(self, name: str) -> bool:
        """Return whether a block is there."""
        with self._opened() as system:
            return bool(system.get_file_info(f"{self.root}/{name}").type == fs.FileType.File)

    def write(self, name: str, rows: pa.Table, signed: Signatures | None) -> None:
        """Write a block.

        Parameters
        ----------
        name : str
        rows : pyarrow.Table of n_passages rows
            As `subclust.text.library.schema.to_table` lays them out.
        signed : ndarray of shape (n_passages, N_HASHES) or None
            What near-duplicates are told by.

        Raises
        ------
        LibraryError
            If it cannot be written.
        """
        if signed is not None:
            flat = pa.array(np.ascontiguousarray(signed).reshape(-1), pa.uint16())
            column = pa.FixedSizeListArray.from_arrays(flat, N_HASHES)
            rows = rows.append_column(_SIGNATURE, column)
        with self._opened() as system:
            place = f"{self.root}/{name}"
            if self.in_storage:  # an object is there once it is whole
                _write(system, place, rows)
                return
            system.create_dir(self.root, recursive=True)
            beside = f"{place}.{uuid.uuid4().hex}"
            _write(system, beside, rows)
            system.move(beside, place)

    def read(self, name: str) -> tuple[pa.Table, Signatures | None]:
        """Read a block: its rows, and what near-duplicates are told by.

        Raises
        ------
        LibraryError
            If it cannot be read.
        """
        with self._opened() as system, system.open_input_file(f"{self.root}/{name}") as stream:
            rows = pa.ipc.open_file(stream).read_all()
        if _SIGNATURE not in rows.column_names:
            return rows, None
        flat = rows.column(_SIGNATURE).combine_chunks().flatten().to_numpy()
        return rows.drop_columns([_SIGNATURE]), flat.reshape(len(rows), N_HASHES)

    def drop(self, names: Sequence[str]) -> None:
        """Take blocks away that are in the library."""
        with self._opened() as system:
            for name in dict.fromkeys(names):
                if system.get_file_info(f"{self.root}/{name}").type == fs.FileType.File:
                    system.delete_file(f"{self.root}/{name}")

    def clear(self) -> None:
        """Take all of them away, and what a killed worker had begun to write."""
        with self._opened() as system:
            if system.get_file_info(self.root).type == fs.FileType.Directory:
                system.delete_dir(self.root)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        try:
            yield _object_storage() if self.in_storage else fs.LocalFileSystem()
        except OSError as error:
            raise LibraryError(
                "{name} cannot be used ({error}); check whether there is room, and whether "
                "every machine may read and write there.",
                name=self.name,
                error=error,
            ) from error


def _object_storage() -> Any:
    """Open the storage that the AWS_ variables name; of these Arrow does not read the address."""
    scheme, _, host = storage_endpoint().rstrip("/").rpartition("://")
    return fs.S3FileSystem(endpoint_override=host or None, scheme=scheme or "https")


def _write(system: Any, place: str, rows: pa.Table) -> None:
    with system.open_output_stream(place) as stream, pa.ipc.new_file(stream, rows.schema) as writer:
        writer.write_table(rows)
