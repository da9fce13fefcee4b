"""A trained network of the SCL room at work: k-means in its latent space."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from torch import nn

from subclust.checkpoints import Checkpoint, required
from subclust.checkpoints.network import build_network, load_weights
from subclust.core.exceptions import CheckpointError
from subclust.core.records import Float64Array, FloatArray, IntArray, Query
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.learnt_space import Division, LearntSpaceSubtopics
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.methods.scl.lstm import ClassifiedLstmSpace, LstmSpace
from subclust.methods.scl.models import ClassifiedSpace, LatentSpace
from subclust.text.encoders import Encoder

MODELS: dict[str, type[nn.Module]] = {
    "scl": LatentSpace,
    "fcl": LatentSpace,
    "few-shot-supervised": ClassifiedSpace,
}
"""The network of each method."""

_LSTM_MODELS: dict[str, type[nn.Module]] = {
    "scl": LstmSpace,
    "fcl": LstmSpace,
    "few-shot-supervised": ClassifiedLstmSpace,
}
"""The same, where an LSTM reads the words."""


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration; see `build_network`."""
    words = "n_words" in config.get("model", {})
    return build_network(name, (_LSTM_MODELS if words else MODELS)[name], config)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained method; a `subclust.methods.Loader`."""
    checkpoint = required(name, checkpoint)
    network = build(name, checkpoint.config)
    load_weights(network, checkpoint)
    count = ThresholdCount.of(checkpoint.config)
    division = checkpoint.config.get("division", "kmeans")
    if division not in get_args(Division):
        raise CheckpointError(
            "{name}/{checkpoint} divides its space by {division!r}, which this version does "
            "not know; train it again, or update Subclust.",
            name=name,
            checkpoint=checkpoint.name,
            division=division,
        )
    if isinstance(network, LstmSpace):
        return _ReadingSubtopics(network, count=count, division=division)
    return LearntSpaceSubtopics(network, count=count, division=division)  # type: ignore[arg-type]


class _ReadingSubtopics(LearntSpaceSubtopics):
    """As `LearntSpaceSubtopics`, by the passages' words; given embeddings are not looked at.

    Parameters
    ----------
    learnt : LstmSpace
    n_clusters, count, division, max_other, random_state
        As for `LearntSpaceSubtopics`.
    """

    learnt: LstmSpace

    embedding_dim = None

    def points(self, passages: Sequence[str], embeddings: FloatArray | None) -> Float64Array:
        """Place passages by their words, shape (n_passages, n_dimensions)."""
        return super().points(passages, self.learnt.read_all(passages))

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        return super()._fit(passages, query, self.learnt.read_all(passages))
