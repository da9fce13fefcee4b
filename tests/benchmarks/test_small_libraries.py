"""Small libraries of abstracts, asked for what they have."""

import gzip
import json

import numpy as np
import pytest
from raising import raises

from benchmarks import small_libraries
from benchmarks.small_libraries import Answer, _grouped, measure, shelves_of, words_of_title
from subclust.core.exceptions import InputError
from subclust.text.encoders import HashingEncoder


@pytest.mark.parametrize("seed", range(20))
def test_a_question_is_some_words_in_a_row_of_a_title(seed):
    asked = words_of_title("On the Tides and Harbours of East Frisia", np.random.default_rng(seed))
    assert asked in "tides harbours east frisia" and 1 <= len(asked.split()) <= 2


def test_a_title_without_words_asks_nothing():
    assert words_of_title("On the", np.random.default_rng(0)) == ""


def test_shares_of_each_size(tmp_path, monkeypatch):
    monkeypatch.setattr(small_libraries, "N_QUESTIONS", 4)
    file = tmp_path / "records.jsonl.gz"
    with gzip.open(file, "wt") as stream:
        for archive in small_libraries.ARCHIVES:
            for number in range(15):
                title = f"{archive} star{number}{archive}"
                record = {"archive": archive, "title": title, "text": "It shines."}
                stream.write(json.dumps(record) + "\n")
    encoder = HashingEncoder()
    rows = list(measure(shelves_of(file, encoder), encoder))
    assert [row["n_records"] for row in rows] == list(small_libraries.SIZES)
    for row in rows:
        assert 0 <= row["denied"] <= row["denied_by_models"] <= 1
        assert 0 <= row["recognised"] <= row["recognised_by_models"] <= 1


def test_what_is_grouped_is_told_of_questions_that_few_records_answer():
    def said(*saying):
        grouped = np.array([True, True, False, True, False, False])
        return Answer(True, True, grouped, np.isin(range(6), saying))

    told = _grouped([said(0, 1, 2), said(0, 1, 3), said(0)])
    assert told == {"n_few": 2, "grouped": 3.0, "grouped_say": 0.833, "say_grouped": 0.833}
    assert _grouped([said(0)]) == {"n_few": 0}


def test_records_that_are_not_there_are_missed(tmp_path):
    with raises(InputError, path=str(tmp_path / "none")):
        shelves_of(tmp_path / "none", HashingEncoder())
