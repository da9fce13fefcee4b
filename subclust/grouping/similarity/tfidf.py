"""Cosine of TF-IDF vectors of the passages' words."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from subclust.core.records import FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity


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
        words = [_words_of(text, self.stop_words) for text in passages]
        if not any(words):
            return np.zeros((len(passages), len(passages)), dtype=np.float32)
        vectorizer = TfidfVectorizer(
            analyzer=_as_it_is, sublinear_tf=self.sublinear, dtype=np.float64
        )
        vectors = vectorizer.fit_transform(words)
        return np.asarray((vectors @ vectors.T).toarray(), dtype=np.float32)


@lru_cache(maxsize=2000)
def _words_of(text: str, stop_words: str | None) -> tuple[str, ...]:
    """Split a passage into words, once as long as hits like these are grouped anew."""
    return tuple(_analyser(stop_words)(text))


@cache
def _analyser(stop_words: str | None) -> Callable[[str], list[str]]:
    analyser: Callable[[str], list[str]]
    analyser = TfidfVectorizer(stop_words=stop_words).build_analyzer()
    return analyser


def _as_it_is(words: tuple[str, ...]) -> tuple[str, ...]:
    return words
