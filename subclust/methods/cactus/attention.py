"""Scalable inter-entity attention: equations 1 to 4, for all blocks of a batch."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

_KEPT_WEIGHTS = 2**22
"""Attention weights that may be kept for the way back: 8 MB in half precision."""


@dataclass(frozen=True)
class Others:
    r"""The other entities of the subsets that some entities belong to, one vector each.

    Parameters
    ----------
    keys, values : Tensor of shape (n_entities, n_others, n_heads * head_dim)
        :math:`W^K \bar e_m` and :math:`W^V \bar e_m`, of as many as the largest subset has.
    mask : BoolTensor of shape (n_entities, n_others)
        Whether a vector is that of another entity of the same subset, and no filling.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    n_heads: int,
    scale: float,
    mask: Tensor | None = None,
    bias: Tensor | None = None,
    others: Others | None = None,
) -> Tensor:
    r"""Let the tokens of each entity attend to one another, and to one vector of each other entity.

    .. math::

        \tilde e_i^j = \sum_k \alpha(e_i^j, e_i^k) W^V e_i^k
            + \sum_{m \neq i} \alpha(e_i^j, e_m) W^V \bar e_m \qquad (1)

    The weights :math:`\alpha` come of one softmax over both (2); before it stand

    .. math::

        (W^Q e_i^j)^T (W^K e_i^k) + \phi(k - j) \quad (3) \qquad
        (W^Q e_i^j)^T (W^K \bar e_m) \quad (4)

    Where the paper prints :math:`\phi(k - i)` it means :math:`\phi(k - j)`: i is an entity. The
    term knows only places within an entity, so entities have no order.

    Each entity has ``n_tokens + n_others`` keys, so this costs O(N L (L + N)) for N entities of L
    tokens; the weights themselves are never kept where the processor's own attention can do it.

    Parameters
    ----------
    queries, keys, values : Tensor of shape (n_entities, n_tokens, n_heads * head_dim)
        Of the entities' own tokens.
    scale : float
        Of the inner products: 1 for T5, 1 / sqrt(head_dim) for the others.
    mask : BoolTensor of shape (n_entities, n_tokens), optional
        Which tokens are no padding; by default all.
    bias : Tensor of shape (n_heads, n_tokens, n_tokens), optional
        :math:`\phi`, from a token (row) to another (column).
    others : Others, optional
        By default no other entities, which is the usual attention.

    Returns
    -------
    Tensor of shape (n_entities, n_tokens, n_heads * head_dim)
        Anything at all where the mask has padding.
    """
    n_entities, n_tokens, width = queries.shape
    if others is not None:
        keys = torch.cat([keys, others.keys.to(keys.dtype)], dim=1)
        values = torch.cat([values, others.values.to(values.dtype)], dim=1)
        if mask is None:
            mask = others.mask.new_ones(n_entities, n_tokens)
        mask = torch.cat([mask, others.mask], dim=1)
    allowed = None if mask is None else mask[:, None, None, :]
    if bias is not None:
        if others is not None:
            # Equation 4 has no term for places: between entities the bias is 0.
            bias = functional.pad(bias, (0, others.keys.shape[1]))
        bias = bias.to(queries.dtype)[None]
        # PyTorch's attention takes one mask only, so the Boolean one becomes part of the bias.
        allowed = bias if allowed is None else torch.where(allowed, bias, -torch.inf)

    def heads(tensor: Tensor) -> Tensor:
        return tensor.view(n_entities, -1, n_heads, width // n_heads).transpose(1, 2)

    with _kernel(queries, n_weights=n_heads * n_entities * n_tokens * keys.shape[1]):
        attended = functional.scaled_dot_product_attention(
            heads(queries), heads(keys), heads(values), attn_mask=allowed, scale=scale
        )
    return attended.transpose(1, 2).reshape(n_entities, n_tokens, width)


def _kernel(queries: Tensor, *, n_weights: int) -> AbstractContextManager[None]:
    """Choose how the weights are computed where gradients are asked of a processor's bfloat16.

    Its fused kernel goes back by one small matrix product for each entity and head, whose overhead
    is ten times what they compute where texts are short; products of all at once keep the weights.
    """
    slow = queries.device.type == "cpu" and queries.dtype in (torch.bfloat16, torch.float16)
    if slow and torch.is_grad_enabled() and n_weights <= _KEPT_WEIGHTS:
        return sdpa_kernel(SDPBackend.MATH)
    return nullcontext()


def mean_of_tokens(states: Tensor, mask: Tensor) -> Tensor:
    """Average over the tokens that are no padding.

    Parameters
    ----------
    states : Tensor of shape (n_rows, n_tokens, hidden_dim)
    mask : BoolTensor of shape (n_rows, n_tokens)

    Returns
    -------
    Tensor of shape (n_rows, hidden_dim)
        At least in float32.
    """
    weights = mask[:, None, :].to(torch.promote_types(states.dtype, torch.float32))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    # Autocast would compute this product in bfloat16 after all.
    with torch.autocast(states.device.type, enabled=False):
        return (weights @ states.to(weights.dtype)).squeeze(1)


class MeanContext(nn.Module):
    """An MLP of one hidden layer over an embedding and its subset's mean (appendix E).

    Input and hidden layer have 2 d neurons, the output d; between them stands tanh.
    """

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(2 * embedding_dim, 2 * embedding_dim)
        self.out = nn.Linear(2 * embedding_dim, embedding_dim)

    def forward(self, embeddings: Tensor, subset: Tensor) -> Tensor:
        """Let each embedding see its subset.

        Parameters
        ----------
        embeddings : Tensor of shape (n_entities, embedding_dim)
        subset : LongTensor of shape (n_entities,)

        Returns
        -------
        Tensor of shape (n_entities, embedding_dim)
        """
        _, which, sizes = torch.unique_consecutive(subset, return_inverse=True, return_counts=True)
        sums = embeddings.new_zeros(len(sizes), embeddings.shape[1])
        means = sums.index_add(0, which, embeddings) / sizes[:, None]
        both = torch.cat([embeddings, means[which]], dim=1).to(self.hidden.weight.dtype)
        seen: Tensor = self.out(torch.tanh(self.hidden(both)))
        return seen.to(embeddings.dtype)
