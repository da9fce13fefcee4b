from itertools import permutations

import numpy as np
import pytest

from subclust.evaluation.matching import match_groups


def grouping(text):
    """Read "aab" as: passages 0 and 1 in group a, passage 2 in b; "-" is other passages."""
    return {str(n): -1 if sign == "-" else ord(sign) - ord("a") for n, sign in enumerate(text)}


def shared(first, second, numbers):
    return sum(second[id_] != -1 and numbers[second[id_]] == first[id_] for id_ in first)


def test_the_first_grouping_keeps_its_numbers_and_a_renamed_one_takes_them():
    first, second = grouping("aabbcc"), grouping("ccaabb")
    kept, numbers = match_groups([first, second])
    assert kept == {0: 0, 1: 1, 2: 2, -1: -1}
    assert numbers == {2: 0, 0: 1, 1: 2, -1: -1}


@pytest.mark.parametrize("seed", range(20))
def test_no_other_assignment_shares_more_passages(seed):
    random = np.random.default_rng(seed)
    first, second = (
        {str(n): int(group) for n, group in enumerate(random.integers(4, size=25))}
        for _ in range(2)
    )
    numbers = match_groups([first, second])[1]
    groups = sorted(set(second.values()))
    best = max(
        shared(first, second, dict(zip(groups, chosen, strict=True)))
        for chosen in permutations(range(4), len(groups))
    )
    assert best > 0
    assert shared(first, second, numbers) == best
    assert len(set(numbers.values())) == len(numbers)


def test_a_group_that_is_left_over_gets_a_number_of_its_own():
    numbers = match_groups([grouping("aaaabb"), grouping("aabbcc")])[1]
    assert numbers[2] == 1
    assert {numbers[0], numbers[1]} == {0, 2}


def test_groups_of_nothing_are_matched_with_nothing():
    assert match_groups([{}, grouping("a")])[1] == {0: 0, -1: -1}
    assert match_groups([grouping("a"), {}])[1] == {-1: -1}


def test_groups_that_share_nothing_are_not_matched():
    numbers = match_groups([grouping("aa-"), grouping("--a")])[1]
    assert numbers[0] == 1


def test_other_passages_are_never_matched_with_a_group():
    numbers = match_groups([grouping("aa--"), grouping("--aa")])[1]
    assert numbers == {0: 1, -1: -1}


def test_a_group_that_only_later_groupings_have_is_the_same_among_them():
    second, third = match_groups([grouping("aaaaaa"), grouping("aaaabb"), grouping("bbbbaa")])[1:]
    assert second == {0: 0, 1: 1, -1: -1}
    assert third == {1: 0, 0: 1, -1: -1}


def test_the_order_of_the_passages_does_not_matter():
    first, second = grouping("aabbccdd"), grouping("abababab")
    turned = [dict(reversed(of.items())) for of in (first, second)]
    assert match_groups([first, second]) == match_groups(turned)
