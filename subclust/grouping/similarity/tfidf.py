"""Shared words of passages: TF-IDF and Jaccard."""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfVectorizer

from subclust.core.records import FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity

_WORD = re.compile(r"\w+")


class JaccardSimilarity(PairSimilarity):
    """Shared words over all words of two passages, 0 to 1; higher is closer. Needs no encoder.

    Words are runs of letters, digits and underscores, upper and lower case alike. A passage
    without words scores 0 with everything.

    Source: "Jaccard" of Kashyapi and Dietz, JCDL 2022, section 4.2.
    """

    needs_embeddings = False

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        word_sets = [set(_WORD.findall(text.casefold())) for text in passages]
        column = {word: i for i, word in enumerate(sorted(set().union(*word_sets)))}
        columns = [column[word] for words in word_sets for word in words]
        ends = np.cumsum([0] + [len(words) for words in word_sets])
        has_word = csr_array(
            (np.ones(len(columns), dtype=np.float64), columns, ends),
            shape=(len(passages), len(column)),
        )
        shared = np.asarray((has_word @ has_word.T).toarray(), dtype=np.float64)
        sizes = np.diff(ends).astype(np.float64)
        union = sizes[:, None] + sizes[None, :] - shared
        scores = np.zeros_like(shared)
        np.divide(shared, union, out=scores, where=union > 0)
        return scores.astype(np.float32)


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
    """Split a passage into words, once as long as hits like these are grouped again."""
    return tuple(_analyser(stop_words)(text))


@cache
def _analyser(stop_words: str | None) -> Callable[[str], list[str]]:
    analyser: Callable[[str], list[str]]
    analyser = TfidfVectorizer(stop_words=stop_words).build_analyzer()
    return analyser


def _as_it_is(words: tuple[str, ...]) -> tuple[str, ...]:
    return words
