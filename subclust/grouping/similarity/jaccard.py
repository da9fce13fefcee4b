"""Overlap of the passages' sets of words."""

import re
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

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
