"""How the baselines are put together: a similarity, average link, a rule for the number."""

from subclust.checkpoints import Checkpoint
from subclust.clustering.agglomerative import AgglomerativeSubtopics
from subclust.clustering.base import SubtopicClusterer
from subclust.clustering.kmeans import KMeansSubtopics
from subclust.clustering.spectral import SpectralSubtopics
from subclust.clustering.threshold_count import ThresholdCount
from subclust.exceptions import InputError
from subclust.similarity.base import PairSimilarity
from subclust.similarity.cosine import CentredCosineSimilarity, CosineSimilarity
from subclust.similarity.euclidean import EuclideanSimilarity
from subclust.similarity.jaccard import JaccardSimilarity
from subclust.similarity.tfidf import TfidfSimilarity

SIMILARITIES: dict[str, type[PairSimilarity]] = {
    "centred-cosine": CentredCosineSimilarity,
    "sbert-cosine": CosineSimilarity,
    "sbert-euclid": EuclideanSimilarity,
    "tfidf": TfidfSimilarity,
    "jaccard": JaccardSimilarity,
}

THRESHOLDS: dict[str, float] = {
    "centred-cosine": 0.013511,
    "sbert-cosine": 0.480933,
    "sbert-euclid": -1.016690,
    "tfidf": 0.221112,
    "jaccard": 0.121730,
    "kmeans": -1.038133,
    "spectral": 0.013511,
}
"""Similarity at which average link stops when the number of groups is automatic.

Learnt with ``python -m subclust bench wiki2014_validation --learn-threshold --method NAME``, for
the embedded encoder.
"""


def load(name: str, checkpoint: Checkpoint | None) -> SubtopicClusterer:
    """Make a baseline by name; there is no checkpoint to take.

    Raises
    ------
    InputError
        If there is no baseline of that name.
    """
    count = ThresholdCount(THRESHOLDS[name]) if name in THRESHOLDS else None
    if name in SIMILARITIES:
        return AgglomerativeSubtopics(SIMILARITIES[name](), count=count)
    if name == "kmeans":
        return KMeansSubtopics(count=count)
    if name == "spectral":
        return SpectralSubtopics(CentredCosineSimilarity(), count=count)
    raise InputError(f"There is no baseline {name!r}.")
