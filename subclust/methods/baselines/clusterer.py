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

# Learnt on wiki2014_validation by `python -m subclust bench wiki2014_validation --learn-threshold`.
THRESHOLDS: dict[str, float] = {}


def load(name: str, checkpoint: Checkpoint | None) -> SubtopicClusterer:
    """Make a baseline by name; there is no checkpoint to take.

    Raises
    ------
    InputError
        If there is no baseline of that name.
    """
    if name in SIMILARITIES:
        count = ThresholdCount(THRESHOLDS[name]) if name in THRESHOLDS else None
        return AgglomerativeSubtopics(SIMILARITIES[name](), count=count)
    if name == "kmeans":
        return KMeansSubtopics()
    if name == "spectral":
        return SpectralSubtopics(CentredCosineSimilarity())
    raise InputError(f"There is no baseline {name!r}.")
