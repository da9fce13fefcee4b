"""A sentence encoder of which some weights learn: what all ways of tuning share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.text.encoders.sentence import SentenceEncoder

_CHUNKS = 4


class TrainableEncoder(nn.Module, ABC):
    """A copy of a sentence encoder with all weights frozen; a subclass lets some of them learn.

    What is frozen builds no graph where nothing below it learns and, where the device computes it,
    is kept in bfloat16.

    Parameters
    ----------
    encoder : SentenceEncoder
        Its weights are read afresh; the encoder itself is not changed.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        super().__init__()
        self.model = encoder.fresh_model()
        self.device = encoder.device
        self.low_precision = encoder.precision == "bfloat16"
        for parameter in self.model.parameters():
            parameter.requires_grad_(False)
            if self.low_precision:
                parameter.data = parameter.data.to(torch.bfloat16)
        if self.low_precision and self.device == "cpu":
            _attend_plainly(self.model)

    @abstractmethod
    def tuned_layers(self) -> dict[str, npt.NDArray[Any]]:
        """Return what was learnt, in half precision, as `SentenceEncoder` takes it."""

    def train(self, mode: bool = True) -> Self:
        """Leave the encoder's own dropout off: the small networks here learn better without."""
        super().train(False)
        self.training = mode
        return self

    def forward(self, texts: Sequence[str]) -> Tensor:
        """Encode texts.

        Returns
        -------
        Tensor of shape (n_texts, embedding_dim)
            float32, each row of length 1.
        """
        with self._autocast():
            rows = self._rows(texts)
        # Texts of similar length together, so that each chunk pads little.
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        size = max(16, -(-len(rows) // _CHUNKS))
        parts = []
        for start in range(0, len(order), size):
            with self._autocast():
                chunk = [rows[row] for row in order[start : start + size]]
                parts.append(self._embed(chunk).float())
        back = torch.as_tensor(np.argsort(order), device=self.device)
        return nn.functional.normalize(torch.cat(parts)[back], dim=-1)

    def _rows(self, texts: Sequence[str]) -> Sequence[Any]:
        """Return of each text what `_embed` takes, one entry a token: here its word pieces."""
        ids: list[list[int]] = self.model.tokenizer(
            list(texts), truncation=True, max_length=self.model.max_seq_length, padding=False
        )["input_ids"]
        return ids

    def _embed(self, rows: Sequence[Any]) -> Tensor:
        """Compute the embeddings of texts, shape (n_texts, embedding_dim), of any length."""
        vectors: Tensor = self.model(self._padded(rows))["sentence_embedding"]
        return vectors

    def _padded(self, ids: Sequence[Sequence[int]]) -> dict[str, Tensor]:
        batch = self.model.tokenizer.pad({"input_ids": list(ids)})
        return {
            name: torch.as_tensor(np.asarray(batch[name]), device=self.device)
            for name in ("input_ids", "attention_mask")
        }

    def _autocast(self) -> torch.autocast:
        return torch.autocast(self.device, torch.bfloat16, enabled=self.low_precision)


def _attend_plainly(model: nn.Module) -> None:
    """Have a model compute its attention step by step.

    In bfloat16 on the processor the fused attention is the slower one on its way back.
    """
    from transformers import PreTrainedModel

    for module in model.modules():
        if isinstance(module, PreTrainedModel):
            module.set_attn_implementation("eager")
