"""The one place that decides how an encoder is tuned, for every method that tunes one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import EncoderError
from subclust.text.encoders.base import Encoder
from subclust.text.encoders.cache import CachedEncoder
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP, SentenceEncoder
from subclust.text.encoders.trainable import TrainableEncoder
from subclust.text.encoders.wrapping import StackedEncoder

STATES_FOLDER = "lower-states"
"""Of the frozen layers' hidden states, beside the embeddings."""


def tunable(
    encoder: Encoder,
    *,
    layers: int = 0,
    embeddings: bool = False,
    cached_states: bool = False,
    lora_rank: int = 0,
    lora_alpha: float = 0.0,
    lora_dropout: float = 0.0,
) -> TrainableEncoder | None:
    """Make a copy of an encoder that learns, in the way that is asked for.

    Parameters
    ----------
    encoder : Encoder
        A `SentenceEncoder`, or the cache of one; of several side by side the first is meant.
    layers : int
        Last layers that learn; 0 for none.
    embeddings : bool
        Whether the word embeddings below them learn too, where `layers` are all there are.
    cached_states : bool
        Whether the hidden states below them are kept on disk, beside the embeddings.
    lora_rank : int
        Rank of low-rank adapters in all layers, instead of `layers`; 0 for none.
    lora_alpha : float
        Their scale is this over the rank; 0 for twice the rank.
    lora_dropout : float
        Before the adapters, in training.

    Returns
    -------
    TrainableEncoder or None
        None where nothing is to be tuned.

    Raises
    ------
    EncoderError
        If two ways are asked for at once, or the encoder does not allow this one.
    """
    if layers and lora_rank:
        raise EncoderError(
            "tuned_layers is {layers} and lora_rank is {lora_rank}, but an encoder is tuned in "
            "one way at a time; set one of them to 0.",
            layers=layers,
            lora_rank=lora_rank,
        )
    if cached_states and not layers:
        raise EncoderError(
            "cached_states keeps the hidden states below tuned_layers, which is 0; "
            "set tuned_layers, or cached_states to false."
        )
    if embeddings and (cached_states or not layers):
        raise EncoderError(
            "tuned_embeddings trains the whole encoder; set tuned_layers to the number of its "
            "layers and cached_states to false."
        )
    if not layers and not lora_rank:
        return None
    if isinstance(encoder, StackedEncoder):
        encoder = encoder.encoders[0]
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    if not isinstance(inner, SentenceEncoder):
        raise EncoderError(
            "The encoder {encoder} has no layers to tune; set {setting} to 0.",
            encoder=encoder.name,
            setting="tuned_layers" if layers else "lora_rank",
        )
    # Imported where it is needed: peft takes seconds.
    if lora_rank:
        from subclust.text.encoders.lora import LoraEncoder

        return LoraEncoder(inner, lora_rank, alpha=lora_alpha or None, dropout=lora_dropout)
    from subclust.text.encoders.top_layers import TrainableTopLayers

    if not cached_states:
        return TrainableTopLayers(inner, layers, embeddings=embeddings)
    if not isinstance(encoder, CachedEncoder):
        raise EncoderError(
            "The encoder {encoder} has no folder to keep hidden states in; set cached_states to "
            "false.",
            encoder=encoder.name,
        )
    return TrainableTopLayers(inner, layers, states=encoder.folder / STATES_FOLDER)


def stacked(
    before: Mapping[str, npt.NDArray[Any]], after: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Put a tuning on top of the one that it started from.

    Parameters
    ----------
    before, after : mapping of str to ndarray
        As `TrainableEncoder.tuned_layers` gives them; `after` was learnt over an encoder that had
        `before`.

    Returns
    -------
    dict of str to ndarray
        One tuning that gives what the two give one after the other. Whole weights replace what was
        there, adapters included; the ranks of two adapters of one weight add up.
    """
    replaced = {name.removesuffix(".weight") for name in after if name.endswith(".weight")}
    result = {
        name: values
        for name, values in before.items()
        if not (name.endswith((LORA_DOWN, LORA_UP)) and name.rpartition(".")[0] in replaced)
    }
    for name, values in after.items():
        if name in result and name.endswith(LORA_DOWN):
            values = np.concatenate([result[name], values], axis=0)
        elif name in result and name.endswith(LORA_UP):
            values = np.concatenate([result[name], values], axis=1)
        result[name] = values
    return result
