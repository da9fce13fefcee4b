"""A trained set encoder as a pair similarity; sets encoded before are kept on disk."""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.core.storage.cache_file import CacheFile
from subclust.grouping.similarity.base import PairSimilarity
from subclust.methods.cactus.learner import asked
from subclust.methods.cactus.token_set import TokenSet

_MAX_SETS = 300
"""That are kept of one model; the oldest go first. Two hundred passages take 0.3 MB."""

_LEAST_PASSAGES = 20
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
    least_passages : int
        Smaller sets are not kept.
    """

    def __init__(
        self, file: Path, max_sets: int = _MAX_SETS, least_passages: int = _LEAST_PASSAGES
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
    # Rows of zeros or NaN were never written: the file is damaged, and the set encoded again.
    return found if found.any(axis=1).all() and np.isfinite(found).all() else None


def _write(connection: sqlite3.Connection, row: tuple[bytes, int, bytes], max_sets: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO sets (key, dimension, vectors) VALUES (?, ?, ?)", row
    )
    # AUTOINCREMENT numbers never repeat: the distance from the newest counts what came after.
    connection.execute(
        "DELETE FROM sets WHERE number <= (SELECT max(number) FROM sets) - ?", (max_sets,)
    )


def _key_of(query: str, passages: Sequence[str]) -> bytes:
    """Sum up a set: another query, other passages or another order, another key.

    Parameters
    ----------
    query : str
        Empty where the model does not see it.
    """
    digest = hashlib.sha256()
    for text in (query, *passages):
        # The length goes first, so that different lists of texts never join to the same bytes.
        content = text.encode("utf-8", "surrogatepass")
        digest.update(f"{len(content)}:".encode())
        digest.update(content)
    return digest.digest()


class SetSimilarity(PairSimilarity):
    """Cosines of passages that were encoded together; higher is closer, -1 to 1.

    The network is opened when a set comes that is not known yet. The vectors of the last set are
    remembered, and those of many more where there is a place to keep them.

    Parameters
    ----------
    open_network : callable
        Gives the trained network.
    uses_query : bool
        Whether the query is one more entity of the set.
    """

    needs_embeddings = False

    def __init__(
        self,
        open_network: Callable[[], TokenSet],
        *,
        uses_query: bool,
        kept: KeptSets | None = None,
    ) -> None:
        self.open_network = open_network
        self.uses_query = uses_query
        self.kept = kept
        self._network: TokenSet | None = None
        self._last: tuple[bytes, FloatArray] | None = None
        self._lock = threading.Lock()  # several sessions may share one method

    def prepare(self, query: Query, passages: Sequence[str], progress: Progress) -> None:
        """Encode the passages of a query together, and remember their vectors."""
        self.vectors(query, passages, progress)

    def vectors(
        self, query: Query, passages: Sequence[str], progress: Progress | None = None
    ) -> FloatArray:
        """Encode the passages of a query together.

        Parameters
        ----------
        passages : sequence of str
            At least one.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` after each layer.

        Returns
        -------
        ndarray of shape (n_passages, embedding_dim)
            Each row of length 1.
        """
        text = asked(query, query.context) if self.uses_query else ""
        key = _key_of(text, passages)
        # Read once, because another session may replace it between the check and the return.
        last = self._last
        if last is not None and last[0] == key:
            return last[1]
        found = self.kept.get(key) if self.kept is not None else None
        if found is None or len(found) != len(passages):
            found = self._compute(text, passages, progress)
            if self.kept is not None:
                self.kept.add(key, found)
        self._last = (key, found)
        return found

    def _compute(self, text: str, passages: Sequence[str], progress: Progress | None) -> FloatArray:
        with self._lock:
            if self._network is None:
                self._network = self.open_network().eval()
            with torch.inference_mode():
                (vectors,) = self._network.embed([passages], [text], progress)
        return np.asarray(vectors.cpu().numpy(), dtype=np.float32)

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectors = self.vectors(query, passages)
        return np.asarray(vectors @ vectors.T, dtype=np.float32)
