"""The overview map: the two directions in which the passages differ most."""

import numpy as np

from subclust.projection.base import Projector
from subclust.records import FloatArray


class PcaProjector(Projector):
    """Principal components, the same on every machine and at once.

    Distances on this map are true to the vectors as far as two directions can show them. The sign
    of each direction is chosen so that its largest loading is positive.
    """

    name = "pca"

    def __init__(self, random_state: int = 0) -> None:
        self.random_state = random_state

    def _fit_transform(self, embeddings: FloatArray) -> FloatArray:
        centred = embeddings.astype(np.float64)
        centred -= centred.mean(axis=0)
        _, _, directions = np.linalg.svd(centred, full_matrices=False)
        directions = directions[:2]
        largest = np.abs(directions).argmax(axis=1)
        directions *= np.sign(directions[np.arange(len(directions)), largest])[:, None]
        coordinates = np.zeros((len(embeddings), 2))
        coordinates[:, : len(directions)] = centred @ directions.T
        return coordinates.astype(np.float32)
