import pytest

from subclust.checkpoints import Checkpoint
from subclust.ui.models_html import comparison_html
from subclust.ui.models_words import data_in_words, own_model_sentence, score_in_words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"name": "rivers@2", "set": "rivers", "version": 2, "licence": "not stated"},
            "rivers, version 2 (licence not stated)",
        ),
        (
            {"name": "wiki.jsonl", "licence": "CC BY-SA 4.0", "n_queries": 1200},
            "wiki.jsonl (1,200 queries, CC BY-SA 4.0)",
        ),
        ({}, "a set without a name (licence not stated)"),
    ],
)
def test_a_training_set_is_named_once_with_its_version_and_licence(data, words):
    assert data_in_words(data) == words


SETS = [
    {"set": "rivers", "version": 2, "n_queries": 40},
    {"name": "wiki.jsonl", "n_queries": 1},
    "no set",
]


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (
            {"created": "2001-02-03T12:05:00+00:00", "training_data": SETS},
            "ours is your own model, trained on rivers, version 2 (40 queries) and wiki.jsonl "
            "(1 query) on 3 February 2001.",
        ),
        (
            {"imported": "2001-02-04", "created": "2001-02-03", "training_data": SETS[:1]},
            "ours is a model that was added here on 4 February 2001, trained on rivers, version 2 "
            "(40 queries) on 3 February 2001.",
        ),
        (
            {"created": "2001-02-03", "training_data": "none"},
            "ours is your own model, of which is not known what it was trained on, made on "
            "3 February 2001.",
        ),
    ],
)
def test_a_model_of_ones_own_is_told_with_its_set_and_day(card, words):
    assert own_model_sentence(Checkpoint("qs3m", "ours", {}, {}, card)) == words
    assert own_model_sentence(Checkpoint("qs3m", "ours", {}, {}, card, shipped=True)) is None


def test_scores_have_three_decimals_and_queries_none():
    told = [("ari", 0.28312), ("validation_queries", 600), ("ari", None), ("ari", 1)]
    assert [score_in_words(*one) for one in told] == ["0.283", "600", "–", "1.000"]


def test_what_is_off_in_one_and_unknown_in_the_other_is_no_difference():
    rows = [("training.lora_rank", None, 0), ("training.patience", 3, 0)]
    shown = comparison_html(
        {
            "first": {"method": "qs3m", "name": "a"},
            "second": {"method": "qs3m", "name": "b"},
            "scores": [],
            "differences": [dict(zip(("field", "first", "second"), r, strict=True)) for r in rows],
        }
    )
    assert "patience" in shown and "lora" not in shown
