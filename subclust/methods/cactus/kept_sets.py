"""Vectors of whole sets on disk: the same hits under the same question are not encoded twice."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from subclust.exceptions import EncoderError
from subclust.records import FloatArray

MAX_SETS = 300
"""That are kept of one model; the oldest go first. Two hundred passages take 0.3 MB."""

LEAST_PASSAGES = 20
"""Of a set that is kept; smaller ones are encoded in no time."""


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
        if not self.file.is_file():
            return None
        with self._connect() as connection:
            row = connection.execute(
                "SELECT dimension, vectors FROM sets WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        dimension, vectors = row
        return np.frombuffer(vectors, dtype=np.float32).reshape(-1, dimension)

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
        with self._connect() as connection, connection:
            connection.execute(
                "INSERT OR REPLACE INTO sets (key, dimension, vectors) VALUES (?, ?, ?)",
                (key, whole.shape[1], whole.tobytes()),
            )
            connection.execute(
                "DELETE FROM sets WHERE number <= (SELECT max(number) FROM sets) - ?",
                (self.max_sets,),
            )

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.file, timeout=60)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS sets (number INTEGER PRIMARY KEY AUTOINCREMENT, "
                    "key BLOB UNIQUE, dimension INTEGER, vectors BLOB)"
                )
                yield connection
        except (sqlite3.DatabaseError, OSError) as error:
            raise EncoderError(
                f"The kept vectors {self.file} cannot be used ({error}); delete that file and try "
                "again, they will be computed anew."
            ) from error


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
