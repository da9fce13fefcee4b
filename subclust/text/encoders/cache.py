"""Embeddings on disk, so that no text is ever encoded twice by the same encoder."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.core.storage.cache_file import CacheFile
from subclust.text.encoders.base import Encoder, WrappingEncoder
from subclust.text.encoders.shipped import shipped_vectors, text_key

_CHUNK = 128
"""Texts that are encoded and then saved together: the most that a killed run loses."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"

_ASKED = 32
"""Questions whose vectors are held in memory: a search asks for them once an encoder and part."""


class CachedEncoder(WrappingEncoder):
    """An encoder that remembers.

    One SQLite file per revision below `folder`, and the revision stands for weights and maximum
    length; a row is the SHA-256 of a text and its float32 vector. Each chunk is committed
    before the next is encoded, and several processes may use one file. A damaged file is made anew,
    and one that cannot be written is done without; see `CacheFile`. Texts whose vectors ship with
    Subclust are neither encoded nor kept.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    folder : Path
        Made when needed.
    asked : dict, optional
        Vectors of questions in memory, which it shares with another of the same encoder.
    shipped : bool
        Whether to use the vectors that ship; False to time the encoding.
    """

    def __init__(
        self,
        encoder: Encoder,
        folder: Path,
        asked: dict[str, FloatArray] | None = None,
        *,
        shipped: bool = True,
    ) -> None:
        super().__init__(encoder)
        self.folder = folder
        self.asked: dict[str, FloatArray] = {} if asked is None else asked
        self.shipped = shipped

    @property
    def file(self) -> Path:
        """The SQLite file of this revision."""
        return self.folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', self.revision)}.sqlite"

    def known(self, texts: Sequence[str]) -> set[str]:
        """Return the texts whose vectors are kept; nothing is written."""
        keys = {text_key(text): text for text in texts}
        return {keys[key] for key in self._kept(list(keys))}

    def encode_asked(self, text: str) -> FloatArray:
        """Encode what somebody asks; it is held for a while in memory, and never on disk."""
        vector = self.asked.get(text)
        if vector is None:
            vector = self.asked[text] = self.encoder.encode_asked(text)
            for old in list(self.asked)[:-_ASKED]:
                self.asked.pop(old, None)  # another visitor's search may have done it
        return vector.copy()

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        result = np.empty((len(texts), self.embedding_dim), dtype=np.float32)
        rows: dict[bytes, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(text_key(text), []).append(row)
        missing = dict(rows)
        for key, vector in self._kept(list(rows)).items():
            result[missing.pop(key)] = vector
        n_done = len(texts) - sum(map(len, missing.values()))
        if progress is not None and n_done:
            progress(n_done, len(texts))
        if missing:
            self._fill(result, texts, missing, n_done, progress)
        return result

    def _fill(
        self,
        result: FloatArray,
        texts: Sequence[str],
        missing: Mapping[bytes, Sequence[int]],
        n_done: int,
        progress: Progress | None,
    ) -> None:
        # Texts of similar length together, so that each chunk pads little.
        todo = sorted(missing, key=lambda key: len(texts[missing[key][0]]), reverse=True)
        takes_more = True
        for start in range(0, len(todo), _CHUNK):
            chunk = todo[start : start + _CHUNK]
            vectors = self.encoder.encode([texts[missing[key][0]] for key in chunk])
            pairs = list(zip(chunk, vectors, strict=True))
            # A disk that has refused once is not asked again for each chunk.
            takes_more = takes_more and self._keep(pairs)
            for key, vector in pairs:
                result[missing[key]] = vector
                n_done += len(missing[key])
            if progress is not None:
                progress(n_done, len(texts))

    def _keep(self, pairs: Sequence[tuple[bytes, FloatArray]]) -> bool:
        rows = [(key, vector.tobytes()) for key, vector in pairs]
        statement = "INSERT OR REPLACE INTO embeddings VALUES (?, ?)"
        return self._cache.write(lambda connection: connection.executemany(statement, rows))

    def _kept(self, keys: Sequence[bytes]) -> dict[bytes, FloatArray]:
        """Read the vectors that are there; a search thus writes nothing and waits for no writer."""
        found: dict[bytes, FloatArray] = {}
        if self.shipped:
            found = dict(shipped_vectors(self.revision).of(keys))
        others = [key for key in keys if key not in found]
        if not others:
            return found
        dim, none = self.embedding_dim, dict[bytes, FloatArray]()
        return found | self._cache.read(lambda one: dict(_read(one, others, dim)), none)

    @property
    def _cache(self) -> CacheFile:
        return CacheFile(self.file, _SCHEMA)


class ReadingEncoder(CachedEncoder):
    """An encoder that takes what its cache on disk holds and adds nothing to it.

    Parameters
    ----------
    encoder, folder, asked
        As for `CachedEncoder`.
    """

    def _fill(
        self,
        result: FloatArray,
        texts: Sequence[str],
        missing: Mapping[bytes, Sequence[int]],
        n_done: int,
        progress: Progress | None,
    ) -> None:
        vectors = self.encoder.encode([texts[rows[0]] for rows in missing.values()])
        for rows, vector in zip(missing.values(), vectors, strict=True):
            result[list(rows)] = vector
        if progress is not None:
            progress(len(texts), len(texts))


def _read(
    connection: sqlite3.Connection, keys: Sequence[bytes], embedding_dim: int
) -> Iterator[tuple[bytes, FloatArray]]:
    """Read the vectors that are whole; of one that is all zeros the disk has lost the content."""
    # Older SQLite takes at most 999 parameters in a statement.
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        found = connection.execute(
            f"SELECT key, vector FROM embeddings WHERE key IN ({marks})", some
        ).fetchall()
        vectors = [(key, np.frombuffer(content, dtype=np.float32)) for key, content in found]
        whole = [(key, vector) for key, vector in vectors if vector.shape == (embedding_dim,)]
        if not whole:
            continue
        stacked = np.stack([vector for _, vector in whole])
        usable = stacked.any(axis=1) & np.isfinite(stacked).all(axis=1)
        for row in np.flatnonzero(usable).tolist():
            yield whole[row]
