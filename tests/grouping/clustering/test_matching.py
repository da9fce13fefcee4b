"""Groups of two groupings that stand for each other."""

from itertools import permutations

import numpy as np
import pytest

from subclust.pipeline.effect import _match_groups


def grouping(*groups, others=()):
    named = {str(one): number for number, group in enumerate(groups) for one in group}
    return named | {str(one): -1 for one in others}


def test_the_same_groups_in_another_order_get_their_numbers_back():
    before = grouping([1, 2, 3], [4, 5], [6], others=[7])
    after = grouping([6], [1, 2, 3], [4, 5], others=[7])
    assert _match_groups(before, after) == {0: 2, 1: 0, 2: 1, -1: -1}


def test_a_group_without_partner_takes_a_number_that_is_free():
    assert _match_groups(grouping([1, 2, 3, 4]), grouping([1], [2, 3, 4])) == {0: 2, 1: 0}
    assert _match_groups(grouping([1, 2]), grouping([8, 9])) == {0: 1}
    assert _match_groups({}, grouping([1])) == {0: 1}
    assert _match_groups(grouping([1]), {}) == {}


@pytest.mark.parametrize("seed", range(5))
def test_as_many_passages_as_possible_stay_in_their_group(seed):
    rng = np.random.default_rng(seed)
    before = {str(one): int(rng.integers(4)) for one in range(30)}
    after = {str(one): int(rng.integers(4)) for one in range(30)}
    numbers = _match_groups(before, after)
    stay = sum(numbers[after[one]] == before[one] for one in before)
    best = max(
        sum(order[after[one]] == before[one] for one in before) for order in permutations(range(4))
    )
    assert stay == best
    assert len(set(numbers.values())) == len(numbers)
