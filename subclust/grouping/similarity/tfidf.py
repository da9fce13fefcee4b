"""Shared words of passages: TF-IDF and Jaccard."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from subclust.core.records import Float64Array, FloatArray, Query
from subclust.core.records.stop_words import ENGLISH_STOP_WORDS
from subclust.grouping.similarity.base import PairSimilarity

_WORD = re.compile(r"\w+")
# The default token pattern of scikit-learn's vectorizers, whose scores are to be reproduced.
_TWO_LETTERS = re.compile(r"\b\w\w+\b")


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
        vectors = tfidf_vectors(words, sublinear=self.sublinear)
        return np.asarray((vectors @ vectors.T).toarray(), dtype=np.float32)


def tfidf_vectors(texts: Sequence[Sequence[str]], *, sublinear: bool = False) -> csr_array:
    """Compute TF-IDF vectors as scikit-learn's ``TfidfVectorizer`` does, without its import.

    Parameters
    ----------
    texts : sequence of sequence of str
        The words of each text.
    sublinear : bool
        Whether a word's count enters as 1 + log(count).

    Returns
    -------
    sparse array of shape (n_texts, n_words)
        Columns in the order of the alphabet; each row of length 1, or 0 where it has no word.
    """
    counts = [Counter(words) for words in texts]
    column = {word: i for i, word in enumerate(sorted(set().union(*counts)))}
    columns: list[int] = []
    values: list[int] = []
    for row in counts:
        places = sorted((column[word], count) for word, count in row.items())
        columns += [place for place, _ in places]
        values += [count for _, count in places]
    ends = np.cumsum([0] + [len(row) for row in counts])
    held = np.bincount(columns, minlength=len(column))
    weights = np.asarray(values, dtype=np.float64)
    if sublinear:
        weights = np.log(weights) + 1
    # scikit-learn's smooth idf, as if one more text had every word.
    weights *= (np.log((1 + len(texts)) / (1 + held)) + 1)[columns]
    owner = np.repeat(np.arange(len(counts)), np.diff(ends))
    lengths: Float64Array = np.sqrt(np.bincount(owner, weights**2, minlength=len(counts)))
    weights /= lengths[owner]
    return csr_array((weights, columns, ends), shape=(len(counts), len(column)))


@lru_cache(maxsize=2000)
def _words_of(text: str, stop_words: str | None) -> tuple[str, ...]:
    """Split a passage into words, once as long as hits like these are grouped again."""
    left_out = ENGLISH_STOP_WORDS if stop_words == "english" else ()
    return tuple(word for word in _TWO_LETTERS.findall(text.lower()) if word not in left_out)
