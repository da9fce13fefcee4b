"""BERT and MPNet without what training does not need: mean-pooled vectors, attention fused.

A step of a small encoder is over before Python has gone through the layers of transformers: these
hold the queries, keys and values in one matrix, take whole numbers in and compute in the type
of their weights.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

_QKV = ("query", "key", "value")
_MPNET = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
}
"""Modules of a layer that MPNet names otherwise than BERT."""


@dataclass(frozen=True)
class Shape:
    """The sizes of an encoder.

    Parameters
    ----------
    kind : {"bert", "mpnet"}
    hidden, layers, heads, inner, pieces, positions : int
        Of a state, layers, heads of each, of the inner state, word pieces and positions.
    epsilon : float
        Of the normalisation of layers.
    """

    kind: str
    hidden: int
    layers: int
    heads: int
    inner: int
    pieces: int
    positions: int
    epsilon: float

    @classmethod
    def of(cls, config: Mapping[str, object]) -> "Shape":
        """Read the sizes from a ``config.json`` of transformers."""
        names = (
            "model_type",
            "hidden_size",
            "num_hidden_layers",
            "num_attention_heads",
            "intermediate_size",
            "vocab_size",
            "max_position_embeddings",
            "layer_norm_eps",
        )
        return cls(*(config[name] for name in names))  # type: ignore[arg-type]


class _Layer(nn.Module):
    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.qkv = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.out = nn.Linear(shape.hidden, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.up = nn.Linear(shape.hidden, shape.inner)
        self.down = nn.Linear(shape.inner, shape.hidden)
        self.last_norm = nn.LayerNorm(shape.hidden, shape.epsilon)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        n_texts, n_tokens, hidden = states.shape
        dropout = self.dropout if self.training else 0.0
        qkv = self.qkv(states).view(n_texts, n_tokens, 3, self.heads, -1)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        attended = attended.transpose(1, 2).reshape(n_texts, n_tokens, hidden)
        attended = functional.dropout(self.out(attended), dropout, self.training)
        states = self.norm(states + attended)
        inner = self.down(functional.gelu(self.up(states)))
        inner = functional.dropout(inner, dropout, self.training)
        last: Tensor = self.last_norm(states + inner)
        return last


class Network(nn.Module):
    """An encoder of word pieces into mean-pooled vectors, that are not normalised.

    Parameters
    ----------
    dropout : float
        After the attention and the inner layer, in training.
    """

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.dropout = shape, dropout
        self.first = 2 if shape.kind == "mpnet" else 0
        self.words = nn.Embedding(shape.pieces, shape.hidden)
        self.places = nn.Embedding(shape.positions, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        if shape.kind == "mpnet":
            self.relative = nn.Embedding(32, shape.heads)
        self.layers = nn.ModuleList(_Layer(shape, dropout) for _ in range(shape.layers))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Encode texts.

        Parameters
        ----------
        ids, mask : Tensor of shape (n_texts, n_tokens)
            Word pieces, and True where there is one.

        Returns
        -------
        Tensor of shape (n_texts, hidden)
            float32.
        """
        n_tokens = ids.shape[1]
        places = torch.arange(self.first, self.first + n_tokens, device=ids.device)
        states = self.norm(self.words(ids) + self.places(places))
        states = functional.dropout(states, self.dropout, self.training)
        bias = torch.zeros(mask.shape, dtype=states.dtype, device=ids.device)
        bias = bias.masked_fill(~mask, -1e4)[:, None, None, :]
        if self.shape.kind == "mpnet":
            bias = bias + self._relative(n_tokens)[None]
        bias = bias.expand(len(ids), self.shape.heads, n_tokens, n_tokens)
        for layer in self.layers:
            states = layer(states, bias)
        kept = mask.to(states.dtype)[..., None]
        # A product of matrices adds up in float32, whatever its type.
        total = torch.bmm(kept.transpose(1, 2), states)[:, 0]
        return total.float() / mask.sum(1, keepdim=True)

    def _relative(self, n_tokens: int) -> Tensor:
        """Return what the distance of two tokens adds to their attention (Raffel et al. 2020)."""
        place = torch.arange(n_tokens, device=self.relative.weight.device)
        away = place[:, None] - place[None, :]
        bucket = (away < 0).long() * 16
        away = away.abs()
        large = 8 + (torch.log(away.clamp(min=1).float() / 8) / math.log(16) * 8).long()
        bucket = bucket + torch.where(away < 8, away, large.clamp(max=15))
        added: Tensor = self.relative(bucket)
        # Fused attention takes no rows that are scattered over the memory.
        return added.permute(2, 0, 1).contiguous()

    def trained(self) -> dict[str, nn.Parameter]:
        """Return the weights that learn: the layers, not the embeddings."""
        return {name: p for name, p in self.named_parameters() if name.startswith("layers.")}


def load(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Put weights with the names of transformers into a network.

    Parameters
    ----------
    weights : mapping of str to Tensor
        All of them, or those of the layers alone.

    Raises
    ------
    KeyError
        If a layer or an embedding is missing in part.
    """
    state: dict[str, Tensor] = {}
    if any(name.startswith("embeddings.") for name in weights):
        words = "embeddings.word_embeddings.weight"
        state["words.weight"] = weights[words]
        places = weights["embeddings.position_embeddings.weight"]
        if "embeddings.token_type_embeddings.weight" in weights:
            places = places + weights["embeddings.token_type_embeddings.weight"][:1]
        state["places.weight"] = places
        for end in ("weight", "bias"):
            state[f"norm.{end}"] = weights[f"embeddings.LayerNorm.{end}"]
        if network.shape.kind == "mpnet":
            state["relative.weight"] = weights["encoder.relative_attention_bias.weight"]
    for number in range(network.shape.layers):
        for name, sources in _sources(network.shape.kind, number).items():
            state[name] = torch.cat([weights[source] for source in sources])
    missing = network.load_state_dict(state, strict=False).missing_keys
    if any(name.startswith("layers.") for name in missing):
        raise KeyError(missing[0])


def layers_of(network: Network) -> dict[str, Tensor]:
    """Return the weights of the layers by the names of transformers, in float32."""
    state = network.state_dict()
    found: dict[str, Tensor] = {}
    for number in range(network.shape.layers):
        for name, sources in _sources(network.shape.kind, number).items():
            parts = state[name].detach().float().cpu().chunk(len(sources))
            found |= {
                source: part.contiguous() for source, part in zip(sources, parts, strict=True)
            }
    return found


def _sources(kind: str, number: int) -> dict[str, list[str]]:
    """Map the weights of a layer to those of transformers that they are put together from."""
    modules = {
        "qkv": [f"attention.self.{part}" for part in _QKV],
        "out": ["attention.output.dense"],
        "norm": ["attention.output.LayerNorm"],
        "up": ["intermediate.dense"],
        "down": ["output.dense"],
        "last_norm": ["output.LayerNorm"],
    }
    return {
        f"layers.{number}.{ours}.{end}": [
            f"encoder.layer.{number}.{_MPNET.get(name, name) if kind == 'mpnet' else name}.{end}"
            for name in theirs
        ]
        for ours, theirs in modules.items()
        for end in ("weight", "bias")
    }
