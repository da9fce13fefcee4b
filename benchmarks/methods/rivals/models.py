"""Networks of AECL's rivals over an encoder's vectors; each is a `LearntSpace`."""

import itertools

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.methods.rivals.soft_assignments import student_assignments
from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import Float64Array

_TEXTS_AT_ONCE = 2048


class _Rival(nn.Module):
    """What the three share: vectors of length 1 are made as long as those of unit variance."""

    def __init__(self, embedding_dim: int, n_clusters: int) -> None:
        super().__init__()
        if n_clusters < 2:
            raise ValueError(f"n_clusters must be at least 2, but is {n_clusters}")
        self.n_clusters = n_clusters
        self.scale = embedding_dim**0.5

    def points(self, vectors: Tensor) -> Tensor:
        """Return the places of texts, shape (n_texts, dim)."""
        return vectors

    def assign(self, vectors: Tensor) -> Tensor:
        """Return the probabilities of the clusters, shape (n_texts, n_clusters)."""
        raise NotImplementedError

    def place(
        self, embeddings: FloatArray, random_state: int
    ) -> tuple[Float64Array, IntArray | None]:
        """Place texts, in mean distances from the origin, and give their most probable clusters.

        Parameters
        ----------
        embeddings : ndarray of shape (n_texts, embedding_dim)
        random_state : int
            Not used.

        Returns
        -------
        points : ndarray of shape (n_texts, dim)
        labels : ndarray of shape (n_texts,)
        """
        self.eval()
        points, labels = [], []
        with torch.no_grad():
            for start in range(0, len(embeddings), _TEXTS_AT_ONCE):
                vectors = torch.as_tensor(embeddings[start : start + _TEXTS_AT_ONCE])
                points.append(self.points(vectors).double().numpy())
                labels.append(self.assign(vectors).argmax(dim=1).numpy())
        placed = np.concatenate(points)
        length = float(np.linalg.norm(placed, axis=1).mean())
        return placed / max(length, 1e-12), np.concatenate(labels)


class SelfTrainNetwork(_Rival):
    """An autoencoder, and cluster centres in its latent space (Hadifar et al., section 3).

    Parameters
    ----------
    n_clusters : int
        At least 2.
    widths : sequence of int
        Of the hidden layers.
    """

    def __init__(
        self,
        embedding_dim: int,
        n_clusters: int,
        latent_dim: int = 20,
        widths: tuple[int, ...] = (500, 500, 2000),
    ) -> None:
        super().__init__(embedding_dim, n_clusters)
        self.encode = _layers((embedding_dim, *widths, latent_dim))
        self.decode = _layers((latent_dim, *reversed(widths), embedding_dim))
        # All zero until they are set; what is trained and saved are parameters.
        self.centres = nn.Parameter(torch.zeros(n_clusters, latent_dim))

    def points(self, vectors: Tensor) -> Tensor:
        """Return latent representations, shape (n_texts, latent_dim)."""
        latent: Tensor = self.encode(vectors * self.scale)
        return latent

    def assign(self, vectors: Tensor) -> Tensor:
        """Return the soft assignments, shape (n_texts, n_clusters)."""
        return student_assignments(self.points(vectors), self.centres)


class _Contrasting(_Rival):
    """What the two with a contrasting head share."""

    def __init__(self, embedding_dim: int, n_clusters: int, latent_dim: int) -> None:
        super().__init__(embedding_dim, n_clusters)
        self.head = _layers((embedding_dim, embedding_dim, latent_dim))

    def contrast(self, vectors: Tensor) -> Tensor:
        """Return what is contrasted, shape (n_texts, latent_dim)."""
        contrasted: Tensor = self.head(vectors * self.scale)
        return contrasted


class ScclNetwork(_Contrasting):
    """A contrasting head, and cluster centres among the encoder's vectors (Zhang et al., figure 2).

    Parameters
    ----------
    n_clusters : int
        At least 2.
    latent_dim : int
        Of the head.
    """

    def __init__(self, embedding_dim: int, n_clusters: int, latent_dim: int = 128) -> None:
        super().__init__(embedding_dim, n_clusters, latent_dim)
        self.centres = nn.Parameter(torch.zeros(n_clusters, embedding_dim))

    def points(self, vectors: Tensor) -> Tensor:
        """Return the encoder's vectors, made longer, shape (n_texts, embedding_dim)."""
        longer: Tensor = vectors * self.scale
        return longer

    def assign(self, vectors: Tensor) -> Tensor:
        """Return the soft assignments, shape (n_texts, n_clusters)."""
        return student_assignments(self.points(vectors), self.centres)


class RstcNetwork(_Contrasting):
    """A contrasting head and a classifier (Zheng et al., section 3; depth as in their program).

    Parameters
    ----------
    n_clusters : int
        At least 2.
    latent_dim : int
        Of the head.
    dropout : float
        In the classifier.
    """

    def __init__(
        self, embedding_dim: int, n_clusters: int, latent_dim: int = 128, dropout: float = 0.5
    ) -> None:
        super().__init__(embedding_dim, n_clusters, latent_dim)
        self.classify = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(embedding_dim, embedding_dim),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(embedding_dim, embedding_dim),
            nn.ReLU(),
            nn.Linear(embedding_dim, n_clusters),
        )

    def logits(self, vectors: Tensor) -> Tensor:
        """Return the classes before the softmax, shape (n_texts, n_clusters)."""
        logits: Tensor = self.classify(vectors * self.scale)
        return logits

    def assign(self, vectors: Tensor) -> Tensor:
        """Return the probabilities of the classes, shape (n_texts, n_clusters)."""
        return self.logits(vectors).softmax(dim=1)


def _layers(widths: tuple[int, ...]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for before, after in itertools.pairwise(widths):
        parts += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*parts[:-1])
