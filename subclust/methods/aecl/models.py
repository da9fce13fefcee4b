"""AECL's network over an encoder's vectors: projecting, attention, clustering (section 3.2)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import Float64Array, FloatArray, IntArray
from subclust.methods.aecl.pseudo_labels import propagated
from subclust.training.collection_learner import even_batches

_BATCH = 400
"""Texts that look at one another, in training and at work (section 4.2)."""


def projections(
    z: Tensor, w_k1: Tensor, w_k2: Tensor, w_t: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Map representations to the three spaces of the attention (equation 1).

    .. math:: K_1 = Z W_{K_1}, \quad K_2 = Z W_{K_2}, \quad T = Z W_T

    Parameters
    ----------
    z : Tensor of shape (n_texts, latent_dim)
    w_k1, w_k2, w_t : Tensor of shape (latent_dim, latent_dim)

    Returns
    -------
    tuple of three Tensors of shape (n_texts, latent_dim)
    """
    return z @ w_k1, z @ w_k2, z @ w_t


def similarity_matrix(k1: Tensor, k2: Tensor) -> Tensor:
    r"""Compute how much each text attends to each other one (equation 2).

    .. math:: S = \mathrm{Softmax}\left(\frac{K_1 K_2^T}{\sqrt{D_2}}\right)

    Parameters
    ----------
    k1, k2 : Tensor of shape (n_texts, latent_dim)

    Returns
    -------
    Tensor of shape (n_texts, n_texts)
        Rows add up to 1; higher is more alike; not symmetric.
    """
    logits: Tensor = k1 @ k2.T / k1.shape[1] ** 0.5
    return logits.softmax(dim=1)


def consistent_representations(s: Tensor, t: Tensor) -> Tensor:
    r"""Aggregate the texts of a batch by their similarities (equation 3).

    .. math:: h_i = \sum_{j=1}^N S_{ij} t_j

    Parameters
    ----------
    s : Tensor of shape (n_texts, n_texts)
    t : Tensor of shape (n_texts, latent_dim)

    Returns
    -------
    Tensor of shape (n_texts, latent_dim)
    """
    return s @ t


