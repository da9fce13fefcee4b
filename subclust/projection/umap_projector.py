"""The neighbourhood map: passages lie beside the passages they are most like."""

import threading

import numpy as np

from subclust.projection.base import Projector
from subclust.projection.pca import PcaProjector
from subclust.records import FloatArray

# UMAP would take 500 for so few passages; from a PCA start, 250 lead to the same picture.
_N_EPOCHS = 250

# numba's default threading layer ends the process when two threads enter it at once.
_ONE_AT_A_TIME = threading.Lock()

_warmed = threading.Event()
_warming = threading.Lock()
_warm_up_thread: threading.Thread | None = None


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
        from umap import UMAP

        # UMAP draws random numbers row by row: give it the rows in an order of their own.
        order = np.lexsort(embeddings.T)
        embeddings = embeddings[order]
        start = PcaProjector().fit_transform(embeddings)
        spread = float(np.abs(start).max()) or 1.0
        mapper = UMAP(
            n_neighbors=min(self.n_neighbors, len(embeddings) - 1),
            min_dist=self.min_dist,
            metric="cosine",
            n_epochs=_N_EPOCHS,
            init=start * (10.0 / spread),
            random_state=self.random_state,
            n_jobs=1,
        )
        with _ONE_AT_A_TIME:
            placed = mapper.fit_transform(embeddings)
        coordinates = np.empty_like(placed, dtype=np.float32)
        coordinates[order] = placed
        return coordinates


def warm_up() -> threading.Thread:
    """Compile UMAP in a background thread, once a process: it takes about ten seconds.

    Returns
    -------
    threading.Thread
        The thread that compiles, or has compiled; join it to wait.
    """
    global _warm_up_thread
    with _warming:
        if _warm_up_thread is None:
            _warm_up_thread = threading.Thread(target=_compile, name="umap-warm-up", daemon=True)
            _warm_up_thread.start()
        return _warm_up_thread


def is_warm() -> bool:
    """Say whether UMAP has been compiled in this process."""
    return _warmed.is_set()


def _compile() -> None:
    rng = np.random.default_rng(0)
    UmapProjector().fit_transform(rng.normal(size=(40, 8)).astype(np.float32))
    _warmed.set()
