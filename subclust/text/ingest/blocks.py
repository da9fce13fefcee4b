"""Blocks: encoded passages that a worker has written and the importer has yet to commit."""

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import fs

from subclust.core.exceptions import LibraryError
from subclust.core.settings import storage_endpoint
from subclust.core.storage import StoragePath
from subclust.text.ingest.near_duplicates import N_HASHES, Signatures

_SIGNATURE = "signature"


class BlockFolder:
    """The blocks of an import, beside the libraries, on a disk or in object storage.

    A block's name follows from what it holds, so that whoever does a killed worker's work again
    writes the same block and no second one. It is there wholly or not at all.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    library : str
    """

    def __init__(self, folder: Path, library: str) -> None:
        place = folder / f".{library}.blocks"
        self.in_storage = isinstance(place, StoragePath)
        self.name = str(place)
        self.root = self.name.removeprefix("s3://") if self.in_storage else self.name

    @staticmethod
    def name_of(file: Path, fingerprints: Sequence[str], encoder_revision: str) -> str:
        """Name the block of a file's passages of these fingerprints."""
        text = "\n".join([str(file), encoder_revision, *fingerprints])
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
                "{name} cannot be used ({error}); see whether there is room, and whether every "
                "machine may read and write there.",
                name=self.name,
                error=error,
            ) from error


def _object_storage() -> Any:
    """Open the storage that the AWS_ variables name; of these Arrow does not read the address."""
    scheme, _, host = storage_endpoint().rstrip("/").rpartition("://")
    return fs.S3FileSystem(endpoint_override=host or None, scheme=scheme or "https")


def _write(system: Any, place: str, rows: pa.Table) -> None:
    with (
        system.open_output_stream(place) as stream,
        pa.ipc.new_file(stream, rows.schema) as writer,
    ):
        writer.write_table(rows)