class SampleAttention(nn.Module):
    """Attention between the texts of a batch, with the weights of equation 1.

    The three maps start as the identity, so that a text attends to itself and to what is near it.
    From small weights drawn by chance, all texts attend to all alike: their consistent
    representations are then the same, and no cluster can be told from another for a long time.

    Parameters
    ----------
    latent_dim : int
    """

    def __init__(self, latent_dim: int) -> None:
        super().__init__()
        self.k1 = nn.Linear(latent_dim, latent_dim, bias=False)
        self.k2 = nn.Linear(latent_dim, latent_dim, bias=False)
        self.t = nn.Linear(latent_dim, latent_dim, bias=False)
        for layer in (self.k1, self.k2, self.t):
            nn.init.eye_(layer.weight)

    def forward(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Aggregate the texts of a batch.

        Parameters
        ----------
        z : Tensor of shape (n_texts, latent_dim)

        Returns
        -------
        h : Tensor of shape (n_texts, latent_dim)
            Consistent representations.
        s : Tensor of shape (n_texts, n_texts)
            Similarities.
        """
        k1, k2, t = projections(z, self.k1.weight.T, self.k2.weight.T, self.t.weight.T)
        s = similarity_matrix(k1, k2)
        return consistent_representations(s, t), s


@dataclass(frozen=True)
class View:
    """What the network makes of one view of a batch.

    Parameters
    ----------
    z : Tensor of shape (n_texts, latent_dim)
        Representations.
    h : Tensor of shape (n_texts, latent_dim)
        Consistent representations.
    s : Tensor of shape (n_texts, n_texts)
        Similarities.
    logits : Tensor of shape (n_texts, n_clusters)
        Of the assignments, before the softmax.
    """

    z: Tensor
    h: Tensor
    s: Tensor
    logits: Tensor

    @property
    def p(self) -> Tensor:
        """Probabilities of the clusters, shape (n_texts, n_clusters)."""
        return self.logits.softmax(dim=1)


class AeclNetwork(nn.Module):
    """The Projecting, Attention and Clustering Networks.

    Drop-out and depth are those of the authors' program, of which the paper says only that they are
    fully connected networks. The encoder's vectors have length 1 here; they are made as long as
    vectors of unit variance, which is about what the paper's encoder gives.

    The Projecting Network starts as a rotation onto fewer dimensions, which leaves the texts as far
    from one another as the encoder has put them: its hidden layer has each direction twice, once
    turned round, so that what the ReLU takes from the one the other keeps.

    Parameters
    ----------
    embedding_dim : int
    n_clusters : int
        At least 2.
    latent_dim : int
    dropout : float
        In the Clustering Network.
    n_neighbors : int
        Nearest neighbours in the collection with which a text's vector is averaged at work, and not
        in training; 0 for none, as in the paper.
    start : {"rotation", "chance"}
        Of the Projecting Network; by chance it starts as PyTorch has layers start.

    Raises
    ------
    ValueError
        If one of them is something else.
    """

    def __init__(
        self,
        embedding_dim: int,
        n_clusters: int,
        latent_dim: int = 128,
        dropout: float = 0.5,
        n_neighbors: int = 5,
        start: Literal["rotation", "chance"] = "rotation",
    ) -> None:
        super().__init__()
        if n_clusters < 2:
            raise ValueError(f"n_clusters must be at least 2, but is {n_clusters}")
        if n_neighbors < 0:
            raise ValueError(f"n_neighbors must be at least 0, but is {n_neighbors}")
        if start not in ("rotation", "chance"):
            raise ValueError(f"start must be 'rotation' or 'chance', but is {start!r}")
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.scale = embedding_dim**0.5
        self.project = _projecting(embedding_dim, latent_dim, rotates=start == "rotation")
        self.attend = SampleAttention(latent_dim)
        self.cluster = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(latent_dim, embedding_dim),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(embedding_dim, embedding_dim),
            nn.ReLU(),
            nn.Linear(embedding_dim, n_clusters),
        )

    def forward(self, vectors: Tensor) -> View:
        """Look at the texts of one batch together.

        Parameters
        ----------
        vectors : Tensor of shape (n_texts, embedding_dim)
            Each of length 1.
        """
        z = self.project(vectors * self.scale)
        h, s = self.attend(z)
        return View(z, h, s, self.cluster(h))

    def place(
        self, embeddings: FloatArray, random_state: int
    ) -> tuple[Float64Array, IntArray | None]:
        """Return the consistent representations of texts, and their most probable clusters.

        Texts look at one another in batches that are drawn by the random state, each by the mean of
        its vector and those of its nearest neighbours.

        Parameters
        ----------
        embeddings : ndarray of shape (n_texts, embedding_dim)
        random_state : int

        Returns
        -------
        points : ndarray of shape (n_texts, latent_dim)
            Each of length 1.
        labels : ndarray of shape (n_texts,)
        """
        self.eval()
        points = np.empty((len(embeddings), self.attend.t.out_features))
        labels = np.empty(len(embeddings), dtype=np.int64)
        generator = np.random.default_rng(random_state)
        means = propagated(embeddings, self.n_neighbors, n_steps=int(self.n_neighbors > 0))
        read = torch.as_tensor(means, dtype=torch.float32)
        with torch.no_grad():
            for rows in even_batches(len(embeddings), _BATCH, generator):
                view = self(read[rows])
                points[rows] = nn.functional.normalize(view.h, dim=1).numpy()
                labels[rows] = view.logits.argmax(dim=1).numpy()
        return points, labels


def _projecting(n_in: int, n_out: int, *, rotates: bool) -> nn.Sequential:
    """Return a layer of ReLUs and one above it, which may start as one orthogonal matrix."""
    hidden, out = nn.Linear(n_in, 2 * n_in), nn.Linear(2 * n_in, n_out)
    if not rotates:
        return nn.Sequential(hidden, nn.ReLU(), out)
    turned, kept = torch.empty(n_in, n_in), torch.empty(n_out, n_in)
    nn.init.orthogonal_(turned)
    nn.init.orthogonal_(kept)
    with torch.no_grad():
        hidden.weight.copy_(torch.cat([turned, -turned]))
        out.weight.copy_(torch.cat([kept, -kept], dim=1))
        hidden.bias.zero_()
        out.bias.zero_()
    return nn.Sequential(hidden, nn.ReLU(), out)
