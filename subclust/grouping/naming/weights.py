"""How much each phrase says about each group."""

from dataclasses import dataclass

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.naming.phrases import PhraseTable

# A of the formula: the larger, the more a phrase's frequency in its group counts against its rarity
# in the others. This and the next are chosen on openstax and wiki2014_validation, by how often the
# query's heading nearest to a name is its group's own.
_EVENNESS = 10.0

# Longer phrases say more; the entry is the number of words.
_LENGTH_WEIGHT = np.array([0.0, 1.0, 1.25, 1.25])

# A lone participle ("argued", "running") or one at the end ("pilots trained") is rarely what a
# group is about.
_PARTICIPLE_WEIGHT = 0.4


@dataclass(frozen=True)
class WeightedPhrases:
    """The phrases of a `PhraseTable` with their weight in each group.

    Attributes
    ----------
    held_by : ndarray of shape (n_phrases, n_groups)
        How many passages of the group hold the phrase.
    weights : ndarray of shape (n_phrases, n_groups)
        Not negative; higher says more about the group.
    """

    table: PhraseTable
    group_of: IntArray
    held_by: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, table: PhraseTable, group_of: IntArray, n_groups: int) -> "WeightedPhrases":
        """Weigh the phrases by class-based TF-IDF over shares of passages.

        Parameters
        ----------
        table : PhraseTable
        group_of : ndarray of shape (n_passages,)
            Group of each passage, from 0.
        n_groups : int
        """
        phrase, passage = table.occurrences.T
        n_phrases = len(table.phrases)
        held_by = np.bincount(
            phrase * n_groups + group_of[passage], minlength=n_phrases * n_groups
        ).reshape(n_phrases, n_groups)
        sizes = np.bincount(group_of, minlength=n_groups)
        shares = held_by / np.maximum(sizes, 1)
        frequency = shares.sum(axis=1, keepdims=True)
        weights = shares * np.log1p(_EVENNESS / np.maximum(frequency, 1e-12))
        n_words = (table.phrases >= 0).sum(axis=1)
        weights *= _LENGTH_WEIGHT[n_words][:, None]
        last_word = table.phrases[np.arange(n_phrases), n_words - 1]
        endings = np.array([word.endswith(("ed", "ing")) for word in table.words], dtype=bool)
        past = np.array([word.endswith("ed") for word in table.words], dtype=bool)
        participle = np.where(n_words == 1, endings[last_word], past[last_word])
        weights[participle] *= _PARTICIPLE_WEIGHT
        return cls(table, group_of, held_by, weights.astype(np.float32))
