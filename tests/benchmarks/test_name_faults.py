import json

import pytest
from made_library import make_library

from benchmarks import asked
from benchmarks.__main__ import main
from benchmarks.asked import FAULTS, NamedGroup, faults_of
from benchmarks.results import read_result
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.text.encoders import HashingEncoder

OTHERS = NamedGroup("tax law", "Old taxes", ["Data on taxes.", "Data of courts.", "Taxes rise."])


def faults(name, texts=("The data of file formats.",), question="storage"):
    return faults_of([NamedGroup(question, name, texts), OTHERS])[0]


def test_a_good_name_has_none():
    assert faults("File formats") == []


def test_a_word_alone_is_general_where_passages_of_other_questions_say_it():
    assert faults("Data") == ["lone and general"]
    assert faults("Storage data", ["Storage data", "data"]) == []
    assert faults("Data", question=OTHERS.question) == []


@pytest.mark.parametrize("name", ["Storage", "The storages"])
def test_words_of_the_question_alone(name):
    assert faults(name, ["The storage is full."]) == ["of the question"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("Web archives", "the web archives initiative"), ("Putida", "P. putida, and P. putida")],
)
def test_a_piece_of_what_passages_say_is_a_fragment(name, text):
    assert faults(name, [text]) == ["fragment"]
    assert faults(name, [text, f"{name}. {name} and {name}."]) == []


def test_halves_are_apart_where_no_passage_has_both():
    assert faults("Tin and wool", ["Of tin.", "Of wool."]) == ["halves apart"]
    assert faults("Tin and wool", ["Of tin.", "Of wool. No tin."]) == []


def test_half_of_the_passages_bear_a_name_out():
    assert faults("Early life", ["Born in Leeds", "A film", "Early films"]) == ["not borne out"]
    assert faults("Early life", ["Born early", "A film"]) == []


def test_the_command_counts_the_faults_of_the_names_it_saves(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(asked, "RESULTS_DIR", tmp_path)
    subjects = ("merchants refused the tax on tea", "the French fleet left the harbour")
    passages = [
        Passage(f"{row}-{text}", f"Letter {row} of the war: {text}.", title=f"Letter {row}")
        for text in subjects
        for row in range(8)
    ]
    settings = Settings.from_environment()
    make_library(settings.library_dir, HashingEncoder(), passages, "letters")
    command = ["asked", "--library", "letters", "--question", "letters of the war"]
    assert main([*command, "--method", "centred-cosine", "--save"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    saved = read_result(tmp_path / "asked" / "letters.json")
    groups = saved["asked"]["letters of the war"]["groups"]
    assert groups and told == {"questions": 1, "names": len(groups), "faults": saved["faults"]}
    assert set(saved["faults"]) == set(FAULTS)
    for fault, number in saved["faults"].items():
        assert number == sum(fault in one["faults"] for one in groups)
