"""Embeddings on disk, so that no text is ever encoded twice by the same encoder."""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from subclust.encoders.base import Encoder, Progress
from subclust.exceptions import EncoderError
from subclust.records import FloatArray, Query

_CHUNK = 128
"""Texts that are encoded and then saved together: the most that a killed run loses."""


class CachedEncoder(Encoder):
    """An encoder that remembers.

    One SQLite file per revision below `folder`, and the revision stands for weights and maximum
    length; a row is the SHA-256 of a text and its float32 vector. Each chunk is committed
    before the next is encoded, and several processes may use one file.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    folder : Path
        Made when needed.
    """

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        self.encoder = encoder
        self.folder = folder
        self.name = encoder.name

    @property
    def revision(self) -> str:  # type: ignore[override]
        """The revision of the encoder inside."""
        return self.encoder.revision

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """The dimension of the encoder inside."""
        return self.encoder.embedding_dim

    @property
    def file(self) -> Path:
        """The SQLite file of this revision."""
        return self.folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', self.revision)}.sqlite"

    def known(self, texts: Sequence[str]) -> set[str]:
        """Tell of which texts a vector is kept; nothing is written.

        Raises
        ------
        EncoderError
            If the file cannot be read.
        """
        if not self.file.is_file():
            return set()
        keys = {_key(text): text for text in texts}
        with self._connect() as connection:
            found = _read(connection, list(keys))
            return {keys[key] for key, vector in found if vector.shape == (self.embedding_dim,)}

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        result = np.empty((len(texts), self.embedding_dim), dtype=np.float32)
        keys = [_key(text) for text in texts]
        with self._connect() as connection:
            rows: dict[bytes, list[int]] = {}
            for row, key in enumerate(keys):
                rows.setdefault(key, []).append(row)
            missing = dict(rows)
            for key, vector in _read(connection, list(rows)):
                if vector.shape == (self.embedding_dim,):
                    result[missing.pop(key)] = vector
            n_done = len(texts) - sum(map(len, missing.values()))
            if progress is not None and n_done:
                progress(n_done, len(texts))
            # Alike lengths together: each chunk then pads little.
            todo = sorted(missing, key=lambda key: len(texts[missing[key][0]]), reverse=True)
            for start in range(0, len(todo), _CHUNK):
                chunk = todo[start : start + _CHUNK]
                vectors = self.encoder.encode([texts[missing[key][0]] for key in chunk])
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO embeddings VALUES (?, ?)",
                        [
                            (key, vector.tobytes())
                            for key, vector in zip(chunk, vectors, strict=True)
                        ],
                    )
                for key, vector in zip(chunk, vectors, strict=True):
                    result[missing[key]] = vector
                    n_done += len(missing[key])
                if progress is not None:
                    progress(n_done, len(texts))
        return result

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.file, timeout=60)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB)"
                    " WITHOUT ROWID"
                )
                yield connection
        except (sqlite3.DatabaseError, OSError) as error:
            raise EncoderError(
                f"The embedding cache {self.file} cannot be used ({error}); "
                "delete that file and try again, the embeddings will be computed anew."
            ) from error


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _read(
    connection: sqlite3.Connection, keys: Sequence[bytes]
) -> Iterator[tuple[bytes, FloatArray]]:
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        for key, vector in connection.execute(
            f"SELECT key, vector FROM embeddings WHERE key IN ({marks})", some
        ):
            yield key, np.frombuffer(vector, dtype=np.float32)
