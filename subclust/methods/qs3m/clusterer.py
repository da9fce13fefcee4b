"""A trained similarity of the QS3M room at work: pair scores, then average link."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.clustering.agglomerative import AgglomerativeSubtopics
from subclust.clustering.base import SubtopicClusterer
from subclust.clustering.threshold_count import ThresholdCount
from subclust.encoders import Encoder
from subclust.exceptions import CheckpointError
from subclust.methods.qs3m.centred import CentredSiamese
from subclust.methods.qs3m.gated import GatedSubtopics
from subclust.methods.qs3m.models import QuerySpecificScaler, QuerySpecificSiamese
from subclust.methods.qs3m.sentence_attention import SentenceAttentiveSiamese
from subclust.methods.qs3m.similarity import QuerySpecificSimilarity, SentenceSimilarity

MODELS: dict[str, type[nn.Module]] = {
    "qss": QuerySpecificScaler,
    "qs3m": QuerySpecificSiamese,
    "attn-qs3m": SentenceAttentiveSiamese,
    "centred-qs3m": CentredSiamese,
}
"""The network of each method; its forward takes query and passages and scores all pairs.

That of ``attn-qs3m`` takes the sentences of the passages, and where there is one, instead.
"""

HEAD_PREFIX = "head."
"""Of the names of a checkpoint's tensors that belong to the network."""


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    """
    try:
        return MODELS[name](**config["model"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            f"The [model] values of {name} cannot be used ({error}); "
            "see its recipe for what is allowed."
        ) from error


def load_weights(model: nn.Module, checkpoint: Checkpoint, *, partly: bool = False) -> None:
    """Put a checkpoint's weights into a network.

    Parameters
    ----------
    model : nn.Module
    checkpoint : Checkpoint
    partly : bool
        Whether parts of the network that the checkpoint does not have keep their weights.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    weights = {
        key.removeprefix(HEAD_PREFIX): torch.from_numpy(np.asarray(value, dtype=np.float32))
        for key, value in checkpoint.tensors.items()
        if key.startswith(HEAD_PREFIX)
    }
    try:
        model.load_state_dict({**(model.state_dict() if partly else {}), **weights})
    except RuntimeError as error:
        raise CheckpointError(
            f"The weights of the checkpoint {checkpoint.method}/{checkpoint.name} do not fit its "
            "configuration; restore its folder from a copy, or train it again."
        ) from error


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method.

    Parameters
    ----------
    name : str
    checkpoint : Checkpoint or None
    encoder : Encoder
        The one that the checkpoint was trained over; only ``attn-qs3m`` asks it again.

    Raises
    ------
    CheckpointError
        If there is no checkpoint, or its weights and configuration do not fit each other.
    """
    if checkpoint is None:
        raise CheckpointError(f"The method {name} needs a trained checkpoint.")
    model = build(name, checkpoint.config)
    load_weights(model, checkpoint)
    threshold = checkpoint.config.get("threshold")
    count = None if threshold is None else ThresholdCount(float(threshold))
    if isinstance(model, SentenceAttentiveSiamese):
        return AgglomerativeSubtopics(SentenceSimilarity(model, encoder), count=count)
    similarity = QuerySpecificSimilarity(model)
    if isinstance(model, CentredSiamese) and model.gate is not None:
        return GatedSubtopics(similarity, count=count)
    return AgglomerativeSubtopics(similarity, count=count)
