"""How much each phrase says about each group."""

from collections.abc import Iterable
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

# A phrase of three words needs this share of the passages that hold two of them side by side:
# "marginal product" stays, "marginal product depend" goes.
_EARNS_THIRD_WORD = 0.6

# A longer phrase held by at least this share of the passages that hold a word of it stands for
# that word, which alone would be its fragment.
_COVERS = 0.4

# Words that begin with the same letters ("immigration", "immigrants") repeat each other.
_KIN = 5

_N_CANDIDATES = 60

# Of words of a single passage: the least share of all passages that hold it.
_MIN_DF = 0.01


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

    def best(self, group: int, n_best: int = 8) -> list[tuple[str, float]]:
        """List the phrases that name a group, best first, no two sharing a word.

        Returns
        -------
        list of (str, float)
            Phrases with their weights; empty where the group's passages have no usable word.
        """
        held, weight = self.held_by[:, group], self.weights[:, group]
        shared = held >= 2
        # A phrase belongs to the group that it weighs most in.
        for usable in (shared & (weight >= self.weights.max(axis=1)), shared):
            found = self._pick(np.flatnonzero(usable), group, n_best)
            if found:
                return found
        return self._pick(self._phrases_of_typical_passage(group), group, n_best)

    def candidates(self, group: int, n: int) -> list[tuple[str, float]]:
        """List the phrases that two passages of the group hold, heaviest first.

        Unlike `best` it keeps phrases that share a word: whoever chooses among them sees to that.

        Parameters
        ----------
        group : int
        n : int
            At most so many.

        Returns
        -------
        list of (str, float)
            Phrases with their weights; of the most typical passage where no phrase is shared, and
            empty where that has no usable word.
        """
        weight = self.weights[:, group]
        shared = np.flatnonzero(self.held_by[:, group] >= 2)
        usable = shared if len(shared) else self._phrases_of_typical_passage(group)
        if len(usable) > 2 * n:
            least = np.partition(weight[usable], -2 * n)[-2 * n]
            usable = usable[weight[usable] >= least]
        return self._heaviest((int(phrase) for phrase in usable), group, n)

    def lone_words(self, group: int, n: int) -> list[tuple[str, float]]:
        """List the words that a single passage of the group holds, heaviest first.

        Of many passages those that hardly any holds are left out: odd spellings, words of other
        languages.

        Parameters
        ----------
        group : int
        n : int
            At most so many.

        Returns
        -------
        list of (str, float)
            Words with their weights.
        """
        alone = (self.held_by[:, group] == 1) & (self.table.phrases[:, 1] < 0)
        alone &= self.held_by.sum(axis=1) >= _MIN_DF * len(self.group_of)
        return self._heaviest(np.flatnonzero(alone).tolist(), group, n)

    def _heaviest(self, usable: Iterable[int], group: int, n: int) -> list[tuple[str, float]]:
        weight = self.weights[:, group]
        ranked = sorted(
            (phrase for phrase in usable if self._earns_third_word(phrase, group)),
            key=lambda phrase: (-round(float(weight[phrase]), 6), self.table.key(phrase)),
        )
        return [(self.table.text(phrase), float(weight[phrase])) for phrase in ranked[:n]]

    def _pick(self, usable: IntArray, group: int, n_best: int) -> list[tuple[str, float]]:
        """Take the heaviest phrases, longer ones for their fragments, none that shares a word."""
        weight, held = self.weights[:, group], self.held_by[:, group]
        if len(usable) > _N_CANDIDATES:
            least = np.partition(weight[usable], -_N_CANDIDATES)[-_N_CANDIDATES]
            usable = usable[weight[usable] >= least]
        ranked = sorted(
            (int(phrase) for phrase in usable),
            key=lambda phrase: (
                -round(float(weight[phrase]), 6),
                *self.table.prominence(phrase),
                self.table.key(phrase),
            ),
        )
        ranked = [phrase for phrase in ranked if self._earns_third_word(phrase, group)]
        content = {phrase: self.table.content_words(phrase) for phrase in ranked}
        chosen: list[tuple[int, float]] = []
        kin = {phrase: {word[:_KIN] for word in content[phrase]} for phrase in ranked}
        used: set[str] = set()
        for phrase in ranked:
            if used & kin[phrase]:
                continue
            whole = next(
                (
                    longer
                    for longer in ranked
                    if content[longer] > content[phrase]
                    and not used & kin[longer]
                    and held[longer] >= _COVERS * held[phrase]
                ),
                phrase,
            )
            used |= kin[whole]
            self._add(chosen, whole, float(weight[phrase]), group)
            if len(chosen) == n_best:
                break
        return [(self.table.text(phrase), phrase_weight) for phrase, phrase_weight in chosen]

    def _add(self, chosen: list[tuple[int, float]], phrase: int, weight: float, group: int) -> None:
        """Add a phrase, or make one of two: "Einstein" and "Albert" are "Albert Einstein"."""
        for place, (other, other_weight) in enumerate(chosen):
            for pair in (self.table.joined(phrase, other), self.table.joined(other, phrase)):
                if pair is not None and self.held_by[pair, group] >= 2:
                    chosen[place] = (pair, other_weight)
                    return
        chosen.append((phrase, weight))

    def _earns_third_word(self, phrase: int, group: int) -> bool:
        held = self.held_by[:, group]
        pairs = self.table.word_pairs_of(phrase)
        return all(held[phrase] >= _EARNS_THIRD_WORD * held[pair] for pair in pairs)

    def _phrases_of_typical_passage(self, group: int) -> IntArray:
        """Find the passage whose phrases weigh most in the group, and list its phrases."""
        phrase, passage = self.table.occurrences.T
        mine = self.group_of[passage] == group
        phrase, passage = phrase[mine], passage[mine]
        if not len(phrase):
            return np.zeros(0, dtype=np.int64)
        # Several phrases may be equally heavy and texts come in any order: decide by text.
        members = np.unique(passage)
        typical = max(
            members,
            key=lambda member: (
                round(float(self.weights[phrase[passage == member], group].sum()), 4),
                sorted(self.table.key(int(one)) for one in phrase[passage == member]),
            ),
        )
        return np.asarray(phrase[passage == typical], dtype=np.int64)
