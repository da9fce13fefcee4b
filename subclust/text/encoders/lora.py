"""Low-rank adapters in a frozen sentence encoder (LoRA, Hu et al., ICLR 2022), through peft."""

from collections.abc import Sequence
from typing import Any, Self

import numpy.typing as npt
import torch
from peft import LoraConfig, inject_adapter_in_model
from peft.tuners.lora import Linear as AdaptedLinear
from torch import nn

from subclust.core.exceptions import EncoderError
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP, SentenceEncoder
from subclust.text.encoders.top_layers import transformer_layers
from subclust.text.encoders.trainable import TrainableEncoder

_ADAPTER = "default"


class LoraEncoder(TrainableEncoder):
    """A sentence encoder whose weights are frozen, each with a trainable product of two thin ones.

    A weight W acts as W + alpha / rank * B A, with A of shape (rank, n_in) random and B of shape
    (n_out, rank) zero at the start (Hu et al., section 4.1), so that it starts as the encoder is.

    Parameters
    ----------
    encoder : SentenceEncoder
        Its weights are read afresh; the encoder itself is not changed.
    rank : int
        At least 1.
    alpha : float, optional
        Above 0; by default twice the rank.
    dropout : float
        Of what goes into A, in training; 0 to below 1.
    targets : sequence of str
        Last parts of the names of the linear maps that are adapted, such as ``"query"``; by
        default all of the transformer's layers.

    Raises
    ------
    EncoderError
        If a number is out of its range, or the encoder has no such maps.
    """

    def __init__(
        self,
        encoder: SentenceEncoder,
        rank: int,
        *,
        alpha: float | None = None,
        dropout: float = 0.0,
        targets: Sequence[str] = (),
    ) -> None:
        super().__init__(encoder)
        alpha = 2.0 * rank if alpha is None else alpha
        if rank < 1 or alpha <= 0 or not 0 <= dropout < 1:
            raise EncoderError(
                "Adapters need a lora_rank of at least 1, a lora_alpha above 0 and a lora_dropout "
                "from 0 to below 1, but have {rank}, {alpha:g} and {dropout:g}.",
                rank=rank,
                alpha=alpha,
                dropout=dropout,
            )
        layers = set(transformer_layers(self.model).modules())
        names = [
            name
            for name, module in self.model.named_modules()
            if isinstance(module, nn.Linear)
            and module in layers
            and (not targets or name.rpartition(".")[2] in targets)
        ]
        if not names:
            raise EncoderError(
                "The encoder {encoder} has no linear maps named {targets} to adapt; set lora_rank "
                "to 0."
                if targets
                else "The encoder {encoder} has no linear maps in layers to adapt; set lora_rank "
                "to 0.",
                encoder=encoder.name,
                targets=" or ".join(targets),
            )
        # peft takes whole numbers only; the scale that was asked for is set below.
        config = LoraConfig(r=rank, lora_alpha=rank, lora_dropout=dropout, target_modules=names)
        inject_adapter_in_model(config, self.model, adapter_name=_ADAPTER)
        self._adapted: dict[str, AdaptedLinear] = {
            name: module
            for name, module in self.model.named_modules()
            if isinstance(module, AdaptedLinear)
        }
        for module in self._adapted.values():
            module.scaling[_ADAPTER] = alpha / rank
            for weight in _factors(module):
                weight.data = weight.data.float()
                weight.requires_grad_(True)

    def train(self, mode: bool = True) -> Self:
        """Leave the encoder's own dropout off, but not that of the adapters."""
        super().train(mode)
        for module in getattr(self, "_adapted", {}).values():
            module.get_submodule("lora_dropout").train(mode)
        return self

    def tuned_layers(self) -> dict[str, npt.NDArray[Any]]:
        """Return both factors of each adapter in half precision, the scale in the second."""
        result = {}
        for name, module in self._adapted.items():
            scale = module.scaling[_ADAPTER]
            down, up = _factors(module)
            for ending, factor in ((LORA_DOWN, down), (LORA_UP, scale * up)):
                result[name + ending] = factor.detach().cpu().to(torch.float16).numpy()
        return result


def _factors(module: AdaptedLinear) -> tuple[nn.Parameter, nn.Parameter]:
    """Return A and B of an adapted map."""
    down = module.get_parameter(f"lora_A.{_ADAPTER}.weight")
    return down, module.get_parameter(f"lora_B.{_ADAPTER}.weight")
