"""The last layers of a sentence encoder, made trainable over the frozen lower ones."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor

from subclust.core.exceptions import EncoderError
from subclust.text.encoders.layer_split import LayerSplit, transformer_layers
from subclust.text.encoders.lower_states import LowerStates
from subclust.text.encoders.sentence import SentenceEncoder
from subclust.text.encoders.trainable import TrainableEncoder


class TrainableTopLayers(TrainableEncoder):
    """A sentence encoder of which only the last transformer layers learn.

    The lower layers build no graph and, where the device computes it, run in bfloat16, so a step
    costs little more than encoding. What they make of a text never changes: with `states` it is
    computed once and kept, and a step runs the last layers only.

    Parameters
    ----------
    encoder : SentenceEncoder
        Its weights are read afresh; the encoder itself is not changed.
    n_layers : int
        Of the transformer's last layers, at least 1.
    embeddings : bool
        Whether the word embeddings learn too; only with all layers.
    states : Path, optional
        Folder for the hidden states of the lower layers. A text goes through these alone, so that
        its states are the same whatever batch it was first met in.

    Raises
    ------
    EncoderError
        If the encoder has fewer layers, or its layers cannot be cut in two.
    """

    def __init__(
        self,
        encoder: SentenceEncoder,
        n_layers: int,
        *,
        embeddings: bool = False,
        states: Path | None = None,
    ) -> None:
        super().__init__(encoder)
        layers = transformer_layers(self.model)
        if not 1 <= n_layers <= len(layers):
            raise EncoderError(
                "{n_layers} layers of the encoder {encoder} were to be trained, but it has "
                "{count}.",
                n_layers=n_layers,
                encoder=encoder.name,
                count=len(layers),
            )
        if embeddings and n_layers < len(layers):
            raise EncoderError(
                "The word embeddings of the encoder {encoder} learn only with all its {count} "
                "layers; set tuned_layers to {count}, or tuned_embeddings to false.",
                encoder=encoder.name,
                count=len(layers),
            )
        for part in [self.model] if embeddings else layers[-n_layers:]:
            for parameter in part.parameters():
                parameter.data = parameter.data.float()
                parameter.requires_grad_(True)
        self.states: LowerStates | None = None
        if states is not None:
            n_lower = len(layers) - n_layers
            probe = self._padded(super()._rows(["one", "two of different lengths"]))
            with self._autocast():
                self._split = LayerSplit(self.model, n_lower, encoder.name, probe)
            stem = f"{encoder.revision}-lower-{n_lower}-{encoder.precision}"
            self.states = LowerStates(
                states / re.sub(r"[^A-Za-z0-9._-]+", "-", stem),
                self._split.hidden_dim,
                torch.bfloat16 if self.low_precision else torch.float32,
            )

    def _rows(self, texts: Sequence[str]) -> Sequence[Any]:
        if self.states is None:
            return super()._rows(texts)
        found = self.states.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            ids = super()._rows(missing)
            with torch.no_grad():
                new = {
                    text: self._split.lower(self._padded([row]))[0].to(self.states.dtype)
                    for text, row in zip(missing, ids, strict=True)
                }
            self.states.add(new)
            found |= new
        return [found[text] for text in texts]

    def _embed(self, rows: Sequence[Any]) -> Tensor:
        if self.states is None:
            return super()._embed(rows)
        shape = (len(rows), max(len(row) for row in rows))
        states = torch.zeros((*shape, self._split.hidden_dim), dtype=self.states.dtype)
        mask = torch.zeros(shape, dtype=torch.int64)
        for number, row in enumerate(rows):
            states[number, : len(row)] = row
            mask[number, : len(row)] = 1
        return self._split.upper(states.to(self.device), mask.to(self.device))

    def tuned_layers(self) -> dict[str, npt.NDArray[Any]]:
        """Return the trained weights in half precision, as `SentenceEncoder` takes them."""
        return {
            name: parameter.detach().cpu().to(torch.float16).numpy()
            for name, parameter in self.model.named_parameters()
            if parameter.requires_grad
        }
