"""A trained method of this room at work: cosines of a set, then average link."""

import re
from typing import Any

from subclust.checkpoints import Checkpoint, required
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.grouping.similarity.network import NetworkSimilarity
from subclust.methods.cactus.networks import (
    build_vectors,
    load_network,
    open_network,
    reads_tokens,
)
from subclust.methods.cactus.similarity import KeptSets, SetSimilarity
from subclust.methods.cactus.token_set import TokenSet
from subclust.methods.cactus.variants import VARIANTS
from subclust.text.encoders import CachedEncoder, Encoder

_SETS_FOLDER = "sets"
"""Of the vectors of whole sets, beside the embeddings."""


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method; the encoder is read where it reads word pieces."""
    trained = required(name, checkpoint)
    count = ThresholdCount.of(trained.config)
    if not reads_tokens(trained.config):
        network = build_vectors(name, trained.config)
        load_network(network, trained)
        return AgglomerativeSubtopics(NetworkSimilarity(network), count=count)

    def opened() -> TokenSet:
        made = open_network(name, trained.config, encoder)
        load_network(made, trained)
        assert isinstance(made, TokenSet)
        return made

    similarity = SetSimilarity(
        opened, uses_query=VARIANTS[name].uses_query, kept=_kept_sets(trained, encoder)
    )
    return AgglomerativeSubtopics(similarity, count=count)


def _kept_sets(checkpoint: Checkpoint, encoder: Encoder) -> KeptSets | None:
    if not isinstance(encoder, CachedEncoder):
        return None
    layers: Any = checkpoint.config["model"]
    stem = f"{encoder.revision}-{checkpoint.method}-{layers.get('context_layers', 0)}"
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{stem}-{checkpoint.weights_digest[:12]}")
    return KeptSets(encoder.folder / _SETS_FOLDER / f"{stem}.sqlite")
