import math

import pytest
from made_comparisons import hits, made
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from subclust.comparison import GoldScores, QueryResult, gold_labels, gold_scores, sum_up
from subclust.core.exceptions import InputError


def passages(labels, titles=""):
    return [hit.passage for hit in hits(len(labels), labels, titles)]


def result(query, *aris):
    return QueryResult(query, tuple(GoldScores(ari, ari, ari, ari, 9, 3) for ari in aris))


def test_scores_are_those_of_the_labelled_passages_alone():
    found = made("001120", "000111", labels="aabb a")
    ids = "01235"
    groups = [[found.groups(place)[id_] for id_ in ids] for place in (0, 1)]
    for gold, predicted in zip(found.gold, groups, strict=True):
        assert gold.ari == pytest.approx(adjusted_rand_score(list("aabba"), predicted))
        assert gold.nmi == pytest.approx(normalized_mutual_info_score(list("aabba"), predicted))
        assert (gold.n_passages, gold.n_labels) == (5, 2)
    assert found.gold[0].ari != found.gold[1].ari


def test_the_same_label_in_two_documents_is_two_subtopics():
    assert gold_labels(passages("aaab", titles="XXYY")) == {
        "0": "X / a",
        "1": "X / a",
        "2": "Y / a",
        "3": "Y / b",
    }


def test_records_with_titles_of_their_own_share_labels():
    assert gold_labels(passages("aab", titles="XYZ")) == {"0": "a", "1": "a", "2": "b"}


@pytest.mark.parametrize("labels", ["    ", "aaaa", "abcd", "a   "])
def test_there_is_nothing_to_score_where_labels_say_nothing(labels):
    groups = {str(n): n % 2 for n in range(4)}
    assert gold_scores(passages(labels), groups) is None


def test_a_steady_difference_over_queries_is_told_from_chance():
    over = sum_up([result(f"q{n}", 0.3 + n / 50, 0.5 + n / 45) for n in range(8)], ["no labels"])
    (difference,) = over.differences
    assert over.means[1] - over.means[0] == pytest.approx(difference.test.mean_difference)
    assert difference.interval.low > 0
    assert difference.test.is_significant()
    assert (difference.helps.wins, difference.helps.losses) == (8, 0)
    assert over.passed_over == ("no labels",)


def test_a_difference_that_goes_both_ways_is_not():
    signs = [1, -1, 1, -1, 1, -1]
    over = sum_up([result(f"q{n}", 0.5, 0.5 + sign * 0.2) for n, sign in enumerate(signs)])
    assert over.differences[0].interval.low < 0 < over.differences[0].interval.high
    assert not over.differences[0].test.is_significant()
    assert (over.differences[0].helps.wins, over.differences[0].helps.losses) == (3, 3)


def test_tests_are_corrected_for_the_number_of_columns():
    over = sum_up([result(f"q{n}", 0.3, 0.3 + n / 9, 0.3 - n / 9) for n in range(6)])
    for difference in over.differences:
        assert difference.test.n_comparisons == 2
        assert difference.test.p_corrected == pytest.approx(min(1, 2 * difference.test.p_value))


def test_one_query_proves_nothing():
    over = sum_up([result("q", 0.1, 0.9)])
    assert math.isnan(over.differences[0].interval.low)
    assert over.to_dict()["differences"][0]["test"]["p_corrected"] is None


def test_no_query_with_labels_is_one_plain_sentence():
    with pytest.raises(InputError):
        sum_up([], ["a", "b"])
