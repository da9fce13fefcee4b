import re

import pytest
from raising import numbers

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.summary import CheckpointSummary
from subclust.ui.models.card import _compared
from subclust.ui.models.facts import (
    data_in_words,
    own_model_sentence,
    score_in_words,
)
from subclust.ui.models.list import _short_facts


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"name": "rivers@2", "set": "rivers", "version": 2, "licence": "not stated"},
            "rivers, version 2 (licence not stated)",
        ),
        (
            {"name": "wiki.jsonl", "licence": "CC BY-SA 4.0", "n_queries": 1200},
            "wiki.jsonl (1,200 questions, CC BY-SA 4.0)",
        ),
    ],
)
def test_a_training_set_is_named_once_with_its_version_and_licence(data, words):
    assert data_in_words(data) == words
    assert data_in_words({}).endswith(" (licence not stated)")


SETS = [
    {"set": "rivers", "version": 2, "n_queries": 40},
    {"name": "wiki.jsonl", "n_queries": 1},
    "no set",
]


@pytest.mark.parametrize(
    ("card", "facts"),
    [
        (
            {"created": "2001-02-03T12:05:00+00:00", "training_data": SETS},
            ["rivers", "2", "40", "wiki.jsonl", "1", "3", "2001"],
        ),
        (
            {"imported": "2001-02-04", "created": "2001-02-03", "training_data": SETS[:1]},
            ["4", "2001", "rivers", "2", "40", "3", "2001"],
        ),
        ({"created": "2001-02-03", "training_data": "none"}, ["3", "2001"]),
    ],
)
def test_a_model_of_ones_own_is_told_with_its_set_and_day(card, facts):
    told = own_model_sentence(Checkpoint("qs3m", "ours", {}, {}, card))
    assert told.startswith("ours ") and re.findall(r"\d+|rivers|wiki\.jsonl", told) == facts
    assert own_model_sentence(Checkpoint("qs3m", "ours", {}, {}, card, shipped=True)) is None


def test_scores_have_three_decimals_and_queries_none():
    told = [("ari", 0.28312), ("validation_queries", 600), ("ari", None), ("ari", 1)]
    assert [score_in_words(*one) for one in told] == ["0.283", "600", "–", "1.000"]


def test_what_is_off_in_one_and_unknown_in_the_other_is_no_difference():
    rows = [("training.lora_rank", None, 0), ("training.patience", 3, 0)]
    ((*_, shown),) = _compared(
        {
            "first": {"method": "qs3m", "name": "a"},
            "second": {"method": "qs3m", "name": "b"},
            "scores": [],
            "differences": [dict(zip(("field", "first", "second"), r, strict=True)) for r in rows],
        }
    )
    assert len(shown) == 1 and shown[0][1] == "3"


def facts(**known):
    return _short_facts(CheckpointSummary("qs3m", "ours", False, False, **known))


def test_the_list_sets_a_figure_beside_another_of_the_same_queries_only():
    scores = {"validation_ari": 0.315, "validation_queries": 6.0}
    judgement = {
        "verdict": "worse",
        "n_queries": 8,
        "methods": [
            {"role": "new", "name": "qs3m/ours", "means": {"ari": 0.296}},
            {"role": "base", "name": "qs3m/title", "means": {"ari": 0.383}},
        ],
    }
    told = facts(scores=scores, judgement=judgement)
    assert "ARI 0.296 against 0.383 for title" in told and "8 questions" in told
    assert "0.315" not in told
    lone = facts(scores=scores, judgement=judgement | {"n_queries": 1})
    assert not re.search(r"\b1 question", lone)


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ({"validation_ari": 0.257, "validation_queries": 600.0}, ["600"]),
        ({"validation_ari": 0.257, "validation_queries": 1}, ["1"]),
        ({"validation_ari": 0.257}, []),
    ],
)
def test_a_figure_alone_says_on_what_it_was_measured(scores, count):
    for judgement in ({}, {"verdict": "better"}, {"methods": [{"name": "x"}], "n_queries": 3}):
        told = facts(scores=scores, judgement=judgement)
        assert numbers(told) == ["0.257", *count]
    assert "ARI" not in facts(scores={"validation_queries": 600})
