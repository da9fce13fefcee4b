"""How the baselines are put together: a similarity, average link, a rule for the number."""

from subclust.checkpoints import Checkpoint, required
from subclust.core.exceptions import InputError
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.clustering.spectral import SpectralSubtopics
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.grouping.similarity.base import PairSimilarity
from subclust.grouping.similarity.cosine import (
    CentredCosineSimilarity,
    CosineSimilarity,
    EuclideanSimilarity,
)
from subclust.grouping.similarity.tfidf import JaccardSimilarity, TfidfSimilarity
from subclust.methods.baselines.topic_model import similarity_of
from subclust.text.encoders import Encoder

_SIMILARITIES: dict[str, type[PairSimilarity]] = {
    "centred-cosine": CentredCosineSimilarity,
    "sbert-cosine": CosineSimilarity,
    "sbert-euclid": EuclideanSimilarity,
    "tfidf": TfidfSimilarity,
    "jaccard": JaccardSimilarity,
}


_THRESHOLDS: dict[str, float] = {
    "centred-cosine": 0.013511,
    "sbert-cosine": 0.480933,
    "sbert-euclid": -1.016690,
    "tfidf": 0.221112,
    "jaccard": 0.121730,
    "kmeans": -1.038133,
    "spectral": 0.013511,
}
"""Similarity at which average link stops when the number of groups is automatic.

Learned with ``python -m subclust bench wiki2014_validation --learn-threshold --method NAME``, for
the embedded encoder.
"""


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make a baseline by name; ``lda`` alone has a checkpoint, and nothing is encoded."""
    if name == "lda":
        trained = required(name, checkpoint)
        return AgglomerativeSubtopics(
            similarity_of(trained), count=ThresholdCount.of(trained.config)
        )
    count = ThresholdCount(_THRESHOLDS[name]) if name in _THRESHOLDS else None
    if name in _SIMILARITIES:
        return AgglomerativeSubtopics(_SIMILARITIES[name](), count=count)
    if name == "kmeans":
        return KMeansSubtopics(count=count)
    if name == "spectral":
        return SpectralSubtopics(CentredCosineSimilarity(), count=count)
    raise InputError("There is no baseline {name!r}.", name=name)
