"""Attention in bfloat16 on the processor, faster than PyTorch's own for passages."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

NAME = "subclust-bfloat16"

MODEL_TYPES = ("bert",)
"""Families of models whose attention is no more than a softmax over the tokens of a text."""

ROW = 32
"""Rows of scores are filled to a multiple of so many: 512 bits of bfloat16, taken at once."""


def rounded_attention(
    query: "torch.Tensor",
    key: "torch.Tensor",
    value: "torch.Tensor",
    mask: "torch.Tensor | None" = None,
    scaling: float | None = None,
) -> "torch.Tensor":
    """Compute softmax(Q K^T * scaling) V, with scores and weights in the precision of the input.

    The sum of a row's weights comes out of the product with the values, as that of one column
    more, in which the tokens that count are one.

    Parameters
    ----------
    query : tensor of shape (n_texts, n_heads, n_queries, head_dim)
    key, value : tensors of shape (n_texts, n_heads, n_tokens, head_dim)
    mask : tensor of shape (n_texts, 1, n_queries or 1, n_tokens), optional
        bool, true where a token counts; the same for all queries of a text. The first token of
        each text counts.
    scaling : float, optional
        One over the root of head_dim where it is not given.
    """
    import torch
    from torch.nn.functional import pad

    head_dim, n_filled = query.shape[-1], -key.shape[2] % ROW
    columns = torch.cat([value, value.new_ones((*value.shape[:3], 1))], dim=3)
    first = key[:, :, :1]  # stands in where no token counts, so that no row's largest is another
    if mask is not None:
        counts = mask[:, :, :1].transpose(2, 3)
        key, columns = torch.where(counts, key, first), columns * counts
    key = torch.cat([key, first.expand(-1, -1, n_filled, -1)], dim=2)
    query = query * (head_dim**-0.5 if scaling is None else scaling)
    scores = torch.matmul(query, key.transpose(2, 3))
    weights = scores.sub_(scores.amax(dim=3, keepdim=True)).exp_()
    sums = torch.matmul(weights, pad(columns, (0, 0, 0, n_filled)))
    return sums[..., :-1] / sums[..., -1:]


def use_rounded_attention(model: "PreTrainedModel") -> bool:
    """Have a model compute its attention so, if it is of a family for which that is the same.

    Parameters
    ----------
    model : PreTrainedModel
        In bfloat16, on the processor, and not to be trained.

    Returns
    -------
    bool
        Whether it does now.
    """
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    config = model.config
    if config.model_type not in MODEL_TYPES or getattr(config, "is_decoder", False):
        return False

    def forward(  # as transformers calls it
        module: Any,
        query: "torch.Tensor",
        key: "torch.Tensor",
        value: "torch.Tensor",
        attention_mask: "torch.Tensor | None",
        scaling: float | None = None,
        **_: Any,
    ) -> tuple["torch.Tensor", None]:
        found = rounded_attention(query, key, value, attention_mask, scaling)
        return found.transpose(1, 2).contiguous(), None

    AttentionInterface.register(NAME, forward)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    model.set_attn_implementation(NAME)
    return True
