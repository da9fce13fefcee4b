"""One layer, for all blocks of a batch, each entity alone or beside a vector of each other one."""

from collections.abc import Sequence

import torch
from torch import Tensor

from subclust.methods.cactus.attention import Others, attend
from subclust.methods.cactus.blocks import Block, back
from subclust.methods.cactus.body import Body


def through_layer(
    body: Body,
    number: int,
    states: list[Tensor],
    blocks: Sequence[Block],
    biases: Sequence[Tensor | None],
    *,
    pooling: str | None = None,
) -> None:
    """Take the states of all blocks through a layer, block by block.

    Parameters
    ----------
    body : Body
    number : int
        Of the layer.
    states : list of Tensor of shape (n_rows, n_tokens, hidden_dim)
        Of the blocks; each is replaced as soon as it is done with, so that two layers' states are
        never held at once where nothing learns.
    blocks : sequence of Block
    biases : sequence of Tensor or None
        `Body.position_bias` of the blocks.
    pooling : {"sia", "sia-first", "sia-kv-mean"}, optional
        What stands for an entity before the others; any other word, or none, for no others.
    """
    pooled = None
    if any(block.others is not None for block in blocks):
        if pooling is not None:
            pooled = _pooled(body, number, states, blocks, pooling)
    for place, (block, bias) in enumerate(zip(blocks, biases, strict=True)):
        before = states[place]
        entered = body.enter(number, before)
        keys, values = body.keys_values(number, entered)
        others = None
        if pooled is not None and block.others is not None and block.others_mask is not None:
            others = Others(pooled[0][block.others], pooled[1][block.others], block.others_mask)
        attended = attend(
            body.queries(number, entered),
            keys,
            values,
            n_heads=body.n_heads,
            scale=body.scale,
            mask=block.mask if block.padded else None,
            bias=bias,
            others=others,
        )
        states[place] = body.leave(number, before, attended)


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
    with torch.autocast(states.device.type, enabled=False):
        return (weights @ states.to(weights.dtype)).squeeze(1)


def _pooled(
    body: Body, number: int, states: Sequence[Tensor], blocks: Sequence[Block], pooling: str
) -> tuple[Tensor, Tensor]:
    """Give keys and values of the vectors that stand for the entities, in the batch's order.

    Keys and values are linear in what enters, so their means are those of the mean. "sia" and
    "sia-kv-mean" are then the same wherever nothing lies between the layer's states and its
    projections, as in BERT; in T5 a norm does, and "sia" averages before it.
    """
    parts = []
    for block, part in zip(blocks, states, strict=True):
        if pooling == "sia":
            mean = mean_of_tokens(part, block.mask).to(part.dtype)
            parts.append(body.enter(number, mean))
        elif pooling == "sia-first":
            parts.append(body.enter(number, part[:, 0]))
        else:
            entered = body.enter(number, part)
            parts.append(mean_of_tokens(entered, block.mask).to(entered.dtype))
    return body.keys_values(number, torch.cat(parts)[back(blocks)])
