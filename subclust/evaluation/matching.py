"""Groups of several groupings that hold mostly the same passages."""

from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.records import OTHER_PASSAGES


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
