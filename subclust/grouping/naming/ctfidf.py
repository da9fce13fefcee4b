"""Names from the phrases that are frequent in one group and rare in the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from subclust.grouping.naming.base import Asked, SubtopicNamer, join_phrases
from subclust.grouping.naming.phrases import phrase_table
from subclust.grouping.naming.weights import WeightedPhrases

# A further phrase joins the name if it weighs at least this share of the first.
_JOINS = 0.4


@dataclass(frozen=True)
class ClassTfidfNamer(SubtopicNamer):
    """Class-based TF-IDF over phrases of one to three words.

    Phrase p weighs ``tf * log(1 + A / f)`` in a group, as in BERTopic (Grootendorst 2022,
    arXiv:2203.05794, section 3.3), with two differences: ``tf`` is the share of the group's
    *passages* that hold p, so that one long passage cannot name its group; and f is the sum of
    these shares over all groups, with A a constant.

    A name uses phrases that at least two passages of the group hold and that weigh most there. A
    longer phrase displaces its fragments, and phrases that share a word are not both used. A group
    without such a phrase is named after the words of its most typical passage; words of the query
    are used only where there are no others.

    Parameters
    ----------
    max_phrases : int
        At most so many phrases a name.
    max_characters : int
        A further phrase is left out where the name would get longer than this.
    """

    max_phrases: int = 3
    max_characters: int = 48

    def _name(self, asked: Asked) -> dict[int, str]:
        kept = np.flatnonzero(np.isin(asked.labels, asked.groups))
        texts = [asked.passages[int(position)] for position in kept]
        group_of = np.searchsorted(np.asarray(asked.groups), asked.labels[kept])

        @cache
        def weighted(without: str) -> WeightedPhrases:
            table = phrase_table(texts, without)
            return WeightedPhrases.of(table, group_of, n_groups=len(asked.groups))

        def propose(group: int) -> tuple[Sequence[str], int]:
            place = asked.groups.index(group)
            found = (
                weighted(asked.query.text).best(place)
                or weighted("").best(place)
                or [(f"Subtopic {group + 1}", 1.0)]
            )
            return [phrase for phrase, _ in found], self._n_phrases(found)

        return asked.distinct(propose)

    def _n_phrases(self, found: Sequence[tuple[str, float]]) -> int:
        """Count how many phrases make the name, at least one."""
        phrases = [phrase for phrase, _ in found]
        n_phrases = 1
        while (
            n_phrases < min(self.max_phrases, len(found))
            and found[n_phrases][1] >= _JOINS * found[0][1]
            and len(join_phrases(phrases[: n_phrases + 1])) <= self.max_characters
        ):
            n_phrases += 1
        return n_phrases
