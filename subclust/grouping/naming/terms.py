"""Which preferred terms stand for which groups."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from subclust.core.records import IntArray
from subclust.core.records.terms import Vocabulary
from subclust.grouping.naming.phrases import asked_roots, says_only, words_of
from subclust.grouping.naming.words import stem

_LEAST = 1 / 3
"""Share of a group's passages that must say a term."""

_APART = 1.5
"""How much more often than the other passages they must do so."""


class TermIndex:
    """Finds the terms of a vocabulary in texts, whatever their case and number.

    Parameters
    ----------
    vocabulary : Vocabulary
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._rows: dict[tuple[str, ...], int] = {}
        for row, term in enumerate(vocabulary.terms):
            for words in (term.label, *term.others):
                self._rows.setdefault(_stems(words), row)
        self._rows.pop((), None)
        self._longest = max(map(len, self._rows), default=0)

    def of_groups(
        self, texts: Sequence[str], group_of: IntArray, n_groups: int, asked: str
    ) -> list[list[str]]:
        """List the terms that a third of a group's passages say and the others seldom, best first.

        Parameters
        ----------
        texts : sequence of str
        group_of : ndarray of shape (n_texts,)
            From 0.
        n_groups : int
        asked : str
            A term of its words alone tells no group.

        Returns
        -------
        list of n_groups list of str
            Labels.
        """
        if not self._rows:
            return [[] for _ in range(n_groups)]
        told = asked_roots(asked)
        sizes = np.bincount(group_of, minlength=n_groups)
        held: defaultdict[int, IntArray] = defaultdict(lambda: np.zeros(n_groups, dtype=np.int64))
        for text, group in zip(texts, group_of.tolist(), strict=True):
            for row in self._in(text):
                held[row][group] += 1
        scored: list[list[tuple[float, str]]] = [[] for _ in range(n_groups)]
        for row, counts in held.items():
            label = self.vocabulary.terms[row].label
            if says_only(label, told):
                continue
            elsewhere = (counts.sum() - counts) / np.maximum(sizes.sum() - sizes, 1)
            share = counts / np.maximum(sizes, 1)
            enough = counts >= np.minimum(2, sizes)
            for group in np.flatnonzero(enough & (share >= _LEAST) & (share >= _APART * elsewhere)):
                scored[int(group)].append((-float(share[group] - elsewhere[group]), label))
        return [[label for _, label in sorted(some)] for some in scored]

    def _in(self, text: str) -> set[int]:
        """Return the rows of the terms of a text; of one within a longer one the longer alone."""
        found: set[int] = set()
        if not self._rows:
            return found
        stems = [stem(word) for word in words_of(text)]
        place = 0
        while place < len(stems):
            for length in range(min(self._longest, len(stems) - place), 0, -1):
                row = self._rows.get(tuple(stems[place : place + length]))
                if row is not None:
                    found.add(row)
                    place += length - 1
                    break
            place += 1
        return found


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words_of(text))


@lru_cache(maxsize=8)
def term_index(vocabulary: Vocabulary) -> TermIndex:
    """Return the index of a vocabulary, made once while it is in use."""
    return TermIndex(vocabulary)
