"""The neighbourhood map: passages lie beside the passages they are most like."""

import threading
from contextlib import suppress

import numpy as np

from subclust.core.records import FloatArray
from subclust.grouping.projection.base import Projector
from subclust.grouping.projection.pca import PcaProjector
from subclust.grouping.projection.umap_apart import UmapProcess, place

# UMAP would take 500 for so few passages; from a PCA start, 250 lead to the same picture.
_N_EPOCHS = 250

# numba's default threading layer ends the process when two threads enter it at once.
_ONE_AT_A_TIME = threading.Lock()

_apart = UmapProcess()


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
        placed = _place(embeddings, start * (10.0 / spread), parameters)
        coordinates = np.empty_like(placed, dtype=np.float32)
        coordinates[order] = placed
        return coordinates


def warm_up() -> None:
    """Have UMAP compiled in a process of its own, which then makes all maps of this one.

    Without it, the first map is compiled for in this process. Does not wait.
    """
    _apart.start()


def _place(embeddings: FloatArray, start: FloatArray, parameters: dict[str, float]) -> FloatArray:
    if _apart.is_started:
        with suppress(OSError):
            return _apart.place(embeddings, start, **parameters)
    with _ONE_AT_A_TIME:
        return place(embeddings, start, **parameters)
