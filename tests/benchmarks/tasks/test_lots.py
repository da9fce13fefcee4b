from collections import Counter

import pytest

from benchmarks.tasks.lots import Lots


def test_a_run_is_the_same_everywhere():
    # Written down once: another machine, or another version of anything, must draw the same.
    lots = Lots(7, "subset 3")
    assert [lots.below(1000) for _ in range(5)] == [36, 993, 978, 222, 622]
    assert Lots(8, "subset 3").share() != Lots(7, "subset 3").share() != Lots(7, "subset 4").share()


def test_shares_are_even_and_below_one():
    lots = Lots(0, "even")
    shares = [lots.share() for _ in range(4000)]
    assert 0 <= min(shares) < 0.01 and 0.99 < max(shares) < 1
    tenths = Counter(int(10 * share) for share in shares)
    assert sorted(tenths) == list(range(10))
    assert all(count == pytest.approx(400, abs=80) for count in tenths.values())


def test_numbers_lie_where_they_are_asked_for():
    lots = Lots(0, "between")
    assert {lots.below(3) for _ in range(60)} == {0, 1, 2}
    assert {lots.between(4, 6) for _ in range(60)} == {4, 5, 6}


def test_places_are_picked_by_weight():
    lots = Lots(0, "pick")
    drawn = Counter(lots.pick([1.0, 0.0, 3.0]) for _ in range(2000))
    assert set(drawn) == {0, 2}
    assert drawn[2] / drawn[0] == pytest.approx(3, abs=0.5)


def test_some_items_without_any_twice():
    lots = Lots(0, "some")
    drawn = [tuple(lots.some("abcd", 2)) for _ in range(400)]
    assert all(first != second for first, second in drawn) and len(set(drawn)) == 12
    assert sorted(lots.some("abcd", 9)) == list("abcd")
