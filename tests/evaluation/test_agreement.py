from itertools import combinations

import pytest
from raising import raises
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    normalized_mutual_info_score,
    rand_score,
)

from subclust.core.exceptions import InputError
from subclust.evaluation.agreement import agreement, dispute

FIRST = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2, "f": -1}
SECOND = {"f": 5, "e": 5, "d": 3, "c": 3, "b": 3, "a": 4}


def test_groups_are_compared_by_id_not_by_position():
    result = agreement(FIRST, SECOND)
    labels = [FIRST[i] for i in "abcdef"], [SECOND[i] for i in "abcdef"]
    assert result.ari == pytest.approx(adjusted_rand_score(*labels))
    assert result.ami == pytest.approx(adjusted_mutual_info_score(*labels))
    assert result.nmi == pytest.approx(normalized_mutual_info_score(*labels))
    assert 0 < result.ari < 1
    assert agreement(SECOND, FIRST).ari == pytest.approx(result.ari)


def test_only_shared_passages_count():
    result = agreement(FIRST, {**SECOND, "g": 9} | {"h": 3})
    assert result == agreement(FIRST, SECOND)
    assert result.n_passages == 6


def test_the_same_groups_under_other_numbers_agree_fully():
    renamed = {id_: 7 - group for id_, group in FIRST.items()}
    result = agreement(FIRST, renamed)
    assert (result.ari, result.ami) == pytest.approx((1.0, 1.0))


def test_groupings_without_common_passages_are_refused():
    with raises(InputError):
        agreement(FIRST, {"z": 1})
    with raises(InputError):
        dispute(FIRST, {"z": 1}, ["z"])


def test_disputed_pairs_are_those_of_a_slow_loop():
    found = dispute(FIRST, SECOND, "fedcba")
    expected = {
        (one, other): 0 if FIRST[one] == FIRST[other] else 1
        for one, other in combinations("fedcba", 2)
        if (FIRST[one] == FIRST[other]) != (SECOND[one] == SECOND[other])
    }
    assert {(pair.first, pair.second): pair.together_in for pair in found.pairs} == expected
    assert set(expected.values()) == {0, 1}
    assert found.together_in_first == list(expected.values()).count(0)
    assert found.together_in_second == list(expected.values()).count(1)
    share = (found.together_in_first + found.together_in_second) / found.n_pairs
    labels = [FIRST[i] for i in "abcdef"], [SECOND[i] for i in "abcdef"]
    assert share == pytest.approx(1 - rand_score(*labels))


def test_pairs_of_the_first_passages_are_listed_first_and_all_are_counted(monkeypatch):
    whole = dispute(FIRST, SECOND, "abcdef")
    monkeypatch.setattr("subclust.evaluation.agreement._MOST_LISTED", 2)
    cut = dispute(FIRST, SECOND, "abcdef")
    assert cut.pairs == whole.pairs[:2]
    assert (cut.pairs[0].first, cut.pairs[0].second) == ("a", "b")
    assert cut.together_in_first == whole.together_in_first


def test_the_same_groups_have_no_disputed_pairs():
    found = dispute(FIRST, {id_: 7 - group for id_, group in FIRST.items()}, "abcdef")
    assert (found.together_in_first, found.together_in_second, found.pairs) == (0, 0, ())
