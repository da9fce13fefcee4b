"""Networks and the checkpoints that hold their weights."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from subclust.checkpoints.checkpoint import ENCODER_PREFIX, HEAD_PREFIX, Checkpoint, Tensors, unfit
from subclust.core.exceptions import CheckpointError


def build_network(name: str, kind: type[nn.Module], config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration.

    Parameters
    ----------
    name : str
        Of the method.
    config : mapping
        Whose ``"model"`` holds the constructor arguments.

    Returns
    -------
    nn.Module
        With ``embedding_dim``, None where it reads no vectors.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    """
    try:
        network = kind(**config["model"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            "The [model] values of {name} cannot be used ({error}); see its recipe for what is "
            "allowed.",
            name=name,
            error=error,
        ) from error
    network.embedding_dim = config["model"].get("embedding_dim")
    return network


def load_weights(model: nn.Module, checkpoint: Checkpoint, *, partly: bool = False) -> None:
    """Put a checkpoint's weights into a network.

    Parameters
    ----------
    partly : bool
        Whether parts of the network that the checkpoint does not have keep their weights.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    weights = head_tensors(checkpoint)
    try:
        model.load_state_dict({**(model.state_dict() if partly else {}), **weights})
    except RuntimeError as error:
        raise unfit(checkpoint) from error


def head_tensors(checkpoint: Checkpoint) -> dict[str, torch.Tensor]:
    """Return the weights of a method's own network, in single precision."""
    return {
        name: torch.from_numpy(np.asarray(values, dtype=np.float32))
        for name, values in checkpoint.head_weights.items()
    }


def network_tensors(network: nn.Module, layers: Mapping[str, Any] | None = None) -> Tensors:
    """Collect the weights of a network, and of a tuning of the encoder, for a checkpoint.

    Parameters
    ----------
    layers : mapping of str to ndarray, optional
        As `Checkpoint.encoder_layers` gives them.

    Returns
    -------
    dict of str to ndarray
        In half precision, which is closer to the weights than any two runs are to each other.
    """
    tensors: Tensors = {
        f"{HEAD_PREFIX}{key}": value.detach().cpu().numpy()
        for key, value in network.state_dict().items()
    }
    tensors |= {f"{ENCODER_PREFIX}{name}": values for name, values in (layers or {}).items()}
    return {key: values.astype(np.float16) for key, values in tensors.items()}
