"""A BERT with mean pooling, computed without sentence-transformers, whose import takes seconds."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from subclust.core.records import FloatArray
from subclust.text.encoders.rounded_attention import rounded_attention

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

NAMED = "0.model."
"""What sentence-transformers puts before the names of the weights."""

_STEMS = ("query", "key", "value")


class PlainBert:
    """Encodes texts as `sentence_transformers.SentenceTransformer` does with the same folder.

    Parameters
    ----------
    folder : Path
        Of a BERT with mean pooling; of the tokenizer ``tokenizer.json`` is read.
    max_seq_length : int
        Word pieces read of each text.
    device : str
    precision : {"float32", "bfloat16"}
    replace : callable, optional
        Given the weights by the names that sentence-transformers has for them, it changes some in
        place, before they are rounded.
    """

    def __init__(
        self,
        folder: Path,
        max_seq_length: int,
        *,
        device: str = "cpu",
        precision: str = "float32",
        replace: Callable[[dict[str, "Tensor"]], None] | None = None,
    ) -> None:
        import torch
        from safetensors.torch import load_file

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.max_seq_length = max_seq_length
        self.device = device
        self.rounded = precision == "bfloat16" and device == "cpu"
        self._n_heads: int = config["num_attention_heads"]
        self._n_layers: int = config["num_hidden_layers"]
        self._epsilon: float = config["layer_norm_eps"]
        self._filling: int = config.get("pad_token_id") or 0
        weights = {
            NAMED + name: value for name, value in load_file(folder / "model.safetensors").items()
        }
        if replace is not None:
            replace(weights)
        dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
        self._weights = {
            name.removeprefix(NAMED): value.to(device, dtype)
            for name, value in weights.items()
            if value.is_floating_point() and not name.startswith(f"{NAMED}pooler.")
        }
        for layer in range(self._n_layers):  # one product instead of three
            place = f"encoder.layer.{layer}.attention.self"
            for part in ("weight", "bias"):
                found = [self._weights.pop(f"{place}.{stem}.{part}") for stem in _STEMS]
                self._weights[f"{place}.{part}"] = torch.cat(found)
        self._folder = folder
        self._tokenizer: Tokenizer | None = None
        self._lock = Lock()

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Split texts into word pieces, cut, with those that mark the beginning and the end."""
        from tokenizers import Tokenizer

        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                self._tokenizer.no_padding()
                self._tokenizer.enable_truncation(self.max_seq_length)
        # sentence-transformers strips texts, too.
        found = self._tokenizer.encode_batch_fast([text.strip() for text in texts])
        return [one.ids for one in found]

    def embed(self, tokens: Sequence[Sequence[int]]) -> FloatArray:
        """Compute the vectors of texts by their word pieces.

        Parameters
        ----------
        tokens : sequence of sequence of int
            As `tokens` returns them.

        Returns
        -------
        ndarray of shape (n_texts, embedding_dim)
            float32.
        """
        import torch

        lengths = np.asarray([len(ids) for ids in tokens])
        counts = np.arange(lengths.max()) < lengths[:, None]
        filled = np.full(counts.shape, self._filling, dtype=np.int64)
        filled[counts] = np.concatenate([np.asarray(ids, dtype=np.int64) for ids in tokens])
        with torch.inference_mode():
            mask = torch.from_numpy(counts).to(self.device)
            states = self._states(
                torch.from_numpy(filled).to(self.device), None if counts.all() else mask
            ).float()
            sums = (states * mask[:, :, None]).sum(dim=1)
            means = sums / mask.sum(dim=1)[:, None]
            return np.asarray(torch.nn.functional.normalize(means).cpu().numpy())

    def _states(self, ids: "Tensor", mask: "Tensor | None") -> "Tensor":
        """Compute the last layer; shape (n_texts, n_tokens, hidden_dim)."""
        place = "embeddings"
        states = self._weights[f"{place}.word_embeddings.weight"][ids]
        states = states + self._weights[f"{place}.token_type_embeddings.weight"][0]
        states = states + self._weights[f"{place}.position_embeddings.weight"][: ids.shape[1]]
        states = self._normed(f"{place}.LayerNorm", states)
        for layer in range(self._n_layers):
            states = self._layer(f"encoder.layer.{layer}", states, mask)
        return states

    def _layer(self, place: str, states: "Tensor", mask: "Tensor | None") -> "Tensor":
        from torch.nn.functional import gelu

        attended = self._linear(
            f"{place}.attention.output.dense", self._attention(place, states, mask)
        )
        states = self._normed(f"{place}.attention.output.LayerNorm", attended + states)
        wide = gelu(self._linear(f"{place}.intermediate.dense", states))
        narrow = self._linear(f"{place}.output.dense", wide)
        return self._normed(f"{place}.output.LayerNorm", narrow + states)

    def _attention(self, place: str, states: "Tensor", mask: "Tensor | None") -> "Tensor":
        from torch.nn.functional import scaled_dot_product_attention

        n_texts, n_tokens, dim = states.shape
        parts = self._linear(f"{place}.attention.self", states)
        parts = parts.view(n_texts, n_tokens, 3, self._n_heads, dim // self._n_heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        counts = None if mask is None else mask[:, None, None, :]
        if self.rounded:
            found = rounded_attention(query, key, value, counts)
        else:
            found = scaled_dot_product_attention(query, key, value, attn_mask=counts)
        return found.transpose(1, 2).reshape(n_texts, n_tokens, dim)

    def _linear(self, place: str, states: "Tensor") -> "Tensor":
        from torch.nn.functional import linear

        return linear(states, self._weights[f"{place}.weight"], self._weights[f"{place}.bias"])

    def _normed(self, place: str, states: "Tensor") -> "Tensor":
        from torch.nn.functional import layer_norm

        weight, bias = self._weights[f"{place}.weight"], self._weights[f"{place}.bias"]
        return layer_norm(states, weight.shape, weight, bias, self._epsilon)
