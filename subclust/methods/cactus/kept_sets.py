"""Vectors of whole sets on disk: the same hits under the same question are not encoded twice."""

import hashlib
import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from subclust.core.records import FloatArray
from subclust.core.storage.cache_file import CacheFile

MAX_SETS = 300
"""That are kept of one model; the oldest go first. Two hundred passages take 0.3 MB."""

LEAST_PASSAGES = 20
"""Of a set that is kept; smaller ones are encoded in no time."""

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS sets (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB UNIQUE, "
    "dimension INTEGER, vectors BLOB)"
)


class KeptSets:
    """The sets that one model has encoded, in an SQLite file of its own.

    Several processes may use one file.

    Parameters
    ----------
    file : Path
        Its name must stand for the model's weights. Its folder is made when needed.
    max_sets : int
    least_passages : int
        Smaller sets are not kept.
    """

    def __init__(
        self, file: Path, max_sets: int = MAX_SETS, least_passages: int = LEAST_PASSAGES
    ) -> None:
        self.file = file
        self.max_sets = max_sets
        self.least_passages = least_passages

    def get(self, key: bytes) -> FloatArray | None:
        """Look a set up.

        Returns
        -------
        ndarray of shape (n_passages, embedding_dim), optional
            None where it is not there.
        """
        return self._cache.read(partial(_read, key=key), None)

    def add(self, key: bytes, vectors: FloatArray) -> None:
        """Keep a set, and forget the oldest where there are too many.

        Parameters
        ----------
        key : bytes
        vectors : ndarray of shape (n_passages, embedding_dim)
        """
        if len(vectors) < self.least_passages:
            return
        whole = np.ascontiguousarray(vectors, dtype=np.float32)
        row = (key, whole.shape[1], whole.tobytes())
        self._cache.write(partial(_write, row=row, max_sets=self.max_sets))

    @property
    def _cache(self) -> CacheFile:
        return CacheFile(self.file, _SCHEMA)


def _read(connection: sqlite3.Connection, key: bytes) -> FloatArray | None:
    row = connection.execute("SELECT dimension, vectors FROM sets WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    dimension, vectors = row
    found: FloatArray = np.frombuffer(vectors, dtype=np.float32).reshape(-1, dimension)
    return found if found.any(axis=1).all() and np.isfinite(found).all() else None


def _write(connection: sqlite3.Connection, row: tuple[bytes, int, bytes], max_sets: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO sets (key, dimension, vectors) VALUES (?, ?, ?)", row
    )
    connection.execute(
        "DELETE FROM sets WHERE number <= (SELECT max(number) FROM sets) - ?", (max_sets,)
    )


def key_of(query: str, passages: Sequence[str]) -> bytes:
    """Sum up a set: another query, other passages or another order, another key.

    Parameters
    ----------
    query : str
        Empty where the model does not see it.
    passages : sequence of str
    """
    digest = hashlib.sha256()
    for text in (query, *passages):
        content = text.encode("utf-8", "surrogatepass")
        digest.update(f"{len(content)}:".encode())
        digest.update(content)
    return digest.digest()
