"""A network that compares what sets the passages of a query apart; not in any of the papers."""

import torch
from torch import Tensor, nn

from subclust.grouping.similarity.relevance_gate import Relevance, RelevanceGate


class CentredSiamese(nn.Module):
    r"""A residual projection that sees the query, the centred cosine, and shared words.

    Each passage is moved by a small network that sees the passage and, as QS3M does, its proximity
    to the query; then the mean of the hits is taken away:

    .. math::
        \vec z_i = \vec p_i + B\,\mathrm{relu}(A[\vec p_i; \vec q; |\vec p_i - \vec q|]),\qquad
        s_{ij} = \cos(\vec z_i - \bar z, \vec z_j - \bar z) + w\,t_{ij}

    with :math:`t` the cosine of the passages' TF-IDF vectors. :math:`B` starts at zero, so training
    starts from the centred cosine, the strongest method that needs none. Scoring costs O(n d) and
    one matrix product.

    A relevance gate may stand beside it. It takes no part in the scores: it says which hits are
    about the query, so that `GatedSubtopics` can set the others aside before anything is compared.

    Parameters
    ----------
    embedding_dim : int
    hidden_dim : int
        Of the projection.
    use_query : bool
        False leaves the query out of the projection, to measure what it adds.
    shared_words : bool
        Whether TF-IDF counts, with a learned weight.
    gate : bool
        Whether there is a gate. It sees the base encoder's vectors, which then stand beside the
        others: passages and query have 2 * embedding_dim numbers. Vectors of embedding_dim numbers
        are taken as if all were about the query.
    """

    def __init__(
        self,
        embedding_dim: int,
        hidden_dim: int = 192,
        use_query: bool = True,
        shared_words: bool = True,
        gate: bool = False,
    ) -> None:
        super().__init__()
        self.embedding_dim = embedding_dim
        self.use_query = use_query
        self.a = nn.Linear((3 if use_query else 1) * embedding_dim, hidden_dim)
        self.b = nn.Linear(hidden_dim, embedding_dim)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)
        self.word_weight = nn.Parameter(torch.tensor(1.0)) if shared_words else None
        self.gate = RelevanceGate(embedding_dim) if gate else None

    @property
    def needs_shared_words(self) -> bool:
        """Whether `forward` is to be given the TF-IDF cosines."""
        return self.word_weight is not None

    def forward(
        self, query: Tensor, passages: Tensor, shared_words: Tensor | None = None
    ) -> Tensor:
        """Score all pairs.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,) or (2 * embedding_dim,)
        passages : Tensor of shape (n_passages, embedding_dim) or (n_passages, 2 * embedding_dim)
        shared_words : Tensor of shape (n_passages, n_passages), optional
            TF-IDF cosines, 0 to 1.

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Symmetric; higher is closer; at most `highest_score`.
        """
        unit = self.space(query, passages)
        scores = unit @ unit.T
        if self.word_weight is not None and shared_words is not None:
            scores = scores + self.word_weight * shared_words
        return scores

    @property
    def highest_score(self) -> Tensor:
        """The score of a passage with itself, where all its words are shared; a scalar."""
        return torch.ones(()) if self.word_weight is None else 1 + self.word_weight.abs()

    def space(self, query: Tensor, passages: Tensor) -> Tensor:
        """Return the passages as they are compared: moved, centred, each of length 1.

        Parameters
        ----------
        query, passages
            As for `forward`.

        Returns
        -------
        Tensor of shape (n_passages, embedding_dim)
        """
        query, passages = self._own(query), self._own(passages)
        parts = passages
        if self.use_query:
            repeated = query.expand_as(passages)
            parts = torch.cat([passages, repeated, (passages - query).abs()], dim=-1)
        moved = passages + self.b(torch.relu(self.a(parts)))
        # eps is above the rounding of float32: a passage at the mean has no direction, and noise
        # must not give it one.
        return nn.functional.normalize(moved - moved.mean(dim=0), dim=-1, eps=1e-6)

    def inside(self, query: Tensor, passages: Tensor) -> Tensor | None:
        """Return how far each passage is about the query, 0 to 1.

        Parameters
        ----------
        query : Tensor of shape (2 * embedding_dim,)
        passages : Tensor of shape (n_passages, 2 * embedding_dim)

        Returns
        -------
        Tensor of shape (n_passages,), optional
            None where there is no gate, or nothing that it could judge by.
        """
        if self.gate is None or passages.shape[-1] == self.embedding_dim:
            return None
        base = (
            nn.functional.normalize(x[..., self.embedding_dim :], dim=-1) for x in (query, passages)
        )
        relevance: Relevance = self.gate(*base)
        return relevance.gate

    def _own(self, vectors: Tensor) -> Tensor:
        if vectors.shape[-1] == self.embedding_dim:
            return vectors
        return nn.functional.normalize(vectors[..., : self.embedding_dim], dim=-1)
