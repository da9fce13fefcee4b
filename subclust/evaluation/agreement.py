"""How far two groupings of the same passages agree, and about which pairs they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES
from subclust.evaluation.metrics import (
    adjusted_mutual_information,
    adjusted_rand_index,
    normalised_mutual_information,
)


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
        The first ones, as many as were asked for.
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
    *,
    at_most: int = 200,
) -> Dispute:
    """Find the pairs of passages that only one of two groupings has in one group.

    Parameters
    ----------
    first, second : mapping of str to int
        Group of each passage by its id; "other passages" (-1) count as one group.
    ids : sequence of str
        Passages, most important first: pairs of important passages are listed first. Those that
        are not in both groupings are passed over.
    at_most : int
        How many pairs are listed; all are counted.

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
    order = np.lexsort((rows, rows + columns))[:at_most]
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


def match_groups(groupings: Sequence[Mapping[str, int]]) -> list[dict[int, int]]:
    """Assign one number to groups that hold mostly the same passages.

    The first grouping keeps its numbers. Groups of each further one are assigned one to one to the
    groups that are known by then, so that the passages shared by the pairs are as many as possible;
    a group that is left over, or would share nothing, gets a number of its own.

    Source: H. W. Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics
    Quarterly 2 (1955), pages 83-97.

    Parameters
    ----------
    groupings : sequence of mapping of str to int
        Group of each passage by its id.

    Returns
    -------
    list of dict of int to int
        For each grouping the number of each of its groups; "other passages" (-1) stay what they
        are.
    """
    known: dict[int, set[str]] = {}
    matched = []
    for grouping in groupings:
        members: dict[int, set[str]] = {}
        for passage_id, group in grouping.items():
            members.setdefault(group, set()).add(passage_id)
        members.pop(OTHER_PASSAGES, None)
        groups = sorted(members)
        numbers = _assigned(groups, members, known) if known else {group: group for group in groups}
        fresh = max([*known, *numbers.values()], default=-1) + 1
        for group in groups:
            if group not in numbers:
                numbers[group], fresh = fresh, fresh + 1
            known.setdefault(numbers[group], members[group])
        matched.append(numbers | {OTHER_PASSAGES: OTHER_PASSAGES})
    return matched


def _assigned(
    groups: Sequence[int], members: Mapping[int, set[str]], known: Mapping[int, set[str]]
) -> dict[int, int]:
    """Assign groups to known ones by the passages they share; those that share none are left."""
    from scipy.optimize import linear_sum_assignment  # half a second, for a query asked twice

    shared = np.array([[len(members[group] & of) for of in known.values()] for group in groups])
    # Without groups the array has one dimension, and the solver wants two.
    rows, columns = linear_sum_assignment(shared.reshape(len(groups), len(known)), maximize=True)
    numbers = list(known)
    return {
        groups[row]: numbers[column]
        for row, column in zip(rows, columns, strict=True)
        if shared[row, column]
    }
