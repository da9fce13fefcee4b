"""Cosine of TF-IDF vectors of the passages' words."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from subclust.records import FloatArray, Query
from subclust.similarity.base import PairSimilarity


class TfidfSimilarity(PairSimilarity):
    """Cosine of TF-IDF vectors, 0 to 1; higher is closer. Needs no encoder.

    The document frequencies are those of the hit set, so that words which all hits share (the
    query's own, mostly) count least. A passage without words scores 0 with everything.

    Source: "TFIDF" of Kashyapi and Dietz, JCDL 2022, section 4.2.

    Parameters
    ----------
    stop_words : "english" or None
        Words left out; None keeps all and works for every language.
    sublinear : bool
        Whether a word's count enters as 1 + log(count).
    """

    needs_embeddings = False

    def __init__(
        self, stop_words: Literal["english"] | None = None, *, sublinear: bool = False
    ) -> None:
        self.stop_words = stop_words
        self.sublinear = sublinear

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        vectorizer = TfidfVectorizer(
            stop_words=self.stop_words, sublinear_tf=self.sublinear, dtype=np.float64
        )
        words_of = vectorizer.build_analyzer()
        if not any(words_of(text) for text in passages):
            return np.zeros((len(passages), len(passages)), dtype=np.float32)
        vectors = vectorizer.fit_transform(passages)
        return np.asarray((vectors @ vectors.T).toarray(), dtype=np.float32)
