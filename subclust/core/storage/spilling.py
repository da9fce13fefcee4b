"""A dictionary of texts that takes a bounded part of memory, however much it holds."""

import sqlite3
from collections.abc import Iterable, Iterator, MutableMapping

MOST_IN_MEMORY = 10_000
"""Entries that are held in memory; a dictionary with fewer makes no file."""

_CACHE_KB = 8_192
# A megabyte of bits, so that of a million keys most that are new are told without a look-up.
_N_BITS = 1 << 23


class SpillingDict(MutableMapping[str, str]):
    """A dictionary of which all but the newest entries lie in a temporary file.

    Keys are told apart by 64 bits of a hash, so that of a million any two are taken for one with a
    probability of 3 in 100 million. The file is SQLite's own: it has no name and goes with the
    process.

    Parameters
    ----------
    most : int
        Entries to hold in memory.
    """

    def __init__(self, most: int = MOST_IN_MEMORY) -> None:
        self.most = most
        self._n_keys = 0
        self._newest: dict[str, str] = {}
        self._file: sqlite3.Connection | None = None
        # A bit for each remainder of a hash in the file: most keys that are new are told by it.
        self._bits = bytearray()

    def __getitem__(self, key: str) -> str:
        """Return the value of a key.

        Raises
        ------
        KeyError
            If there is none.
        """
        if key in self._newest:
            return self._newest[key]
        found = self._row("SELECT value FROM kept WHERE hash = ?", key)
        if found is None:
            raise KeyError(key)
        return str(found[0])

    def __contains__(self, key: object) -> bool:
        """Return whether a key is there."""
        return (
            key in self._newest or self._row("SELECT 1 FROM kept WHERE hash = ?", key) is not None
        )

    def __setitem__(self, key: str, value: str) -> None:
        """Add a value, or replace that of its key."""
        self._n_keys += key not in self
        self._newest[key] = value
        if len(self._newest) >= self.most:
            self._spill()

    def __delitem__(self, key: str) -> None:
        """Remove a key.

        Raises
        ------
        KeyError
            If it is not there.
        """
        if key not in self:
            raise KeyError(key)
        self._n_keys -= 1
        self._newest.pop(key, None)
        if self._file is not None:
            self._file.execute("DELETE FROM kept WHERE hash = ?", (hash(key),))

    def __len__(self) -> int:
        """Count the keys."""
        return self._n_keys

    def __iter__(self) -> Iterator[str]:
        """Return the keys in any order; none may be changed meanwhile."""
        if self._file is not None:
            self._spill()
            for (key,) in self._file.execute("SELECT key FROM kept"):
                yield str(key)
        yield from self._newest

    def add(self, keys: Iterable[str]) -> None:
        """Add keys whose values say nothing."""
        for key in keys:
            self[key] = ""

    def _row(self, query: str, key: object) -> tuple[object, ...] | None:
        if self._file is None:
            return None
        number = hash(key)
        if not self._bits[number % _N_BITS >> 3] & 1 << (number & 7):
            return None
        row: tuple[object, ...] | None = self._file.execute(query, (number,)).fetchone()
        return row

    def _spill(self) -> None:
        """Move what is in memory to the file."""
        if self._file is None:
            self._bits = bytearray(_N_BITS >> 3)
            self._file = sqlite3.connect("", isolation_level=None)
            # The size of the cache is counted in pages of the size that holds when it is set.
            sizes = "page_size = 32768", f"cache_size = -{_CACHE_KB}"
            for setting in (*sizes, "journal_mode = OFF", "synchronous = OFF", "temp_store = FILE"):
                self._file.execute(f"PRAGMA {setting}")
            # Rows are appended; only the index, a tenth as large, is written all over.
            self._file.execute("CREATE TABLE kept (hash INTEGER, key TEXT, value TEXT)")
            self._file.execute("CREATE UNIQUE INDEX by_hash ON kept (hash)")
        # In the order of the index, so that each of its pages is written once.
        rows = sorted((hash(key), key, value) for key, value in self._newest.items())
        self._newest = {}
        for number, _, _ in rows:
            self._bits[number % _N_BITS >> 3] |= 1 << (number & 7)
        self._file.execute("BEGIN")
        self._file.executemany(
            "INSERT INTO kept VALUES (?, ?, ?) "
            "ON CONFLICT (hash) DO UPDATE SET value = excluded.value",
            rows,
        )
        self._file.execute("COMMIT")
