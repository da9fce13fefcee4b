"""The interface of everything that names groups of passages, and distinct names."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass
from itertools import count

from subclust.core.exceptions import InputError
from subclust.core.records import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    FloatArray,
    IntArray,
    Query,
)

_RESERVED: frozenset[str] = frozenset({OTHER_PASSAGES_NAME.casefold()})
"""Names, case-folded, that no group may have."""


def join_phrases(phrases: Sequence[str]) -> str:
    """Write phrases as one name with a capital first: "Stamp Act, taxation" as found in the text.

    A first word with a capital further inside, such as "pH", is left alone.
    """
    name = ", ".join(phrases)
    first = name.split(" ", 1)[0]
    return name[:1].upper() + name[1:] if first == first.lower() else name


def distinct_name(phrases: Sequence[str], n_wanted: int, taken: Set[str]) -> str:
    """Build a name from the best phrases that is not taken.

    Parameters
    ----------
    phrases : sequence of str
        Candidates, best first, at least one.
    n_wanted : int
        How many of them make the name that is wanted most.
    taken : set of str
        Case-folded names that are in use.

    Returns
    -------
    str
        The first free one of: the wanted phrases, the same with more, other runs of the
        candidates; where all are taken, the wanted name with a number.
    """
    wanted = join_phrases(phrases[:n_wanted])
    runs = [phrases[:n_wanted], phrases[: n_wanted + 1]]
    runs += [phrases[start : start + n_wanted] for start in range(1, len(phrases))]
    for run in runs:
        name = join_phrases(run)
        if name.casefold() not in taken:
            return name
    numbered = (f"{wanted} ({number})" for number in count(2))
    return next(name for name in numbered if name.casefold() not in taken)


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

    def distinct(self, propose: Callable[[int], tuple[Sequence[str], int]]) -> dict[int, str]:
        """Name one group after the other by `distinct_name` of the phrases proposed for it."""
        names: dict[int, str] = {}
        used = set(self.taken)
        for group in self.wanted:
            names[group] = distinct_name(*propose(group), used)
            used.add(names[group].casefold())
        return names


class SubtopicNamer(ABC):
    """Gives each group of passages a name; no two groups of one map get the same."""

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
            One name for each wanted label that occurs, and for "other passages" where there are
            any; all different.

        Raises
        ------
        InputError
            If there is not one label, and one embedding where there are any, per passage.
        """
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
        asked = Asked(query, passages, labels, groups, embeddings, some, used)
        names = self._name(asked) if some else {}
        if (labels == OTHER_PASSAGES).any():
            names[OTHER_PASSAGES] = OTHER_PASSAGES_NAME
        return names

    def knowing(self, passages: Sequence[str], embeddings: FloatArray) -> "SubtopicNamer":
        """Return this namer with the embeddings of passages that it will be asked about.

        For callers who have none at hand, such as those who cut a tree again.

        Parameters
        ----------
        passages : sequence of str
            Texts, n_passages of them.
        embeddings : ndarray of shape (n_passages, embedding_dim)
        """
        return self

    @abstractmethod
    def _name(self, asked: Asked) -> dict[int, str]:
        """Name the wanted groups."""
