"""Names of records: abstracts with titles of their own, unlike sections of an article."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from subclust.core.records import FloatArray, IntArray
from subclust.grouping.naming.candidates import APART, LARGE, WORDING, Candidates
from subclust.grouping.naming.headings import Headings, counted
from subclust.grouping.naming.phrases import words_of

_SAID = 0.5
"""Share of a group's records that must say a general heading, a proper name or a lone word."""

_PIECE = 0.6
"""Share of its places in which a phrase of records may go on, or stand within a longer one."""

STANDS = 0.5
"""What a candidate must have to be compared before others."""

_TITLED = 1.0
"""What it counts that all titles of a group have a phrase, and no others."""

_ONE_WORD = 0.5
"""What it counts that records say a word, beside what a phrase counts."""

_LONGEST = 6
"""Words of a phrase that is looked for in titles, at most."""

_SHARE, _ELSEWHERE = WORDING.index("share of its passages"), WORDING.index("share elsewhere")
_SIZE = WORDING.index("size of the group")
_TWICE, _CAPITALS = WORDING.index("held twice"), WORDING.index("capitals")
_N_WORDS = WORDING.index("words")
_BEHIND, _WITHIN = WORDING.index("word behind"), WORDING.index("share within a longer one")


@dataclass(frozen=True)
class RecordTitles:
    """The titles of grouped records.

    Parameters
    ----------
    titles : sequence of str
        One a record.
    group_of : ndarray of shape (n_records,)
        From 0.
    n_groups : int
    language : {"en", "de"}
    """

    titles: Sequence[str]
    group_of: IntArray
    n_groups: int
    language: str = "en"

    def leads(self, texts: Sequence[str], groups: Sequence[int]) -> FloatArray:
        """Compute how much larger a share of its group's titles than of all others has a phrase.

        Parameters
        ----------
        texts : sequence of str
            n_texts of them.
        groups : sequence of int
            One a text.

        Returns
        -------
        ndarray of shape (n_texts,)
            From 0 to 1.
        """
        keys = [counted(text) for text in texts]
        held = {key: np.zeros(self.n_groups, dtype=np.int64) for key in keys}
        for title, group in zip(self.titles, self.group_of.tolist(), strict=True):
            for key in _pieces(title) & held.keys():
                held[key][group] += 1
        sizes = np.bincount(self.group_of, minlength=self.n_groups)
        having = np.array([held[key] for key in keys]).reshape(len(keys), self.n_groups)
        own, size = having[np.arange(len(keys)), groups], sizes[groups]
        others = (having.sum(axis=1) - own) / np.maximum(sizes.sum() - size, 1)
        return np.asarray(np.maximum(own / np.maximum(size, 1) - others, 0.0))


@lru_cache(maxsize=2000)
def _pieces(title: str) -> frozenset[str]:
    """Return the phrases of a title as their words are counted."""
    words = counted(" ".join(words_of(title))).split()
    return frozenset(
        " ".join(words[first:end])
        for first in range(len(words))
        for end in range(first + 1, min(first + _LONGEST, len(words)) + 1)
    )


def standing(found: Candidates, headings: Headings, titles: RecordTitles) -> FloatArray:
    """Score candidates by how they stand in their records, higher is better; (n_candidates,)."""
    # A German word is often what English says with two.
    of_one_word = _ONE_WORD if titles.language == "en" else 1.0
    said = [
        _is_said(found, row, headings) * (of_one_word if found.wording[row][_N_WORDS] == 1 else 1.0)
        for row in range(len(found.texts))
    ]
    leads = titles.leads(found.texts, found.groups)
    return np.asarray(said + _TITLED * leads, dtype=np.float32)


def _is_said(found: Candidates, row: int, headings: Headings) -> bool:
    """Return whether records say a phrase that is no piece of a longer one.

    Of general headings, proper names and lone words half of them must do so: the first are those of
    an encyclopaedia, a name may stand for one record, and a word alone is soon too general.
    """
    numbers, text = found.wording[row], found.texts[row]
    is_rare = not numbers[_TWICE] and numbers[_SIZE] >= np.log1p(LARGE)
    if is_rare or text.isupper() or max(numbers[_BEHIND], numbers[_WITHIN]) > _PIECE:
        return False
    if numbers[_N_WORDS] > 1 and not numbers[_CAPITALS] and headings.row_of(text) is None:
        return True
    return _SAID <= numbers[_SHARE] >= APART * numbers[_ELSEWHERE]
