"""The networks of this room, made from a checkpoint's configuration."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import build_network, load_weights, network_tensors
from subclust.checkpoints.store import HEAD_PREFIX
from subclust.core.exceptions import CheckpointError, EncoderError
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.methods.cactus.kept_states import KeptStates
from subclust.methods.cactus.loading import load_set_encoder
from subclust.methods.cactus.objective import SetObjective
from subclust.methods.cactus.set_encoder import SetEncoder
from subclust.methods.cactus.token_set import TokenSet
from subclust.methods.cactus.variants import VARIANTS
from subclust.methods.cactus.vector_set import VectorSet
from subclust.methods.cactus.word_embeddings import WordEmbeddings
from subclust.text.encoders import Encoder

TOKENS = "tokens"
"""What ``model.reads`` says in the configuration of a network over word pieces."""

Network = VectorSet | TokenSet


def reads_tokens(config: Mapping[str, Any]) -> bool:
    """Return whether a checkpoint's network reads word pieces, and not the encoder's vectors."""
    return bool(dict(config.get("model", {})).get("reads") == TOKENS)


def layers_of(method: str, objective: SetObjective) -> dict[str, Any]:
    """Return what a configuration says of the layers that learn; empty over vectors.

    Parameters
    ----------
    method : str
    objective : SetObjective
    """
    learns = objective.tuned_embeddings if VARIANTS[method].words_only else objective.tuned_layers
    if not learns:
        return {}
    return {
        "reads": TOKENS,
        "tuned_layers": objective.tuned_layers,
        "tuned_embeddings": objective.tuned_embeddings,
        "context_layers": objective.context_layers,
    }


def open_network(
    method: str, config: Mapping[str, Any], encoder: Encoder, *, cached_states: bool = False
) -> Network:
    """Build a method's network, over the encoder where it reads word pieces.

    Parameters
    ----------
    method : str
    config : mapping
        Of a checkpoint.
    encoder : Encoder
    cached_states : bool
        Whether the hidden states of the layers that do not learn are kept on disk.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    EncoderError
        If the encoder does not.
    """
    if not reads_tokens(config):
        return build_vectors(method, config)
    variant, model = VARIANTS[method], config["model"]
    if variant.words_only:
        words = WordEmbeddings(encoder, variant.context)
        return TokenSet(words, uses_query=variant.uses_query)
    whole = bool(model.get("tuned_embeddings"))
    set_encoder = load_set_encoder(
        encoder,
        context=variant.context,
        tuned_layers="all" if whole else int(model["tuned_layers"]),
        context_layers=int(model.get("context_layers", 0)) or None,
    )
    if whole and model["tuned_layers"] != set_encoder.n_layers:
        raise EncoderError(
            "The word embeddings of the encoder {encoder} learn only with all its {n_layers} "
            "layers; set tuned_layers to {n_layers}, or tuned_embeddings to false.",
            encoder=encoder.name,
            n_layers=set_encoder.n_layers,
        )
    kept = KeptStates(encoder, set_encoder) if cached_states else None
    return TokenSet(set_encoder, uses_query=variant.uses_query, kept=kept)


def build_vectors(method: str, config: Mapping[str, Any]) -> VectorSet:
    """Build a method's network over vectors.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    """
    variant = VARIANTS[method]
    kind: Any = partial(VectorSet, sees=variant.sees, uses_query=variant.uses_query)
    network = build_network(method, kind, config)
    assert isinstance(network, VectorSet)
    return network


def over(base: Checkpoint) -> dict[str, Any] | None:
    """Return what a network over vectors can stand over: the centred network of another room.

    Returns
    -------
    dict of str to object, or None
        Constructor arguments of its `CentredSiamese`, without the gate; None where the checkpoint
        has another network.
    """
    model = {k: v for k, v in base.config.get("model", {}).items() if k != "gate"}
    try:
        before = CentredSiamese(**model)
    except TypeError:
        return None
    return model if before.state_dict().keys() <= base.head_weights.keys() else None


def start_over(network: Network, base: Checkpoint) -> None:
    """Put the weights of the checkpoint that a network stands over into it.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    assert isinstance(network, VectorSet)
    weights = {
        name: torch.from_numpy(np.asarray(values, dtype=np.float32))
        for name, values in base.head_weights.items()
    }
    try:
        network.start_over(weights)
    except RuntimeError as error:
        raise CheckpointError(
            "The weights of the checkpoint {method}/{base} do not fit its configuration; restore "
            "its folder from a copy, or train it again.",
            method=base.method,
            base=base.name,
        ) from error


def load_network(network: Network, checkpoint: Checkpoint) -> None:
    """Put a checkpoint's weights into a network.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    if isinstance(network, VectorSet):
        load_weights(network, checkpoint)
        return
    try:
        network.load(checkpoint.head_weights)
    except EncoderError as error:
        raise CheckpointError(
            "The weights of the checkpoint {method}/{checkpoint} do not fit its configuration "
            "({error}) Restore its folder from a copy, or train it again.",
            method=checkpoint.method,
            checkpoint=checkpoint.name,
            error=error,
        ) from error


def tensors_of(
    network: nn.Module, layers: Mapping[str, Any] | None = None
) -> dict[str, np.ndarray[Any, Any]]:
    """Return a network's weights, as a checkpoint takes them.

    Parameters
    ----------
    network : nn.Module
    layers : mapping of str to ndarray, optional
        Of the encoder below a network over vectors, as `Checkpoint.encoder_layers` gives them.
    """
    if isinstance(network, TokenSet):
        return {f"{HEAD_PREFIX}{name}": values for name, values in network.tensors().items()}
    return network_tensors(network, layers)


def has_layers(network: Network) -> bool:
    """Return whether a network runs a transformer."""
    return isinstance(network, TokenSet) and isinstance(network.set_encoder, SetEncoder)
