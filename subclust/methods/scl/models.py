"""The latent space of SCL and FCL, over an encoder's vectors."""

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import Float64Array, FloatArray, IntArray

_TEXTS_AT_ONCE = 4096


class LatentSpace(nn.Module):
    """Latent representations of texts, and a classifier over them (section IV-B).

    Parameters
    ----------
    embedding_dim : int
    n_clusters : int
        At least 2.
    latent_dim : int
        20 in the paper.
    dropout : float
    """

    classifies = False

    def __init__(
        self, embedding_dim: int, n_clusters: int, latent_dim: int = 20, dropout: float = 0.1
    ) -> None:
        super().__init__()
        if n_clusters < 2:
            raise ValueError(f"n_clusters must be at least 2, but is {n_clusters}")
        self.n_clusters = n_clusters
        self.scale = embedding_dim**0.5
        self.dropout = nn.Dropout(dropout)
        self.latent = nn.Linear(embedding_dim, latent_dim)
        self.classify = nn.Linear(latent_dim, n_clusters)

    def begin_with(self, vectors: FloatArray) -> None:
        """Start as the directions in which the vectors are longest.

        A space of so few dimensions that is drawn by chance loses much of what the encoder knows;
        in these the texts stay about as far from one another as the encoder has put them.

        Parameters
        ----------
        vectors : ndarray of shape (n_texts, embedding_dim)
            Each of length 1.
        """
        weight = self.latent.weight
        _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
        longest = axes[:, ::-1].T[: len(weight)]
        # A direction may point either way; this one is the same on every machine.
        longest = longest * np.where(longest.sum(axis=1, keepdims=True) < 0, -1, 1)
        with torch.no_grad():
            weight[: len(longest)] = torch.as_tensor(longest, dtype=weight.dtype)
            self.latent.bias.zero_()

    def forward(self, vectors: Tensor) -> Tensor:
        """Return latent representations.

        Parameters
        ----------
        vectors : Tensor of shape (n_texts, embedding_dim)
            Each of length 1; they are made as long as vectors of unit variance.

        Returns
        -------
        Tensor of shape (n_texts, latent_dim)
        """
        latent: Tensor = self.latent(self.dropout(vectors * self.scale))
        return latent

    def place(
        self, embeddings: FloatArray, random_state: int
    ) -> tuple[Float64Array, IntArray | None]:
        """Return the directions of texts, by which the loss compares them.

        Parameters
        ----------
        embeddings : ndarray of shape (n_texts, embedding_dim)
        random_state : int
            Not used.

        Returns
        -------
        points : ndarray of shape (n_texts, latent_dim)
            Each of length 1.
        labels : ndarray of shape (n_texts,) or None
            Of the classifier, where it was what was trained.
        """
        self.eval()
        points, labels = [], []
        with torch.no_grad():
            for start in range(0, len(embeddings), _TEXTS_AT_ONCE):
                latent = self(torch.as_tensor(embeddings[start : start + _TEXTS_AT_ONCE]))
                points.append(nn.functional.normalize(latent, dim=1).double().numpy())
                labels.append(self.classify(latent).argmax(dim=1).numpy())
        return np.concatenate(points), np.concatenate(labels) if self.classifies else None


class ClassifiedSpace(LatentSpace):
    """The same network, whose classifier is what was trained: it groups by that."""

    classifies = True
