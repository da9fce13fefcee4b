"""Other wordings on disk, so that none is ever made twice."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from subclust.exceptions import TrainingError

FOLDER = "augmented"
"""Of the kept wordings, beside the embeddings."""

_CHUNK = 128
"""Wordings that are kept together: the most that a killed run loses."""

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

    Raises
    ------
    TrainingError
        If the kept wordings cannot be used.
    """
    if folder is None:
        return list(make(texts))
    path = folder / f"{name}.sqlite"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=60)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS wordings (key BLOB PRIMARY KEY, text TEXT)"
                " WITHOUT ROWID"
            )
            return _with(connection, texts, make)
    except (sqlite3.DatabaseError, OSError) as error:
        raise TrainingError(
            f"The kept wordings in {path} cannot be used ({error}); delete that file and try "
            "again, they will be made anew."
        ) from error


def _with(connection: sqlite3.Connection, texts: Sequence[str], make: Make) -> list[str]:
    different = {_key(text): text for text in texts}
    known: dict[bytes, str] = {}
    keys = list(different)
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        marks = ",".join("?" * len(some))
        known |= dict(
            connection.execute(f"SELECT key, text FROM wordings WHERE key IN ({marks})", some)
        )
    missing = [key for key in keys if key not in known]
    for start in range(0, len(missing), _CHUNK):
        chunk = missing[start : start + _CHUNK]
        new = dict(zip(chunk, make([different[key] for key in chunk]), strict=True))
        with connection:
            connection.executemany("INSERT OR REPLACE INTO wordings VALUES (?, ?)", new.items())
        known |= new
    return [known[_key(text)] for text in texts]


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
