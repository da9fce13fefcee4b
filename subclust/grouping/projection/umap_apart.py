"""UMAP in a process of its own.

Compiling it takes ten seconds of a core, in which every other thread of the process that compiles
waits again and again. A second process takes nothing from the searches beside it: it lets them go
first, and ends when the one that started it does.
"""

import io
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

import numpy as np
import numpy.typing as npt

from subclust.core.records import FloatArray

NICENESS = 5

_LENGTH = struct.Struct("<Q")

Arrays = Mapping[str, npt.NDArray[np.generic]]


class UmapProcess:
    """Starts the process when it is wanted first, and again after it died."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    @property
    def is_started(self) -> bool:
        """Whether it was wanted before."""
        return self.process is not None

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process unless it is there; it compiles by itself, and nobody waits."""
        with self._starting:
            if self.process is None or self.process.poll() is not None:
                _close(self.process)
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "subclust.grouping.projection.umap_apart"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            return self.process

    def place(self, embeddings: FloatArray, start: FloatArray, **parameters: float) -> FloatArray:
        """Place vectors, waiting for those of others and for the compiling.

        Parameters
        ----------
        embeddings : ndarray of shape (n_passages, embedding_dim)
        start : ndarray of shape (n_passages, 2)
        **parameters
            Of UMAP, each a number.

        Returns
        -------
        ndarray of shape (n_passages, 2)

        Raises
        ------
        OSError
            If the process died.
        """
        numbers = {name: np.asarray(value) for name, value in parameters.items()}
        with self._asking:
            process = self.start()
            assert process.stdin is not None and process.stdout is not None
            send(process.stdin, {"embeddings": embeddings, "start": start, **numbers})
            answer = receive(process.stdout)
        if answer is None:
            raise OSError("The process that computes UMAP ended before it had answered.")
        return np.asarray(answer["placed"], dtype=np.float32)


def _close(died: "subprocess.Popen[bytes] | None") -> None:
    """Close the ends that are left of a process that died, with what it was still to be sent."""
    for stream in (died.stdin, died.stdout) if died is not None else ():
        if stream is not None:
            with suppress(OSError):
                stream.close()


def place(embeddings: FloatArray, start: FloatArray, **parameters: float) -> FloatArray:
    """Place vectors in this process; as `UmapProcess.place`."""
    from umap import UMAP

    mapper = UMAP(metric="cosine", init=start, n_jobs=1, **parameters)
    return np.asarray(mapper.fit_transform(embeddings), dtype=np.float32)


def send(stream: IO[bytes], arrays: Arrays) -> None:
    """Write one message."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # no name is that of an option
    stream.write(_LENGTH.pack(buffer.tell()) + buffer.getvalue())
    stream.flush()


def receive(stream: IO[bytes]) -> dict[str, npt.NDArray[np.generic]] | None:
    """Read one message; None where the other end has closed."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    length = _LENGTH.unpack(head)[0]
    content = stream.read(length)
    if len(content) < length:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def serve() -> None:
    """Compile, then place what comes until nothing comes any more."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no answer
    rows = np.random.default_rng(0).normal(size=(40, 10)).astype(np.float32)
    place(rows, rows[:, :2], n_neighbors=15, n_epochs=10, random_state=0)
    while (asked := receive(sys.stdin.buffer)) is not None:
        embeddings, start = asked.pop("embeddings"), asked.pop("start")
        numbers = {name: value.item() for name, value in asked.items()}
        send(answers, {"placed": place(np.asarray(embeddings), np.asarray(start), **numbers)})


if __name__ == "__main__":
    serve()
