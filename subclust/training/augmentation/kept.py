"""Other wordings on disk, so that none is ever made twice."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from subclust.core.storage.cache_file import CacheFile

FOLDER = "augmented"
"""Of the kept wordings, beside the embeddings."""

_CHUNK = 128
"""Wordings that are kept together: the most that a killed run loses."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS wordings (key BLOB PRIMARY KEY, text TEXT) WITHOUT ROWID"

Make = Callable[[Sequence[str]], Sequence[str]]


def augmented(texts: Sequence[str], name: str, make: Make, folder: Path | None) -> list[str]:
    """Give another wording of each text: the kept one, or a new one, which is then kept.

    Parameters
    ----------
    texts : sequence of str
    name : str
        Of the way in which they are made; a file of its own.
    make : callable
        Gives one wording of each of some texts.
    folder : Path or None
        Where wordings are kept; None for nowhere.

    Returns
    -------
    list of str
    """
    if folder is None:
        return list(make(texts))
    kept = CacheFile(folder / f"{name}.sqlite", _SCHEMA)
    different = {_key(text): text for text in texts}
    known: dict[bytes, str] = kept.read(
        lambda connection: dict(_read(connection, list(different))), {}
    )
    missing = [key for key in different if key not in known]
    takes_more = True
    for start in range(0, len(missing), _CHUNK):
        chunk = missing[start : start + _CHUNK]
        new = dict(zip(chunk, make([different[key] for key in chunk]), strict=True))
        takes_more = takes_more and kept.write(partial(_write, rows=list(new.items())))
        known |= new
    return [known[_key(text)] for text in texts]


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, str]]:
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        yield from connection.execute(
            f"SELECT key, text FROM wordings WHERE key IN ({marks}) AND typeof(text) = 'text'", some
        )


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[bytes, str]]) -> None:
    connection.executemany("INSERT OR REPLACE INTO wordings VALUES (?, ?)", rows)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
