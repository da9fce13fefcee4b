"""FIA: the entities of a subset, one after the other, as one sequence (appendix E.1)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from subclust.methods.cactus.blocks import back, row_blocks


class Sequences:
    """Where the tokens of entities stand when each subset is one sequence.

    Every entity keeps the marks that its tokenizer put around it, which separate the entities, so
    that a subset of one is the same to FIA as to NIA.

    Parameters
    ----------
    mask : BoolTensor of shape (n_entities, n_tokens)
    subset : LongTensor of shape (n_entities,)

    Attributes
    ----------
    blocks : list of Block
        Whose rows are subsets.
    """

    def __init__(self, mask: Tensor, subset: Tensor) -> None:
        self.mask = mask
        self.lengths = mask.sum(dim=1)
        _, which, sizes = torch.unique_consecutive(subset, return_inverse=True, return_counts=True)
        totals = torch.zeros_like(sizes).index_add(0, which, self.lengths)
        self.first = totals.cumsum(0) - totals
        self.n_flat = int(totals.sum())
        self.blocks = row_blocks(totals)

    def cut(self, states: Tensor) -> list[Tensor]:
        """Lay the tokens of entities out as sequences.

        Parameters
        ----------
        states : Tensor of shape (n_entities, n_tokens, hidden_dim)

        Returns
        -------
        list of Tensor of shape (n_subsets, n_sequence, hidden_dim)
            One a block.
        """
        flat = states[self.mask]
        parts = []
        for block in self.blocks:
            places = torch.arange(block.n_tokens, device=flat.device)
            where = self.first[block.rows][:, None] + places[None, :]
            parts.append(flat[where.clamp(max=self.n_flat - 1)])
        return parts

    def means(self, parts: Sequence[Tensor]) -> Tensor:
        """Average over the tokens of each entity.

        Parameters
        ----------
        parts : sequence of Tensor of shape (n_subsets, n_sequence, hidden_dim)
            One a block.

        Returns
        -------
        Tensor of shape (n_entities, hidden_dim)
            At least in float32.
        """
        flat = torch.cat([part[block.mask] for part, block in zip(parts, self.blocks, strict=True)])
        # The blocks hold the subsets in an order of their own.
        n_tokens = torch.cat([block.mask.sum(dim=1) for block in self.blocks])
        pieces = torch.split_with_sizes(flat, n_tokens.tolist())
        flat = torch.cat([pieces[place] for place in back(self.blocks).tolist()])
        flat = flat.to(torch.promote_types(flat.dtype, torch.float32))
        entity = torch.repeat_interleave(
            torch.arange(len(self.lengths), device=flat.device), self.lengths
        )
        sums = flat.new_zeros(len(self.lengths), flat.shape[1]).index_add(0, entity, flat)
        return sums / self.lengths[:, None]
