"""The neighbourhood map: passages lie beside the passages they are most like."""

import os
import pickle
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from subclust.core.records import FloatArray
from subclust.grouping.projection.base import Projector
from subclust.grouping.projection.pca import PcaProjector

# UMAP would take 500 for so few passages; from a PCA start, 250 lead to the same picture.
_N_EPOCHS = 250

# Of so few, UMAP compares all with all, by a call of Python for each two.
_FEW = 4096

# numba's default threading layer ends the process when two threads enter it at once.
_ONE_AT_A_TIME = threading.Lock()

_NICENESS = 5

_SERVE = "from subclust.grouping.projection.umap_projector import serve; serve()"


class UmapProcess:
    """A subprocess that loads UMAP, then computes maps; started again after it died.

    Loading takes seconds of a core, and ten more the first time on a machine, when UMAP is
    compiled; meanwhile every other thread of the process that compiles waits again and again. The
    subprocess lets searches go first, and ends when its parent does.

    It is no `ProcessPoolExecutor`, whose worker first runs the main script of its parent, under
    Streamlit the page being drawn, and outlives a parent that is killed.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the subprocess unless it is there; does not wait until it has compiled."""
        with self._starting:
            if self.process is None or self.process.poll() is not None:
                self._close()
                self.process = subprocess.Popen(
                    [sys.executable, "-c", _SERVE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            return self.process

    def compute(
        self, embeddings: FloatArray, start: FloatArray, parameters: dict[str, float]
    ) -> FloatArray:
        """Compute a map, after those that others asked for and after compiling.

        Parameters
        ----------
        embeddings : ndarray of shape (n_passages, embedding_dim)
        start : ndarray of shape (n_passages, 2)
        parameters : dict
            Of UMAP.

        Returns
        -------
        ndarray of shape (n_passages, 2)

        Raises
        ------
        OSError, EOFError, pickle.UnpicklingError
            If the subprocess died.
        """
        with self._asking:
            process = self.start()
            assert process.stdin is not None and process.stdout is not None
            pickle.dump((embeddings, start, parameters), process.stdin)
            process.stdin.flush()
            return np.asarray(pickle.load(process.stdout), dtype=np.float32)

    def _close(self) -> None:
        """Close the pipes of a subprocess that died, with what they still hold."""
        if self.process is not None:
            for stream in (self.process.stdin, self.process.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]  # both are pipes


_subprocess = UmapProcess()


class UmapProjector(Projector):
    """UMAP (McInnes et al. 2018, arXiv:1802.03426) started from the PCA map.

    The start makes both maps alike in their large lines. Coordinates repeat for a seed and do not
    depend on the order of the vectors, but differ between machines: store them.

    Parameters
    ----------
    n_neighbors : int
        Passages that count as near; fewer where there are fewer.
    min_dist : float
        Smallest distance of two passages on the map, above 0.
    random_state : int
    """

    name = "umap"

    def __init__(
        self, n_neighbors: int = 15, min_dist: float = 0.15, random_state: int = 0
    ) -> None:
        self.n_neighbors = n_neighbors
        self.min_dist = min_dist
        self.random_state = random_state

    def _fit_transform(self, embeddings: FloatArray) -> FloatArray:
        # UMAP draws random numbers row by row: give it the rows in an order of their own.
        order = np.lexsort(embeddings.T)
        embeddings = embeddings[order]
        start = PcaProjector().fit_transform(embeddings)
        spread = float(np.abs(start).max()) or 1.0
        parameters = {
            "n_neighbors": min(self.n_neighbors, len(embeddings) - 1),
            "min_dist": self.min_dist,
            "n_epochs": _N_EPOCHS,
            "random_state": self.random_state,
        }
        placed = _compute_anywhere(embeddings, start * (10.0 / spread), parameters)
        coordinates = np.empty_like(placed, dtype=np.float32)
        coordinates[order] = placed
        return coordinates


def warm_up() -> None:
    """Compile UMAP in a subprocess, which then computes all maps of this process.

    Without it, the first map is compiled for in this process. Does not wait.
    """
    _subprocess.start()


def serve() -> None:
    """Compile, then compute what the parent asks for until it closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no answer
    rows = np.random.default_rng(0).normal(size=(40, 10)).astype(np.float32)
    _compute(rows, rows[:, :2], {"n_neighbors": 15, "n_epochs": 10, "random_state": 0})
    with suppress(EOFError):
        while True:
            pickle.dump(_compute(*pickle.load(sys.stdin.buffer)), answers)
            answers.flush()


def _compute_anywhere(
    embeddings: FloatArray, start: FloatArray, parameters: dict[str, float]
) -> FloatArray:
    if _subprocess.process is not None:
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            return _subprocess.compute(embeddings, start, parameters)
    with _ONE_AT_A_TIME:
        return _compute(embeddings, start, parameters)


def _compute(embeddings: FloatArray, start: FloatArray, parameters: dict[str, float]) -> FloatArray:
    metric, data = "cosine", embeddings
    if len(embeddings) < _FEW:
        metric, data = "precomputed", _distances(embeddings)
    mapper = _umap()(metric=metric, init=start, n_jobs=1, **parameters)
    with warnings.catch_warnings():
        # It then cannot place what comes later, which nobody asks of it.
        warnings.filterwarnings("ignore", "using precomputed metric")
        return np.asarray(mapper.fit_transform(data), dtype=np.float32)


def _distances(embeddings: FloatArray) -> FloatArray:
    """Compute one minus the cosine between all vectors, (n_passages, n_passages)."""
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    units = embeddings / np.where(lengths > 0, lengths, 1)
    distances = np.clip(1 - units @ units.T, 0, None)
    np.fill_diagonal(distances, 0)
    return np.asarray(distances, dtype=np.float32)


@cache
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    """Make a folder that lasts as long as this process."""
    return tempfile.TemporaryDirectory(prefix="subclust-compiled-")


def _umap() -> Any:
    """Import UMAP so that later processes need not compile what it compiles.

    Of what its maps need, only the parts from pynndescent ask for it themselves. numba keeps them
    beside the packages or, where nothing may be written there, in the user's cache folder or that
    of ``NUMBA_CACHE_DIR``; a package or processor of another version has them compiled anew. So has
    each process where none of these folders can be written to, as for a service without a home.
    """
    if "umap" not in sys.modules:
        import numba

        compiled = numba.njit
        numba.njit = lambda *args, **options: compiled(*args, **{"cache": True, **options})
        try:
            import_module("umap")
        except RuntimeError:  # numba has nowhere to keep them
            # A folder that only this process knows of: what lies in it is executed.
            vars(numba.config)["CACHE_DIR"] = _own_folder().name
            import_module("umap")
        finally:
            numba.njit = compiled
    return sys.modules["umap"].UMAP
