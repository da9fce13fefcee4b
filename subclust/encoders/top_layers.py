"""The last layers of a sentence encoder, made trainable over the frozen lower ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from subclust.encoders.sentence import SentenceEncoder
from subclust.exceptions import EncoderError

_CHUNKS = 4


class TrainableTopLayers(nn.Module):
    """A sentence encoder of which only the last transformer layers learn.

    The lower layers build no graph and, where the device computes it, run in bfloat16, so a step
    costs little more than encoding.

    Parameters
    ----------
    encoder : SentenceEncoder
        Its weights are read afresh; the encoder itself is not changed.
    n_layers : int
        Of the transformer's last layers, at least 1.

    Raises
    ------
    EncoderError
        If the encoder has fewer layers.
    """

    def __init__(self, encoder: SentenceEncoder, n_layers: int) -> None:
        super().__init__()
        self.model = encoder.fresh_model()
        self.device = encoder.device
        layers = max(
            (module for module in self.model.modules() if isinstance(module, nn.ModuleList)),
            key=len,
            default=nn.ModuleList(),
        )
        if not 1 <= n_layers <= len(layers):
            raise EncoderError(
                f"{n_layers} layers of the encoder {encoder.name} were to be trained, "
                f"but it has {len(layers)}."
            )
        self.low_precision = encoder.precision == "bfloat16"
        for parameter in self.model.parameters():
            parameter.requires_grad_(False)
            if self.low_precision:
                parameter.data = parameter.data.to(torch.bfloat16)
        for layer in layers[-n_layers:]:
            for parameter in layer.parameters():
                parameter.data = parameter.data.float()
                parameter.requires_grad_(True)

    def train(self, mode: bool = True) -> "TrainableTopLayers":
        """Leave dropout off: the small networks here learn better without."""
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
        ids = self.model.tokenizer(
            list(texts), truncation=True, max_length=self.model.max_seq_length, padding=False
        )["input_ids"]
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        size = max(16, -(-len(ids) // _CHUNKS))
        parts = []
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            batch = self.model.tokenizer.pad({"input_ids": [ids[row] for row in rows]})
            features = {
                name: torch.as_tensor(np.asarray(batch[name]), device=self.device)
                for name in ("input_ids", "attention_mask")
            }
            with torch.autocast(self.device, torch.bfloat16, enabled=self.low_precision):
                parts.append(self.model(features)["sentence_embedding"].float())
        back = torch.as_tensor(np.argsort(order), device=self.device)
        return nn.functional.normalize(torch.cat(parts)[back], dim=-1)

    def tuned_layers(self) -> dict[str, npt.NDArray[Any]]:
        """Give the trained weights in half precision, as `SentenceEncoder` takes them."""
        return {
            name: parameter.detach().cpu().to(torch.float16).numpy()
            for name, parameter in self.model.named_parameters()
            if parameter.requires_grad
        }
