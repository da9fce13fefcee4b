"""The interface of everything that places passages on a map."""

from abc import ABC, abstractmethod

import numpy as np

from subclust.core.records import FloatArray


class Projector(ABC):
    """Places vectors on the plane; the same vectors and seed give the same coordinates.

    Attributes
    ----------
    name : str
        For permalinks and files.
    random_state : int
    """

    name: str
    random_state: int = 0

    def fit_transform(self, embeddings: FloatArray) -> FloatArray:
        """Place each vector.

        Parameters
        ----------
        embeddings : ndarray of shape (n_passages, embedding_dim)

        Returns
        -------
        ndarray of shape (n_passages, 2)
            float32, finite, without unit, centred on 0; any number of rows works, also 0, 1 and
            identical ones.
        """
        if len(embeddings) < 3 or np.ptp(embeddings, axis=0).max() < 1e-9:
            angles = np.arange(len(embeddings)) * (2 * np.pi / max(len(embeddings), 1))
            ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            return np.asarray(ring if len(embeddings) > 1 else ring * 0, dtype=np.float32)
        coordinates = np.asarray(self._fit_transform(embeddings), dtype=np.float32)
        return np.asarray(coordinates - coordinates.mean(axis=0), dtype=np.float32)

    @abstractmethod
    def _fit_transform(self, embeddings: FloatArray) -> FloatArray:
        """Place at least three vectors that are not all equal."""
