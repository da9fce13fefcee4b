"""Set encoders: an entity's embedding, seen in the subset that it stands in (section 3.2)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.core.exceptions import EncoderError
from subclust.core.records.progress import Progress
from subclust.methods.cactus.attention import MeanContext, Others, attend, mean_of_tokens
from subclust.methods.cactus.blocks import Block, back, cut, entity_blocks, joined, row_blocks
from subclust.methods.cactus.bodies import Body
from subclust.methods.cactus.tokens import Tokens, check_mask, tokenize

Context = Literal["nia", "nia-context", "sia", "sia-first", "sia-kv-mean", "fia"]
CONTEXTS: tuple[str, ...] = get_args(Context)
"""How entities see one another: not at all; by their mean, afterwards; in the layers by one vector
each, the mean of its states, its first token's or the mean of its keys and values; or by all."""
_POOLED = ("sia", "sia-first", "sia-kv-mean")


class _Sequences:
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
        """Lay the tokens of entities out as sequences."""
        flat = states[self.mask]
        parts = []
        for block in self.blocks:
            places = torch.arange(block.n_tokens, device=flat.device)
            where = self.first[block.rows][:, None] + places[None, :]
            # Padding of the last sequence would point beyond the end; the mask hides it anyway.
            parts.append(flat[where.clamp(max=self.n_flat - 1)])
        return parts

    def means(self, parts: Sequence[Tensor]) -> Tensor:
        """Average over the tokens of each entity."""
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


