import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from subclust.evaluation.agreement import agreement
from subclust.exceptions import InputError

FIRST = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2, "f": -1}
SECOND = {"f": 5, "e": 5, "d": 3, "c": 3, "b": 3, "a": 4}


def test_groups_are_compared_by_id_not_by_position():
    result = agreement(FIRST, SECOND)
    labels = [FIRST[i] for i in "abcdef"], [SECOND[i] for i in "abcdef"]
    assert result.ari == pytest.approx(adjusted_rand_score(*labels))
    assert result.ami == pytest.approx(adjusted_mutual_info_score(*labels))
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
    with pytest.raises(InputError, match="no passages in common"):
        agreement(FIRST, {"z": 1})
