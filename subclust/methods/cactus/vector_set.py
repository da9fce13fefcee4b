"""Sets over vectors that are there: what SIA is where every entity has one token."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from subclust.grouping.similarity.centred_network import CentredSiamese


class VectorSet(nn.Module):
    r"""A small network that lets the passages of a set see one another, over an encoder as it is.

    Each passage is one vector :math:`p_i` and is moved by what it sees of its set:

    .. math::
        z_i = p_i + B \tanh(A [p_i; c_i]),\qquad s_{ij} = \cos(z_i, z_j)

    :math:`c_i` is the attention of equations 1 to 4 to all passages of the set (where an entity has
    one token, SIA and FIA are the same), their mean, as in NIA (context), or nothing, as in NIA.
    :math:`B` is zero at the start, so training starts from the cosine. Not in the paper, which
    trains the encoder: this is trained in minutes on vectors that are kept from before, and goes
    with any encoder.

    It may stand over a network that is there already (`over`), which then moves and centres the
    passages first and stays as it is; where that one counts the words that passages share, so does
    this, with a weight that goes on learning.

    Parameters
    ----------
    sees : {"all", "mean", "none"}
    uses_query : bool
        Whether the query is one more entity, which is seen and not compared.
    hidden_dim : int
        Width of A.
    n_heads : int
        Of the attention; must divide `embedding_dim`.
    over : mapping, optional
        Constructor arguments of the `CentredSiamese` that it stands over.

    Attributes
    ----------
    neutral : Parameter
        The neutral similarity of equation 7; a scalar.
    noise : float
        Length, beside 1 for a passage, of the random noise added to each while the network
        is in training; 0 at first.

    Raises
    ------
    ValueError
        If the heads do not divide the dimension.
    """

    def __init__(
        self,
        embedding_dim: int,
        *,
        sees: str,
        uses_query: bool = False,
        hidden_dim: int = 384,
        n_heads: int = 4,
        over: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        if embedding_dim % n_heads:
            raise ValueError(f"{n_heads} heads do not divide {embedding_dim} dimensions")
        self.sees = sees
        self.uses_query = uses_query
        self.noise = 0.0
        self.before = None if over is None else CentredSiamese(**over).requires_grad_(False)
        words = self.before is not None and self.before.needs_shared_words
        self.word_weight = nn.Parameter(torch.ones(())) if words else None
        self.n_heads = n_heads
        self.neutral = nn.Parameter(torch.zeros(()))
        self.queries_keys_values = (
            nn.Linear(embedding_dim, 3 * embedding_dim, bias=False) if sees == "all" else None
        )
        self.a = nn.Linear((1 if sees == "none" else 2) * embedding_dim, hidden_dim)
        self.b = nn.Linear(hidden_dim, embedding_dim)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)

    @property
    def needs_query(self) -> bool:
        """Whether the query is read, here or by the network below."""
        return self.uses_query or (self.before is not None and self.before.use_query)

    @property
    def needs_shared_words(self) -> bool:
        """Whether `forward` is to be given the TF-IDF cosines."""
        return self.word_weight is not None

    def start_over(self, weights: Mapping[str, Tensor]) -> None:
        """Take over the weights of the network that this one stands over.

        Parameters
        ----------
        weights : mapping of str to Tensor
            All of its own, by their names there; others are not read.

        Raises
        ------
        RuntimeError
            If one is missing or has another shape.
        """
        assert self.before is not None
        own = self.before.state_dict()
        self.before.load_state_dict({name: w for name, w in weights.items() if name in own})
        if self.word_weight is not None and self.before.word_weight is not None:
            with torch.no_grad():
                self.word_weight.copy_(self.before.word_weight)

    def keep(self, share: float) -> None:
        r"""Go back part of the way to where training starts, :math:`B = 0` and the cosine.

        Parameters
        ----------
        share : float
            Of what was learned, that stays, 0 to 1: B and, where words count, how far their weight
            has come from that of the network below.
        """
        with torch.no_grad():
            self.b.weight.mul_(share)
            self.b.bias.mul_(share)
            if self.word_weight is not None:
                assert self.before is not None and self.before.word_weight is not None
                self.word_weight.lerp_(self.before.word_weight, 1 - share)

    def forward(
        self, query: Tensor | None, passages: Tensor, shared_words: Tensor | None = None
    ) -> Tensor:
        """Score all pairs.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,) or None
            Not read unless the query is an entity, or the network below reads it.
        passages : Tensor of shape (n_passages, embedding_dim)
        shared_words : Tensor of shape (n_passages, n_passages), optional
            TF-IDF cosines, 0 to 1.

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Cosines, -1 to 1, and what shared words add; higher is closer.
        """
        unit = self.space(query, passages)
        scores = unit @ unit.T
        if self.word_weight is not None and shared_words is not None:
            scores = scores + self.word_weight * shared_words
        return scores

    def space(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Return the passages as they are compared, each of length 1.

        Returns
        -------
        Tensor of shape (n_passages, embedding_dim)
        """
        if self.before is not None:
            if query is None:
                query = nn.functional.normalize(passages.mean(dim=0), dim=0)
            passages = self.before.space(query, passages)
        if self.noise and self.training:
            # Divided by the root of the dimension, so that the noise is about `noise` long.
            drawn = torch.randn_like(passages) * (self.noise / passages.shape[-1] ** 0.5)
            passages = nn.functional.normalize(passages + drawn, dim=-1)
        entities = passages
        if self.uses_query and query is not None:
            entities = torch.cat([passages, query[None].to(passages.dtype)])
        parts = [passages]
        if self.queries_keys_values is not None:
            parts.append(self._attend(passages, entities))
        elif self.sees == "mean":
            parts.append(entities.mean(dim=0).expand_as(passages))
        moved: Tensor = passages + self.b(torch.tanh(self.a(torch.cat(parts, dim=-1))))
        return nn.functional.normalize(moved, dim=-1, eps=1e-6)

    def _attend(self, passages: Tensor, entities: Tensor) -> Tensor:
        assert self.queries_keys_values is not None
        # Vectors of length 1 are short beside what such weights are made for.
        scale = float(entities.shape[-1]) ** 0.5
        scaled = entities * scale
        queries, keys, values = (
            part.view(len(entities), self.n_heads, -1).transpose(0, 1)
            for part in self.queries_keys_values(scaled).chunk(3, dim=-1)
        )
        attended = nn.functional.scaled_dot_product_attention(
            queries[:, : len(passages)], keys, values
        )
        seen: Tensor = attended.transpose(0, 1).reshape(len(passages), -1) / scale
        return seen
