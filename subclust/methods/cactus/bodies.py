"""Which families of transformers the set encoders are made for."""

from collections.abc import Callable
from typing import Any

from torch import nn

from subclust.core.exceptions import EncoderError
from subclust.methods.cactus.bert import BertBody, MPNetBody
from subclust.methods.cactus.body import Body
from subclust.methods.cactus.t5 import T5Body

FAMILIES: dict[str, Callable[[nn.Module], Body]] = {
    "bert": BertBody,
    "roberta": BertBody,
    "xlm-roberta": BertBody,
    "mpnet": MPNetBody,
    "t5": T5Body,
}
"""By the ``model_type`` that a model's configuration names."""


def find_body(model: nn.Module, name: str) -> Body:
    """Open a model of transformers at its attention.

    Parameters
    ----------
    model : nn.Module
    name : str
        Of the encoder, for the error.

    Raises
    ------
    EncoderError
        If its family is not among `FAMILIES`.
    """
    config: Any = getattr(model, "config", None)
    family = getattr(config, "model_type", type(model).__name__)
    if family not in FAMILIES:
        raise EncoderError(
            "The encoder {name} is of the family {family}, whose attention cannot be opened to "
            "other entities; choose one of the families {names}.",
            name=name,
            family=family,
            names=", ".join(FAMILIES),
        )
    return FAMILIES[family](model)
