"""A trained network of the COB room at work: pair scores, then average link."""

from collections.abc import Mapping
from typing import Any

from torch import nn

from subclust.checkpoints import Checkpoint, required
from subclust.checkpoints.network import build_network, load_weights
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics, GatedSubtopics
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.methods.cob.models import EmbeddingSpace
from subclust.text.encoders import Encoder

MODELS: dict[str, type[nn.Module]] = {
    "cob": EmbeddingSpace,
    "cob-query": CentredSiamese,
    "sbert-triplet": EmbeddingSpace,
}
"""The network of each method."""


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration; see `build_network`."""
    return build_network(name, MODELS[name], config)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method; a `subclust.methods.Loader`."""
    checkpoint = required(name, checkpoint)
    model = build(name, checkpoint.config)
    load_weights(model, checkpoint)
    count = ThresholdCount.of(checkpoint.config)
    gated = isinstance(model, CentredSiamese) and model.gate is not None
    kind = GatedSubtopics if gated else AgglomerativeSubtopics
    return kind(NetworkSimilarity(model), count=count)
