"""Word pieces of the entities of several subsets, as the set encoders take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor


@dataclass(frozen=True)
class Tokens:
    """A batch of subsets of entities (appendix E.1), of any sizes; no entity is filling.

    Parameters
    ----------
    ids : LongTensor of shape (n_entities, n_tokens)
        Word pieces, padded on the right to the longest entity.
    mask : BoolTensor of shape (n_entities, n_tokens)
        Whether a word piece is one of the entity's own; each entity has at least one.
    subset : LongTensor of shape (n_entities,)
        Number of the subset of each entity; those of one subset lie side by side.

    Raises
    ------
    ValueError
        If the shapes do not fit, an entity has no word piece, or a subset is torn apart.
    """

    ids: Tensor
    mask: Tensor
    subset: Tensor

    def __post_init__(self) -> None:
        """Check that the parts fit."""
        check_mask(self.mask, self.subset)
        if self.ids.shape != self.mask.shape:
            raise ValueError(
                f"ids has the shape {tuple(self.ids.shape)}, mask {tuple(self.mask.shape)}; "
                "they must be the same"
            )

    def to(self, device: torch.device | str) -> Self:
        """Return the same on another device."""
        return type(self)(self.ids.to(device), self.mask.to(device), self.subset.to(device))


def check_mask(mask: Tensor, subset: Tensor) -> None:
    """Check what every set encoder relies on.

    Raises
    ------
    ValueError
        If an entity has no token, its padding is not on the right, or a subset is torn apart.
    """
    if mask.dtype != torch.bool or mask.ndim != 2 or subset.shape != mask.shape[:1]:
        raise ValueError(
            "mask must be Boolean, (n_entities, n_tokens), and subset (n_entities,); they are "
            f"{mask.dtype}, {tuple(mask.shape)} and {tuple(subset.shape)}"
        )
    if not mask.numel() or not bool(mask[:, 0].all()):
        raise ValueError("each entity must have a token, the first of its row")
    if bool((mask[:, 1:] & ~mask[:, :-1]).any()):
        raise ValueError("padding must be on the right of each entity")
    runs = torch.unique_consecutive(subset)
    if len(torch.unique(runs)) < len(runs):
        raise ValueError("the entities of a subset must lie side by side")


def tokenize(tokenizer: Any, texts_of_subsets: Sequence[Sequence[str]], max_length: int) -> Tokens:
    """Cut the entities of subsets into word pieces, with the tokenizer's own marks around each.

    Parameters
    ----------
    texts_of_subsets : sequence of sequence of str
        At least one text in all.
    max_length : int
        Word pieces kept of each text, marks counted.

    Returns
    -------
    Tokens
        Subsets numbered in order; an empty one has no entity and its number is left out.
    """
    texts = [text for subset in texts_of_subsets for text in subset]
    numbers = [number for number, subset in enumerate(texts_of_subsets) for _ in subset]
    rows: list[list[int]] = tokenizer(texts, truncation=True, max_length=max_length, padding=False)[
        "input_ids"
    ]
    padding = tokenizer.pad_token_id or 0
    longest = max(map(len, rows))
    ids = torch.tensor([row + [padding] * (longest - len(row)) for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    mask = torch.arange(longest)[None, :] < lengths[:, None]
    return Tokens(ids, mask, torch.tensor(numbers))
