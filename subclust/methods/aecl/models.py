"""AECL's network over an encoder's vectors: projecting, attention, clustering (section 3.2)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import Float64Array
from subclust.methods.aecl.attention import SampleAttention
from subclust.methods.aecl.neighbours import propagated
from subclust.training.collection_learner import even_batches

BATCH = 400
"""Texts that look at one another, in training and at work (section 4.2)."""


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
            for rows in even_batches(len(embeddings), BATCH, generator):
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
