"""How far two groupings of the same passages agree, and about which pairs they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from subclust.core.exceptions import InputError
from subclust.evaluation.metrics import (
    adjusted_mutual_information,
    adjusted_rand_index,
    normalised_mutual_information,
)

_MOST_LISTED = 200
"""Disputed pairs that are listed; all are counted."""


@dataclass(frozen=True)
class Agreement:
    """Agreement of two groupings, neither of which is the right one.

    Parameters
    ----------
    ari, ami : float
        At most 1, which is full agreement; 0 is chance.
    nmi : float
        0 to 1, which is full agreement; chance gives more than 0, the more the smaller the groups.
    n_passages : int
        Passages that are in both groupings; the others do not count.
    """

    ari: float
    ami: float
    nmi: float
    n_passages: int


@dataclass(frozen=True)
class DisputedPair:
    """Two passages that one grouping puts together and the other does not.

    Parameters
    ----------
    first, second : str
        Ids of the passages.
    together_in : {0, 1}
        Which of the two groupings has them in one group.
    """

    first: str
    second: str
    together_in: int


@dataclass(frozen=True)
class Dispute:
    """All pairs of passages about which two groupings disagree.

    Parameters
    ----------
    n_pairs : int
        Pairs of passages in all.
    together_in_first, together_in_second : int
        Pairs that only the first, or only the second grouping has in one group. Their sum over
        `n_pairs` is 1 minus the Rand index.
    pairs : tuple of DisputedPair
        The first ones.
    """

    n_pairs: int
    together_in_first: int
    together_in_second: int
    pairs: tuple[DisputedPair, ...]


def agreement(first: Mapping[str, int], second: Mapping[str, int]) -> Agreement:
    """Compare two groupings by passage id.

    Parameters
    ----------
    first, second : mapping of str to int
        Group of each passage by its id; "other passages" (-1) count as one group.

    Raises
    ------
    InputError
        If the groupings have no passage in common.
    """
    shared = sorted(_shared(first, second))
    labels = [first[id_] for id_ in shared], [second[id_] for id_ in shared]
    return Agreement(
        ari=adjusted_rand_index(*labels),
        ami=adjusted_mutual_information(*labels),
        nmi=normalised_mutual_information(*labels),
        n_passages=len(shared),
    )


def dispute(
    first: Mapping[str, int],
    second: Mapping[str, int],
    ids: Sequence[str],
) -> Dispute:
    """Find the pairs of passages that only one of two groupings has in one group.

    Parameters
    ----------
    first, second : mapping of str to int
        Group of each passage by its id; "other passages" (-1) count as one group.
    ids : sequence of str
        Passages, most important first: pairs of important passages are listed first. Those that
        are not in both groupings are passed over.

    Raises
    ------
    InputError
        If the groupings have no passage in common.
    """
    both = _shared(first, second)
    shared = [id_ for id_ in dict.fromkeys(ids) if id_ in both]
    one, other = (np.array([of[id_] for id_ in shared]) for of in (first, second))
    upper = np.triu(np.ones((len(shared), len(shared)), dtype=bool), k=1)
    in_first = (one[:, None] == one) & upper
    in_second = (other[:, None] == other) & upper
    only_first, only_second = in_first & ~in_second, in_second & ~in_first
    rows, columns = np.nonzero(only_first | only_second)
    # lexsort's last key counts first: pairs come by the sum of their ranks.
    order = np.lexsort((rows, rows + columns))[:_MOST_LISTED]
    return Dispute(
        n_pairs=int(upper.sum()),
        together_in_first=int(only_first.sum()),
        together_in_second=int(only_second.sum()),
        pairs=tuple(
            DisputedPair(shared[row], shared[column], 0 if only_first[row, column] else 1)
            for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
        ),
    )


def _shared(first: Mapping[str, int], second: Mapping[str, int]) -> set[str]:
    shared = first.keys() & second.keys()
    if not shared:
        raise InputError("The two groupings have no passages in common.")
    return shared
