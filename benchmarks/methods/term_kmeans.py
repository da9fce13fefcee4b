"""k-means on the words of the passages: the oldest rivals in tables of short text clustering."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from subclust.checkpoints import Checkpoint
from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.clustering.base import NumberOfClusters, SubtopicClusterer
from subclust.grouping.clustering.cluster_count import ClusterCount
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.text.encoders import Encoder

N_WORDS = 1500
"""Most frequent words that are counted, as Zhang et al. did (SCCL, section 4.1)."""

Weights = Literal["counts", "tfidf"]


class TermKMeansSubtopics(KMeansSubtopics):
    """Groups passages by k-means on how often each word occurs; neither query nor encoder counts.

    Parameters
    ----------
    weights : {"counts", "tfidf"}
        Plain counts (a bag of words), or TF-IDF, rows of length 1. Document frequencies are those
        of the passages.
    n_clusters, count, max_other, random_state
        As for `KMeansSubtopics`.
    """

    def __init__(
        self,
        weights: Weights = "counts",
        n_clusters: NumberOfClusters = "auto",
        *,
        n_words: int = N_WORDS,
        count: ClusterCount | None = None,
        max_other: float = 0.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(n_clusters, count=count, max_other=max_other, random_state=random_state)
        self.weights = weights
        self.n_words = n_words

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        return super()._fit(passages, query, term_vectors(passages, self.weights, self.n_words))


def term_vectors(passages: Sequence[str], weights: Weights, n_words: int = N_WORDS) -> FloatArray:
    """Count the words of passages.

    Parameters
    ----------
    weights : {"counts", "tfidf"}

    Returns
    -------
    ndarray of shape (n_passages, n_words)
        At most so many columns; a single one of zeros where no passage has a word.
    """
    kind = TfidfVectorizer if weights == "tfidf" else CountVectorizer
    vectorizer = kind(max_features=n_words, dtype=np.float32)
    words_of = vectorizer.build_analyzer()
    if not any(words_of(text) for text in passages):
        return np.zeros((len(passages), 1), dtype=np.float32)
    return np.asarray(vectorizer.fit_transform(passages).toarray(), dtype=np.float32)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of ``"bow-kmeans"`` or ``"tfidf-kmeans"``."""
    return TermKMeansSubtopics("tfidf" if name == "tfidf-kmeans" else "counts")
