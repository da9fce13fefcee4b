"""``python -m benchmarks blend``."""

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.distilling.checkpoint import METHOD
from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.checkpoint import ENCODER_PREFIX, HEAD_PREFIX
from subclust.checkpoints.rounding import rounded
from subclust.cli.printing import tell
from subclust.core.exceptions import BenchmarkError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP


def add_blend(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``blend``."""
    parser.add_argument("name", help="of the new checkpoint")
    parser.add_argument("one", help=f"checkpoint of {METHOD}, of whose layers a share is taken")
    parser.add_argument("other", help="the one whose layers are the rest, and whose network stays")
    parser.add_argument("--share", type=float, default=0.4, help="of the first (default .4)")


def run_blend(arguments: argparse.Namespace, settings: Settings) -> None:
    """Save a checkpoint whose layers lie between those of two others.

    Raises
    ------
    SubclustError
        If one of them cannot be had, or they do not fit each other.
    """
    store = CheckpointStore.of(settings)
    one, other = (store.load(METHOD, name) for name in (arguments.one, arguments.other))
    encoder = SentenceEncoder(
        str(other.card["encoder"]),
        max_seq_length=settings.max_seq_length,
        offline=settings.offline,
        unpacked=settings.encoders_dir,
    )
    weights = encoder.fresh_model().named_parameters()
    plain = {name: weight.detach().cpu().numpy() for name, weight in weights}
    made = blended(arguments.name, one, other, plain, arguments.share)
    store.save(made, replace=True)
    tell(Message("Saved {folder}.", folder=store.place(METHOD, made.name)))


Layers = Mapping[str, npt.NDArray[Any]]


def layers_between(one: Layers, other: Layers, plain: Layers, share: float) -> dict[str, Any]:
    """Return the layers between two tunings of an encoder, in 8 bits a weight.

    Tunings that began with the same weights may be averaged, and the middle is often better than
    both (Wortsman et al., Model soups, ICML 2022, section 3).

    Parameters
    ----------
    one, other : mapping of str to ndarray
        As `Checkpoint.encoder_layers` gives them, whole weights only.
    plain : mapping of str to ndarray
        The weights of the encoder that both began with, by the same names; they stand for those
        that only one of the two has tuned.
    share : float
        Of the first, 0 to 1.

    Returns
    -------
    dict of str to ndarray
        In half precision.
    """
    result = {}
    for name in sorted(one.keys() | other.keys()):
        first, second = (np.asarray(x.get(name, plain[name]), np.float32) for x in (one, other))
        middle = share * first + (1 - share) * second
        result[name] = rounded(middle) if middle.ndim == 2 else middle.astype(np.float16)
    return result


def blended(
    name: str, one: Checkpoint, other: Checkpoint, plain: Layers, share: float
) -> Checkpoint:
    """Return a checkpoint with the layers between two, and network, gate and words of the second.

    Its threshold and the weight of its words are still those of the second: stages that choose
    them by validation follow.

    Parameters
    ----------
    one, other : Checkpoint
        Of one method, tuned over the same encoder.
    plain, share
        As for `layers_between`.

    Raises
    ------
    BenchmarkError
        If their encoders differ, one of them has adapters in place of layers, or the share is not
        one.
    """
    if not 0 <= share <= 1:
        raise BenchmarkError("The share must be from 0 to 1, but is {share:g}.", share=share)
    revisions = [x.config.get("encoder_revision") for x in (one, other)]
    if one.method != other.method or revisions[0] != revisions[1]:
        raise BenchmarkError(
            "{one} and {other} are not of one method over one encoder; blend two that are.",
            one=f"{one.method}/{one.name}",
            other=f"{other.method}/{other.name}",
        )
    for checkpoint in (one, other):
        if any(layer.endswith((LORA_DOWN, LORA_UP)) for layer in checkpoint.encoder_layers):
            raise BenchmarkError(
                "{name} has adapters, which cannot be blended; take one with whole layers.",
                name=f"{checkpoint.method}/{checkpoint.name}",
            )
    layers = layers_between(one.encoder_layers, other.encoder_layers, plain, share)
    data = {str(x["name"]): x for c in (one, other) for x in c.card.get("training_data", [])}
    stages = [*other.card.get("stages", []), other.card["training"], one.card["training"]]
    card = {key: value for key, value in other.card.items() if key not in ("history", "scores")}
    return Checkpoint(
        other.method,
        name,
        {key: value for key, value in other.config.items() if key != "base"},
        {f"{HEAD_PREFIX}{key}": value for key, value in other.head_weights.items()}
        | {f"{ENCODER_PREFIX}{key}": value for key, value in layers.items()},
        {
            **card,
            "training_data": list(data.values()),
            "stages": stages,
            "training": {"kind": "blended", "of": f"{one.name}, {other.name}", "share": share},
        },
    )
