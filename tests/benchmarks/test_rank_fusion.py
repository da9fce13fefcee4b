import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from benchmarks.rank_fusion import reciprocal_rank_fusion
from subclust.core.exceptions import InputError

RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


@given(RANKINGS, st.integers(0, 100))
def test_against_the_slow_obvious_form(rankings, k):
    ids = {id_ for ranking in rankings for id_ in ranking}
    slow = {
        id_: sum(
            (Fraction(1, k + ranking.index(id_) + 1) for ranking in rankings if id_ in ranking),
            Fraction(0),
        )
        for id_ in ids
    }
    fused = reciprocal_rank_fusion(rankings, k)
    assert {id_ for id_, _ in fused} == ids
    for id_, score in fused:
        assert score == pytest.approx(float(slow[id_]))
    assert all(a[1] >= b[1] for a, b in zip(fused, fused[1:], strict=False))


def test_what_both_find_beats_what_one_finds_first():
    assert [id_ for id_, _ in reciprocal_rank_fusion([["a", "b"], ["c", "b"]])][0] == "b"


def test_ties_are_broken_by_id():
    fused = reciprocal_rank_fusion([["z", "m"], ["a", "b"]])
    assert [id_ for id_, _ in fused] == ["a", "z", "b", "m"]


def test_the_order_of_the_rankings_does_not_matter():
    rankings = [random.Random(seed).sample("abcdefgh", 6) for seed in range(2)]
    assert reciprocal_rank_fusion(rankings) == reciprocal_rank_fusion(rankings[::-1])


def test_nothing_gives_nothing_and_a_negative_constant_is_refused():
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []
    with raises(InputError, k=-1):
        reciprocal_rank_fusion([["a"]], k=-1)
