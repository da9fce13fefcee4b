"""The network that has nothing to learn but the encoder's layers: distances of embeddings."""

import torch
from torch import Tensor, nn


class EmbeddingSpace(nn.Module):
    r"""The representation model :math:`V_\phi` and its distances (section 3.3).

    .. math:: D_{ij} = ||V_\phi(p_i) - V_\phi(p_j)||_2

    The paper trains the encoder and nothing else: ``hidden_dim = 0``. A residual layer on top of
    it, :math:`\vec z = \vec p + B\,\mathrm{relu}(A \vec p)` with B zero at the start, is trained in
    seconds on embeddings that are already there. Vectors are of length 1 either way: without that
    the regulariser could be lowered for ever by moving everything apart.

    Parameters
    ----------
    embedding_dim : int
    hidden_dim : int
        Of the layer on top; 0 for none.
    centred : bool
        Whether the mean of the passages is taken away before their length is made 1, so that what
        they all share does not count. Not in the paper; it suits sets about one subject.
    """

    needs_query = False

    def __init__(self, embedding_dim: int, hidden_dim: int = 192, centred: bool = False) -> None:
        super().__init__()
        self.embedding_dim = embedding_dim
        self.centred = centred
        self.a = nn.Linear(embedding_dim, hidden_dim) if hidden_dim else None
        self.b = nn.Linear(hidden_dim, embedding_dim) if hidden_dim else None
        if self.b is not None:
            nn.init.zeros_(self.b.weight)
            nn.init.zeros_(self.b.bias)

    @property
    def highest_score(self) -> Tensor:
        """The score of a passage with itself; a scalar."""
        return torch.zeros(())

    def forward(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Score all pairs: minus their distance.

        Parameters
        ----------
        query : ignored
        passages : Tensor of shape (n_passages, embedding_dim)

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Symmetric, at most 0; higher is closer.
        """
        moved = self.space(query, passages)
        # Not by way of the inner products, whose rounding gives equal passages a distance.
        return -torch.cdist(moved, moved, compute_mode="donot_use_mm_for_euclid_dist")

    def space(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Return the passages as they are compared, shape (n_passages, embedding_dim)."""
        moved = passages
        if self.a is not None and self.b is not None:
            moved = passages + self.b(torch.relu(self.a(passages)))
        if self.centred:
            moved = moved - moved.mean(dim=0)
        return nn.functional.normalize(moved, dim=-1, eps=1e-6)
