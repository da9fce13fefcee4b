from dataclasses import replace

from raising import numbers
from train_runs_made import make_judgement

from subclust.figures.bars import QueryScores, helps_hurts_bars
from subclust.judging.record import JudgedMethod
from subclust.judging.verdict import FEWEST_QUERIES, compare_queries
from subclust.ui.train.judge import (
    _automatic_words,
    _compared_scores,
    _interval_in_words,
    _named_changes,
    _query_rows,
    _role_label,
    _scores_table,
    _verdict_words,
    _with_air,
)

BETTER = make_judgement("qs3m/mine", [0.2, 0.25, 0.3, 0.2, 0.22, 0.28, 0.21, 0.3])
MIXED = make_judgement("qs3m/mine", [0.2, -0.25, 0.3, -0.2, 0.01, -0.1, 0.0, 0.1])
SAME = make_judgement("qs3m/mine", [0.0] * 8)


def test_the_verdict_is_said_in_words_and_equal_is_not_unclear():
    assert _verdict_words(BETTER)[0] == "▲"
    assert _verdict_words(MIXED) != _verdict_words(SAME)


def test_too_few_questions_are_not_said_to_be_equal():
    few = make_judgement("qs3m/mine", [0.0] * (FEWEST_QUERIES - 1))
    assert _verdict_words(few) == _verdict_words(MIXED)


def test_methods_are_named_by_what_they_were():
    assert _role_label(BETTER, "new") == "After: qs3m/mine"
    assert _role_label(BETTER, "base") == "Before: qs3m/tiny"
    assert _role_label(BETTER, "baseline").startswith("Centred cosine")


def test_the_table_has_the_new_model_first_and_what_was_not_measured_says_so():
    _heads, rows = _scores_table(BETTER)
    assert [row[0] for row in rows[:2]] == ["After: qs3m/mine", "Before: qs3m/tiny"]
    holed = (*BETTER.methods[:2], JudgedMethod("baseline", "centred-cosine", {"ari": None}))
    _heads, rows = _scores_table(replace(BETTER, methods=holed))
    assert rows[2][1:] == ["not measured"]


def test_the_most_helped_and_the_most_hurt_are_named_with_by_how_much():
    helped, hurt = _named_changes(_compared_scores(MIXED, "base", "ari"))
    assert helped == ["query <2> (+0.30)", "query <0> (+0.20)", "query <7> (+0.10)"]
    assert hurt == ["query <1> (−0.25)", "query <3> (−0.20)", "query <5> (−0.10)"]
    assert _named_changes(_compared_scores(SAME, "base", "ari")) == ([], [])


def test_the_table_of_queries_goes_from_helped_to_hurt():
    rows = _query_rows(_compared_scores(MIXED, "base", "ari"))
    differences = [row["Difference"] for row in rows]
    assert differences == sorted(differences, reverse=True)
    assert rows[0]["Question"] == "query <2>"


def test_a_measure_that_was_not_taken_has_no_queries():
    assert _compared_scores(MIXED, "base", "auto_ari") == []


def test_the_interval_is_said_in_words():
    said = _interval_in_words(BETTER.comparison())
    assert numbers(said)[:3] == ["8", "0", "8"] and "95%" in said and " +0." in said
    assert numbers(_interval_in_words(SAME.comparison()))[0] == "8"
    lone = compare_queries([0.5], [0.4], against="base", measure="ari")
    assert "95%" not in _interval_in_words(lone)


def test_it_is_said_where_the_models_own_number_of_groups_makes_it_worse():
    worse = compare_queries([0.1] * 8, [0.3] * 8, against="base", measure="auto_ari")
    assert _automatic_words(BETTER) is None
    told = _automatic_words(replace(BETTER, comparisons=(*BETTER.comparisons, worse)))
    assert "worse" in told and "−0.20" in told
    alike = compare_queries([0.3] * 8, [0.1] * 8, against="base", measure="auto_ari")
    assert _automatic_words(replace(BETTER, comparisons=(*BETTER.comparisons, alike))) is None


def test_no_bar_touches_the_words_above_and_below():
    scores = [QueryScores("a", 0.5, 0.3), QueryScores("b", 0.2, 0.6)]
    low, high = _with_air(helps_hurts_bars(scores, "x", "y"), scores).layout.yaxis.range
    assert low < -0.45 and high > 0.25
