"""Which group of one grouping stands for which of another, so that colours can stay."""

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linear_sum_assignment

from subclust.core.records import OTHER_PASSAGES


def match_groups(before: Mapping[str, int], after: Mapping[str, int]) -> dict[int, int]:
    """Map each group of a grouping to the number of the one it has most in common with.

    Each group stands for at most one: such that as many passages as possible are in groups that
    stand for each other (the Hungarian algorithm on the overlaps). A group that has nothing in
    common with its partner stands for none, and takes a number that neither grouping has.

    Parameters
    ----------
    before, after : mapping of str to int
        Group of each passage by its id; "other passages" (-1) stand for themselves.

    Returns
    -------
    dict of int to int
        For each group of `after` its number; no two get the same.
    """
    rows = sorted(set(before.values()) - {OTHER_PASSAGES})
    columns = sorted(set(after.values()) - {OTHER_PASSAGES})
    row_of = {group: row for row, group in enumerate(rows)}
    column_of = {group: column for column, group in enumerate(columns)}
    together = np.zeros((len(rows), len(columns)))
    for passage, group in after.items():
        if group in column_of and before.get(passage) in row_of:
            together[row_of[before[passage]], column_of[group]] += 1
    numbers = {
        columns[column]: rows[row]
        for row, column in zip(*linear_sum_assignment(together, maximize=True), strict=True)
        if together[row, column] > 0
    }
    free = max([*rows, *columns, -1]) + 1
    for group in columns:
        if group not in numbers:
            numbers[group], free = free, free + 1
    return numbers | ({OTHER_PASSAGES: OTHER_PASSAGES} if OTHER_PASSAGES in after.values() else {})
