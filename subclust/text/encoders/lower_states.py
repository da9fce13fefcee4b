"""Hidden states of an encoder's frozen layers, on disk: one text, one ragged row."""

import logging
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import torch
from filelock import FileLock
from torch import Tensor

from subclust.core.storage.cache_file import DAMAGED, set_aside, tell_once
from subclust.text.encoders.shipped import text_key

MAX_GIGABYTES = 50.0
"""Size of a file of states beyond which no more are kept."""

FREE_GIGABYTES = 2.0
"""Of the disk, that are left to others."""

_GIGABYTE = 10**9

_INDEX = np.dtype([("key", "u1", (32,)), ("start", "<i8"), ("n_tokens", "<i8")])
"""A line of the index: SHA-256 of the text, first token in the file of states, number of tokens."""

_log = logging.getLogger(__name__)


class LowerStates:
    """What the frozen layers make of each text, kept in one growing file.

    ``NAME.states`` holds the rows of all tokens, one text after another, as bfloat16 bits or
    float32; ``NAME.index`` says where each text is. Both only ever grow, the index after the
    states: what is in the index is whole, and a killed run loses at most what it was adding.
    Several processes may use one file. Damaged files are set aside and made anew; ones that cannot
    be read or written are done without.

    Parameters
    ----------
    path : Path
        Without ending; its name must stand for the weights, the number of layers and the maximum
        length. Its folder is made when needed.
    hidden_dim : int
    dtype : {torch.bfloat16, torch.float32}
    max_gigabytes : float
        At which the file stops growing; texts that are not in it are then computed each time.
    """

    def __init__(
        self,
        path: Path,
        hidden_dim: int,
        dtype: torch.dtype,
        *,
        max_gigabytes: float = MAX_GIGABYTES,
    ) -> None:
        self.states_file = path.with_name(f"{path.name}.states")
        self.index_file = path.with_name(f"{path.name}.index")
        self.hidden_dim = hidden_dim
        self.dtype = dtype
        self.max_gigabytes = max_gigabytes
        # Numpy has no bfloat16: its bits travel as whole numbers.
        self._bits = np.dtype("<i2" if dtype == torch.bfloat16 else "<f4")
        self._index: dict[bytes, tuple[int, int]] = {}
        self._n_read = 0
        self._index_made: int | None = None
        self._rows: npt.NDArray[Any] = np.empty((0, hidden_dim), dtype=self._bits)
        self._full = False
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._read_index()
        except OSError as error:
            self._do_without(error)

    def __len__(self) -> int:
        """Count the texts."""
        return len(self._index)

    def get(self, texts: Sequence[str]) -> dict[str, Tensor]:
        """Look texts up.

        Returns
        -------
        dict of str to Tensor of shape (n_tokens, hidden_dim)
            Of those texts that are there.
        """
        try:
            return self._found(texts)
        except OSError as error:
            self._do_without(error)
        except ValueError as error:
            self._mend(error)
        return {}

    def _found(self, texts: Sequence[str]) -> dict[str, Tensor]:
        found = {}
        for text in dict.fromkeys(texts):
            place = self._index.get(text_key(text))
            if place is not None:
                start, n_tokens = place
                rows = np.array(self._mapped(start + n_tokens)[start : start + n_tokens])
                if start < 0 or not len(rows) or not rows.any(axis=1).all():
                    raise ValueError("some rows hold nothing")
                found[text] = torch.from_numpy(rows).view(self.dtype)
        return found

    def add(self, states: Mapping[str, Tensor]) -> None:
        """Keep the states of new texts, unless the file has reached its size."""
        if self._full:
            return
        try:
            with self._lock:
                self._read_index()
                self._append(
                    {t: rows for t, rows in states.items() if text_key(t) not in self._index}
                )
        except OSError as error:
            self._do_without(error)

    def _append(self, states: Mapping[str, Tensor]) -> None:
        size = self.states_file.stat().st_size if self.states_file.exists() else 0
        row_bytes = self.hidden_dim * self._bits.itemsize
        # A killed run may have left part of a row, or of a line of the index.
        start = -(-size // row_bytes)
        n_bytes = sum(len(rows) for rows in states.values()) * row_bytes
        free = shutil.disk_usage(self.states_file.parent).free
        if (
            size + n_bytes > self.max_gigabytes * _GIGABYTE
            or n_bytes > free - FREE_GIGABYTES * _GIGABYTE
        ):
            self._full = True
            _log.warning(
                "The hidden states in %s take %.1f GB and are not added to any more (at most "
                "%g GB, and %g GB of the disk stay free); the training goes on, a little slower.",
                self.states_file,
                size / _GIGABYTE,
                self.max_gigabytes,
                FREE_GIGABYTES,
            )
            return
        lines = np.zeros(len(states), dtype=_INDEX)
        with _opened(self.states_file) as stream:
            stream.truncate(start * row_bytes)
            stream.seek(start * row_bytes)
            for line, (text, rows) in zip(lines, states.items(), strict=True):
                line["key"] = np.frombuffer(text_key(text), dtype=np.uint8)
                line["start"], line["n_tokens"] = start, len(rows)
                stream.write(self._as_bits(rows).tobytes())
                start += len(rows)
        with _opened(self.index_file) as stream:
            stream.truncate(self._n_read * _INDEX.itemsize)
            stream.seek(0, os.SEEK_END)
            stream.write(lines.tobytes())
        self._read_index()

    def _as_bits(self, rows: Tensor) -> npt.NDArray[Any]:
        whole = rows.detach().cpu().to(self.dtype).contiguous()
        return (whole.view(torch.int16) if self.dtype == torch.bfloat16 else whole).numpy()

    def _read_index(self) -> None:
        """Take up the lines that this or another process has added, or has begun anew."""
        if not self.index_file.exists():
            self._forget()
            return
        status = self.index_file.stat()
        if status.st_ino != self._index_made or status.st_size < self._n_read * _INDEX.itemsize:
            self._forget()
            self._index_made = status.st_ino
        with self.index_file.open("rb") as stream:
            stream.seek(self._n_read * _INDEX.itemsize)
            content = stream.read()
        lines = np.frombuffer(content[: len(content) // _INDEX.itemsize * _INDEX.itemsize], _INDEX)
        for key, start, n_tokens in zip(
            lines["key"], lines["start"].tolist(), lines["n_tokens"].tolist(), strict=True
        ):
            self._index[key.tobytes()] = (start, n_tokens)
        self._n_read += len(lines)

    def _mapped(self, n_rows: int) -> npt.NDArray[Any]:
        """Map the file into memory, again where it has grown."""
        if n_rows > len(self._rows):
            size = self.states_file.stat().st_size if self.states_file.exists() else 0
            n_there = size // (self.hidden_dim * self._bits.itemsize)
            if n_there < n_rows:
                raise ValueError("it is shorter than its index says")
            self._rows = np.memmap(
                self.states_file, self._bits, "r", shape=(n_there, self.hidden_dim)
            )
        return self._rows

    def _forget(self) -> None:
        self._index, self._n_read = {}, 0
        self._rows = np.empty((0, self.hidden_dim), dtype=self._bits)

    def _mend(self, damage: ValueError) -> None:
        """Set the files aside, the index first: without it nobody reads the other."""
        self._forget()
        try:
            with self._lock:
                set_aside(self.index_file, self.states_file)
        except OSError as error:
            self._do_without(error)
            return
        _log.warning(
            "The hidden states in %s were damaged (%s); they were set aside as %s and are computed "
            "anew.",
            self.states_file,
            damage,
            f"{self.states_file.name}{DAMAGED}",
        )

    def _do_without(self, error: OSError) -> None:
        self._full = True
        tell_once(
            _log,
            "The hidden states in %s cannot be kept and are computed each time (%s).",
            self.states_file,
            error,
        )


def _opened(path: Path) -> BinaryIO:
    path.touch()
    return path.open("r+b")
