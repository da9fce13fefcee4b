"""Sets over vectors that are there: what SIA is where every entity has one token."""

import torch
from torch import Tensor, nn


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

    Parameters
    ----------
    embedding_dim : int
    sees : {"all", "mean", "none"}
    uses_query : bool
        Whether the query is one more entity, which is seen and not compared.
    hidden_dim : int
        Width of A.
    n_heads : int
        Of the attention; must divide `embedding_dim`.

    Attributes
    ----------
    neutral : Parameter
        The neutral similarity of equation 7; a scalar.

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
    ) -> None:
        super().__init__()
        if embedding_dim % n_heads:
            raise ValueError(f"{n_heads} heads do not divide {embedding_dim} dimensions")
        self.sees = sees
        self.needs_query = uses_query
        self.n_heads = n_heads
        self.neutral = nn.Parameter(torch.zeros(()))
        self.queries_keys_values = (
            nn.Linear(embedding_dim, 3 * embedding_dim, bias=False) if sees == "all" else None
        )
        self.a = nn.Linear((1 if sees == "none" else 2) * embedding_dim, hidden_dim)
        self.b = nn.Linear(hidden_dim, embedding_dim)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)

    def forward(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Score all pairs.

        Parameters
        ----------
        query : Tensor of shape (embedding_dim,) or None
            Not read unless the query is an entity.
        passages : Tensor of shape (n_passages, embedding_dim)

        Returns
        -------
        Tensor of shape (n_passages, n_passages)
            Cosines, -1 to 1; higher is closer.
        """
        unit = self.space(query, passages)
        return unit @ unit.T

    def space(self, query: Tensor | None, passages: Tensor) -> Tensor:
        """Give the passages as they are compared, each of length 1.

        Returns
        -------
        Tensor of shape (n_passages, embedding_dim)
        """
        entities = passages
        if self.needs_query and query is not None:
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
