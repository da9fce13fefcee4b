"""The interface of everything that names groups of passages, and names that differ."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import count

from subclust.core.exceptions import InputError
from subclust.core.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    FloatArray,
    IntArray,
    Passage,
    Query,
)
from subclust.core.records.terms import Vocabulary
from subclust.grouping.naming.words import apart_words

_RESERVED: frozenset[str] = frozenset({OTHER_PASSAGES_NAME.casefold()})
"""Names, case-folded, that no group may have."""


def as_heading(phrase: str) -> str:
    """Write a phrase with a capital first; "pH", with one further inside, is left alone."""
    first = phrase.split(" ", 1)[0].split("-", 1)[0]
    return phrase[:1].upper() + phrase[1:] if first == first.lower() else phrase


def distinct_names(
    proposals: Mapping[int, Sequence[str]], taken: Collection[str]
) -> dict[int, str]:
    """Choose a name for each group that no other has.

    Parameters
    ----------
    proposals : mapping of int to sequence of str
        Of each group the names that it might have, best first, at least one. Groups that come first
        choose first.
    taken : collection of str
        Names, case-folded, that are in use.

    Returns
    -------
    dict of int to str
        For each group the first of its names that is free and neither says less nor more than
        another's: beside "Early career", "Career" is no name. Where all say so, the first that is
        free; where none is, the first with a number.
    """
    names: dict[int, str] = {}
    used = set(taken)
    said = [words for words in map(apart_words, taken) if words]
    for group, proposed in proposals.items():
        headings = [as_heading(one) for one in proposed]
        free = [one for one in headings if one.casefold() not in used]
        apart = (one for one in free if not _nested(apart_words(one), said))
        numbered = (f"{headings[0]} ({number})" for number in count(2))
        name = next(apart, None) or next(iter(free), None)
        name = name or next(one for one in numbered if one.casefold() not in used)
        names[group] = name
        used.add(name.casefold())
        said.append(apart_words(name))
    return names


def _nested(words: Set[str], others: Sequence[Set[str]]) -> bool:
    """Return whether the words of a name are among those of another one, or the reverse."""
    return any(words <= other or other <= words for other in others if other)


@dataclass(frozen=True)
class Asked:
    """What a namer is asked for.

    Parameters
    ----------
    query : Query
    passages : sequence of str
    labels : ndarray of shape (n_passages,)
    groups : sequence of int
        All labels but -1.
    embeddings : ndarray of shape (n_passages, embedding_dim), optional
    wanted : sequence of int
        At least one of `groups`, to be named; the others are what these are told from.
    taken : frozenset of str
        Case-folded names that none of them may get.
    """

    query: Query
    passages: Sequence[str]
    labels: IntArray
    groups: Sequence[int]
    embeddings: FloatArray | None
    wanted: Sequence[int]
    taken: frozenset[str]


class SubtopicNamer(ABC):
    """Gives each group of passages a name; no two groups of one map get the same.

    Attributes
    ----------
    vocabulary : Vocabulary
        Preferred terms, of which names are made first.
    """

    vocabulary: Vocabulary = Vocabulary()

    def name(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        embeddings: FloatArray | None = None,
        *,
        wanted: Collection[int] | None = None,
        taken: Collection[str] = (),
    ) -> dict[int, str]:
        """Name the groups.

        Parameters
        ----------
        query : Query
            Its own words are not used in names.
        passages : sequence of str
            Texts, n_passages of them.
        labels : ndarray of shape (n_passages,)
            Group of each passage; -1 is "other passages" and always named so.
        embeddings : ndarray of shape (n_passages, embedding_dim), optional
            L2-normalised, for namers that compare meanings.
        wanted : collection of int, optional
            The groups to name, by default all; the others are what these are told from.
        taken : collection of str
            Names that none of them may get.

        Returns
        -------
        dict of int to str
            One name for each wanted label that occurs, in their order, and for "other passages"
            where there are any; all different.

        Raises
        ------
        InputError
            If there is not one label, and one embedding where there are any, per passage.
        """
        asked = self._asked(query, passages, labels, embeddings, wanted, taken)
        names = distinct_names(self.propose(asked), asked.taken) if asked.wanted else {}
        names = dict(sorted(names.items()))  # not in the order in which they chose
        if (labels == OTHER_PASSAGES).any():
            names[OTHER_PASSAGES] = OTHER_PASSAGES_NAME
        return names

    def proposals(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        embeddings: FloatArray | None = None,
    ) -> dict[int, list[str]]:
        """List the names that come into question for each group, best first; as for `name`."""
        asked = self._asked(query, passages, labels, embeddings, None, ())
        return self.propose(asked) if asked.wanted else {}

    def _asked(
        self,
        query: Query,
        passages: Sequence[str],
        labels: IntArray,
        embeddings: FloatArray | None,
        wanted: Collection[int] | None,
        taken: Collection[str],
    ) -> Asked:
        if len(labels) != len(passages):
            raise InputError(
                "{count} passages but {other_count} labels to name.",
                count=len(passages),
                other_count=len(labels),
            )
        if embeddings is not None and len(embeddings) != len(passages):
            raise InputError(
                "{count} passages but {other_count} embeddings to name.",
                count=len(passages),
                other_count=len(embeddings),
            )
        groups = sorted({int(label) for label in labels} - {OTHER_PASSAGES})
        some = groups if wanted is None else [group for group in groups if group in wanted]
        used = _RESERVED | {name.casefold() for name in taken}
        return Asked(query, passages, labels, groups, embeddings, some, used)

    def knowing(self, passages: Sequence[Passage], embeddings: FloatArray) -> "SubtopicNamer":
        """Return this namer with what it may know of passages that it will be asked about.

        For callers who have none of it at hand, such as those who cut a tree again.

        Parameters
        ----------
        passages : sequence of Passage
            n_passages of them, with their titles and keywords.
        embeddings : ndarray of shape (n_passages, embedding_dim)
        """
        return self

    @abstractmethod
    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List names for each wanted group, best first; groups in the order in which they choose.

        Each has at least one.
        """
