"""Entities of similar length and in subsets of similar size go through a layer together."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

KEYS_PER_BLOCK = 4096
"""Keys that a block may have in all: its tokens, and one for each other entity of each entity. Half
as many save a third of the memory, twice as many no time."""

_ALIKE = 0.75
_SMALL = 1024
"""Tokens that a block has at least before a row is too short for it. Groups share in them, so that
many pad no more than one does, but each has `_SMALLEST`."""
_SMALLEST = 256
_FEW = 512
"""Keys of others that a group has at least before a subset is too small for it: fewer are not worth
the additional blocks, since a token costs as much as some thirty keys."""


@dataclass(frozen=True)
class Block:
    """Rows of tokens that go through the layers together.

    Parameters
    ----------
    rows : LongTensor of shape (n_rows,)
        Their numbers in the batch.
    mask : BoolTensor of shape (n_rows, n_tokens)
        Which tokens are no padding.
    padded : bool
        Whether there is any padding.
    others : LongTensor of shape (n_rows, n_others), optional
        Numbers of the other entities of the same subset, filled up to as many as the largest has;
        None where no row has another entity beside it.
    others_mask : BoolTensor of shape (n_rows, n_others), optional
        Which of these are no filling.
    """

    rows: Tensor
    mask: Tensor
    padded: bool
    others: Tensor | None = None
    others_mask: Tensor | None = None

    @property
    def n_tokens(self) -> int:
        """Of the longest row."""
        return self.mask.shape[1]


def entity_blocks(mask: Tensor, subset: Tensor, *, context: bool) -> list[Block]:
    """Cut a batch of entities into blocks.

    Parameters
    ----------
    mask : BoolTensor of shape (n_entities, n_tokens)
    subset : LongTensor of shape (n_entities,)
    context : bool
        Whether entities attend to the others of their subset.

    Returns
    -------
    list of Block
        Each entity in one of them.
    """
    lengths = mask.sum(dim=1)
    if not context:
        return row_blocks(lengths)
    _, which, sizes = torch.unique_consecutive(subset, return_inverse=True, return_counts=True)
    first = (sizes.cumsum(0) - sizes)[which]
    n_others = sizes[which] - 1
    blocks = []
    for block in row_blocks(lengths, n_others.tolist()):
        beside = n_others[block.rows][:, None]
        if int(beside.max()) > 0:
            places = torch.arange(int(beside.max()), device=mask.device)[None, :]
            start = first[block.rows][:, None]
            # An entity is none of its others, so that from its place on they stand one further.
            others = start + places + (places >= block.rows[:, None] - start)
            # Filling in the last subset would point beyond the batch; the mask hides it anyway.
            others = others.clamp(max=len(mask) - 1)
            block = Block(block.rows, block.mask, block.padded, others, places < beside)
        blocks.append(block)
    return blocks


def row_blocks(lengths: Tensor, n_more: Sequence[int] | None = None) -> list[Block]:
    """Cut rows of tokens into blocks of similar length and with similarly many further keys.

    Parameters
    ----------
    lengths : LongTensor of shape (n_rows,)
        Tokens of each row.
    n_more : sequence of int, optional
        Keys of each row beside its own tokens.

    Returns
    -------
    list of Block
        Those with the most further keys first, and of these the longest; one row may exceed what a
        block should hold.
    """
    counts: list[int] = lengths.tolist()
    more = n_more or [0] * len(counts)
    blocks = []
    groups = _groups(more)
    small = max(_SMALL // max(len(groups), 1), _SMALLEST)
    for group in groups:
        for rows in _divided(group, counts, more, small):
            longest = counts[rows[0]]
            numbers = torch.tensor(rows, device=lengths.device)
            places = torch.arange(longest, device=lengths.device)
            mask = places[None, :] < lengths[numbers][:, None]
            blocks.append(Block(numbers, mask, counts[rows[-1]] < longest))
    return blocks


def _groups(more: Sequence[int]) -> list[list[int]]:
    """Group rows by their further keys, which are filled up to the most in the group."""
    groups: list[list[int]] = []
    for row in sorted(range(len(more)), key=lambda row: -more[row]):
        if groups:
            most = more[groups[-1][0]]
            if len(groups[-1]) * most < _FEW or more[row] >= _ALIKE * most:
                groups[-1].append(row)
                continue
        groups.append([row])
    return groups


def _divided(
    group: Sequence[int], counts: Sequence[int], more: Sequence[int], small: int
) -> list[list[int]]:
    """Divide a group by its tokens, which are filled up to the longest row of a block."""
    chosen: list[list[int]] = []
    most = 0
    for row in sorted(group, key=lambda row: -counts[row]):
        if chosen:
            longest, n_rows = counts[chosen[-1][0]], len(chosen[-1])
            most = max(most, more[row])
            full = (n_rows + 1) * (longest + most) > KEYS_PER_BLOCK
            other = n_rows * longest >= small and counts[row] < _ALIKE * longest
            if not full and not other:
                chosen[-1].append(row)
                continue
        chosen.append([row])
        most = more[row]
    return chosen


def cut(batch: Tensor, block: Block) -> Tensor:
    """Take the rows of a block out of a batch, shape (n_rows, n_tokens, ...)."""
    return batch[block.rows, : block.n_tokens]


def joined(states: Sequence[Tensor], blocks: Sequence[Block], mask: Tensor) -> Tensor:
    """Put the states of blocks back into one batch.

    Returns
    -------
    Tensor of shape (n_rows, n_tokens, hidden_dim)
        0 in the padding.
    """
    parts = [
        functional.pad(
            part.masked_fill(~block.mask[..., None], 0), (0, 0, 0, mask.shape[1] - part.shape[1])
        )
        for part, block in zip(states, blocks, strict=True)
    ]
    return torch.cat(parts)[back(blocks)]


def back(blocks: Sequence[Block]) -> Tensor:
    """Return where each row of the batch stands when the rows of the blocks follow one another."""
    return torch.cat([block.rows for block in blocks]).argsort()
