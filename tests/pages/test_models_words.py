import pytest

from subclust.ui.models_words import data_in_words


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
