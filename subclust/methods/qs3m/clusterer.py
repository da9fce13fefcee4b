"""A trained similarity of the QS3M room at work: pair scores, then average link."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from torch import nn

from subclust.checkpoints import Checkpoint, required
from subclust.checkpoints.network import build_network, load_weights
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics, GatedSubtopics
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.dividing import DividingSimilarity
from subclust.grouping.similarity.division import load_gate
from subclust.grouping.similarity.listed_things import load_listed
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.grouping.similarity.question_metric import Encode, load_metric
from subclust.methods.qs3m.models import QuerySpecificScaler, QuerySpecificSiamese
from subclust.methods.qs3m.sentence_attention import SentenceAttentiveSiamese, SentenceSimilarity
from subclust.text.encoders import Encoder, base_of

MODELS: dict[str, type[nn.Module]] = {
    "qss": QuerySpecificScaler,
    "qs3m": QuerySpecificSiamese,
    "attn-qs3m": SentenceAttentiveSiamese,
    "centred-qs3m": CentredSiamese,
}
"""The network of each method; its forward takes query and passages and scores all pairs.

That of ``attn-qs3m`` takes the sentences of the passages, and where there is one, instead.
"""


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration; see `build_network`."""
    return build_network(name, MODELS[name], config)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method; only ``attn-qs3m`` asks the encoder again."""
    checkpoint = required(name, checkpoint)
    model = build(name, checkpoint.config)
    load_weights(model, checkpoint)
    count = ThresholdCount.of(checkpoint.config)
    if isinstance(model, SentenceAttentiveSiamese):
        return AgglomerativeSubtopics(SentenceSimilarity(model, encoder), count=count)
    if isinstance(model, CentredSiamese) and model.gate is not None:
        return GatedSubtopics(_similarity(model, checkpoint, encoder), count=count)
    return AgglomerativeSubtopics(NetworkSimilarity(model), count=count)


def _similarity(
    model: CentredSiamese, checkpoint: Checkpoint, encoder: Encoder
) -> NetworkSimilarity:
    """Let the question decide where the base encoder's vectors stand beside the others."""
    config = checkpoint.config
    division = load_gate(str(config.get("encoder_revision"))) if config.get("with_base") else None
    if division is None or config.get("threshold") is None:
        return NetworkSimilarity(model)
    return DividingSimilarity(
        model,
        division,
        float(config["threshold"]),
        load_metric(str(config["encoder_revision"])),
        encode_things(encoder),
        load_listed(str(config["encoder_revision"])),
    )


def encode_things(encoder: Encoder) -> Encode:
    """Return what encodes the things that a question names, by the base encoder.

    Parameters
    ----------
    encoder : Encoder
        Of the method; the base encoder is the last one of several side by side.
    """
    base = base_of(encoder)
    return lambda things: np.stack([base.encode_asked(thing) for thing in things])
