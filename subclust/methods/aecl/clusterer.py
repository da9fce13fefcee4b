"""A trained network of the AECL room at work."""

from collections.abc import Mapping
from typing import Any

from torch import nn

from subclust.checkpoints import Checkpoint, required
from subclust.checkpoints.network import build_network, load_weights
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.methods.aecl.models import AeclNetwork
from subclust.text.encoders import Encoder

MODELS: dict[str, type[nn.Module]] = {
    "aecl": AeclNetwork,
}
"""The network of each method."""


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration; see `build_network`."""
    return build_network(name, MODELS[name], config)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method; a `subclust.methods.Loader`."""
    checkpoint = required(name, checkpoint)
    network = build(name, checkpoint.config)
    load_weights(network, checkpoint)
    count = ThresholdCount.of(checkpoint.config)
    return LearntSpaceSubtopics(network, count=count)  # type: ignore[arg-type]