class SetEncoder(nn.Module):
    """A transformer that encodes the entities of a subset together.

    NIA, NIA (context), SIA (hid-mean, first, KV-mean) and FIA of the paper, over one interface.
    Embeddings are means over the entity's tokens, not made of length 1. The order of the
    entities never matters, save to FIA over an encoder that knows places by distance (T5, MPNet).

    The encoder's own dropout stays off, in training too: the small networks here learn better
    without.

    Parameters
    ----------
    body : Body
        Whose weights learn as their ``requires_grad`` says.
    context : str
        One of `CONTEXTS`.
    n_lower : int
        First layers in which each entity is alone and nothing learns.
    n_alone : int
        First layers in which each entity is alone.
    low_precision : bool
        Whether to compute in bfloat16, under autocast.

    Attributes
    ----------
    n_layers : int
    embedding_dim : int
    tokenizer : a tokenizer of transformers, or None
    max_length : int
        Word pieces of an entity.
    """

    def __init__(
        self,
        body: Body,
        context: str,
        *,
        n_lower: int,
        n_alone: int,
        low_precision: bool = False,
        tokenizer: Any = None,
        max_length: int = 128,
    ) -> None:
        super().__init__()
        self.body = body
        self.context = context
        self.n_layers = len(body.layers)
        self.n_lower = n_lower
        self.n_alone = n_alone
        self.embedding_dim = body.hidden_dim
        self.low_precision = low_precision
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.head = MeanContext(body.hidden_dim) if context == "nia-context" else None

    def train(self, mode: bool = True) -> Self:
        """Note whether it is being trained; dropout stays off either way."""
        super().train(False)
        self.training = mode
        return self

    def tokenize(self, texts_of_subsets: Sequence[Sequence[str]]) -> Tokens:
        """Cut the entities of subsets into word pieces with the encoder's own tokenizer."""
        return tokenize(self.tokenizer, texts_of_subsets, self.max_length)

    def forward(self, tokens: Tokens, progress: Progress | None = None) -> Tensor:
        """Encode the entities of some subsets.

        Parameters
        ----------
        tokens : Tokens
            On the device of the weights.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` after each layer.

        Returns
        -------
        Tensor of shape (n_entities, embedding_dim)
            In the precision of the weights; float32 where these are in bfloat16.
        """
        with self._autocast(tokens.ids):
            blocks = self._blocks(tokens.mask, tokens.subset)
            states = [self.body.embed(cut(tokens.ids, block)) for block in blocks]
            states = self._through(states, blocks, 0, self.n_lower, progress)
            return self._upper(states, blocks, tokens.mask, tokens.subset, progress)

    def lower_states(self, tokens: Tokens) -> Tensor:
        """Compute what enters the first layer in which entities meet or weights learn.

        Of an entity this depends on nothing but its text, so it can be kept, unless the word
        embeddings learn.

        Returns
        -------
        Tensor of shape (n_entities, n_tokens, hidden_dim)
            0 in the padding.
        """
        with self._autocast(tokens.ids):
            blocks = entity_blocks(tokens.mask, tokens.subset, context=False)
            states = [self.body.embed(cut(tokens.ids, block)) for block in blocks]
            return joined(self._through(states, blocks, 0, self.n_lower), blocks, tokens.mask)

    def forward_from(
        self, states: Tensor, mask: Tensor, subset: Tensor, progress: Progress | None = None
    ) -> Tensor:
        """Encode the entities of some subsets from their `lower_states`.

        Parameters
        ----------
        states : Tensor of shape (n_entities, n_tokens, hidden_dim)
        mask : BoolTensor of shape (n_entities, n_tokens)
        subset : LongTensor of shape (n_entities,)
        progress : callable, optional
            As for `forward`.

        Returns
        -------
        Tensor of shape (n_entities, embedding_dim)
        """
        check_mask(mask, subset)
        with self._autocast(states):
            blocks = self._blocks(mask, subset)
            parts = [cut(states, block) for block in blocks]
            return self._upper(parts, blocks, mask, subset, progress)

    def trainable_state(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights that learn, in half precision, by their names in this module."""
        return {
            name: parameter.detach().cpu().to(torch.float16).numpy()
            for name, parameter in self.named_parameters()
            if parameter.requires_grad
        }

    def load_trainable_state(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take weights that `trainable_state` gave.

        Raises
        ------
        EncoderError
            If they are not those that learn here.
        """
        own = {name: p for name, p in self.named_parameters() if p.requires_grad}
        unlike = {*own} ^ {*state} or {n for n in own if tuple(own[n].shape) != state[n].shape}
        if unlike:
            raise EncoderError(
                "The trained weights {unlike!r} do not fit the set encoder {context!r}; use the "
                "encoder and the layers that the checkpoint was trained over.",
                unlike=min(unlike),
                context=self.context,
            )
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(torch.from_numpy(np.asarray(state[name], dtype=np.float32)))

    def _autocast(self, like: Tensor) -> torch.autocast:
        return torch.autocast(like.device.type, torch.bfloat16, enabled=self.low_precision)

    def _blocks(self, mask: Tensor, subset: Tensor) -> list[Block]:
        return entity_blocks(mask, subset, context=self.context in _POOLED)

    def _through(
        self,
        states: list[Tensor],
        blocks: Sequence[Block],
        first: int,
        end: int,
        progress: Progress | None = None,
        pooling: str | None = None,
    ) -> list[Tensor]:
        biases = [self.body.position_bias(block.n_tokens) for block in blocks]
        for number in range(first, end):
            _through_layer(self.body, number, states, blocks, biases, pooling=pooling)
            if progress is not None:
                progress(number + 1, self.n_layers)
        return states

    def _upper(
        self,
        states: list[Tensor],
        blocks: Sequence[Block],
        mask: Tensor,
        subset: Tensor,
        progress: Progress | None,
    ) -> Tensor:
        states = self._through(states, blocks, self.n_lower, self.n_alone, progress)
        if self.context == "fia":
            sequences = _Sequences(mask, subset)
            together = sequences.cut(joined(states, blocks, mask))
            blocks = sequences.blocks
            states = self._through(together, blocks, self.n_alone, self.n_layers, progress)
            return sequences.means([self.body.finish(part) for part in states])
        states = self._through(
            states, blocks, self.n_alone, self.n_layers, progress, pooling=self.context
        )
        parts = [
            mean_of_tokens(self.body.finish(part), block.mask)
            for part, block in zip(states, blocks, strict=True)
        ]
        embeddings = torch.cat(parts)[back(blocks)]
        return embeddings if self.head is None else self.head(embeddings, subset)


def _through_layer(
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
    number : int
        Of the layer.
    states : list of Tensor of shape (n_rows, n_tokens, hidden_dim)
        Of the blocks; each is replaced as soon as it is done with, so that two layers' states are
        never held at once where nothing learns.
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


def _pooled(
    body: Body, number: int, states: Sequence[Tensor], blocks: Sequence[Block], pooling: str
) -> tuple[Tensor, Tensor]:
    """Return keys and values of the vectors for the entities, in the batch's order.

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
