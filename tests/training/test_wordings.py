import logging
import subprocess

import pytest

from subclust.exceptions import TrainingError
from subclust.training.augmentation import back_translation, wordings
from subclust.training.augmentation.back_translation import (
    ApertiumBackTranslator,
    find_back_translator,
)
from subclust.training.augmentation.masking import MASK, RandomMasker
from subclust.training.augmentation.wordings import other_wordings

TEXTS = [f"the quick brown fox jumps over the lazy dog again today number {n}" for n in range(9)]


@pytest.mark.parametrize(("share", "hidden"), [(0.3, 4), (0.15, 2), (0.01, 1), (0.99, 12)])
def test_the_stated_share_of_words_is_masked(share, hidden):
    for text in TEXTS:
        found = RandomMasker(share).augment(text).split()
        assert len(found) == 13 and found.count(MASK) == hidden
        pairs = zip(found, text.split(), strict=True)
        assert all(a in (b, MASK) for a, b in pairs)


def test_two_wordings_differ_and_the_same_seed_gives_the_same():
    first, second = (RandomMasker(0.3, 0, number) for number in (0, 1))
    assert [first.augment(t) for t in TEXTS] == [first.augment(t) for t in TEXTS]
    assert [first.augment(t) for t in TEXTS] != [second.augment(t) for t in TEXTS]
    assert len({first.name, second.name, RandomMasker(0.3, 1).name}) == 3
    assert RandomMasker(0.9).augment("word") == "word"


class Reverser:
    name = "reverser"

    def translate(self, texts):
        return [text[::-1] for text in texts]


def test_where_one_language_is_missing_masking_stands_in_and_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(
        wordings, "find_back_translator", lambda language: Reverser() if language == "es" else None
    )
    with caplog.at_level(logging.WARNING):
        spanish, french = other_wordings(TEXTS, tmp_path, how="back-translation", share=0.3, seed=0)
    assert spanish == [text[::-1] for text in TEXTS]
    assert french == [RandomMasker(0.3, 0, 1).augment(text) for text in TEXTS]
    assert "translates over French" in caplog.text and "Spanish" not in caplog.text
    assert (tmp_path / "reverser.sqlite").is_file()


def test_masking_needs_no_translator_and_none_makes_none(tmp_path, monkeypatch):
    monkeypatch.setattr(wordings, "find_back_translator", None)
    assert len(other_wordings(TEXTS, None, how="masking", share=0.3, seed=0)) == 2
    assert other_wordings(TEXTS, None, how=None, share=0.3, seed=0) == []


def test_nothing_is_found_where_there_is_nothing(monkeypatch):
    monkeypatch.setattr(back_translation, "_cached", lambda model: None)
    monkeypatch.setattr(back_translation.shutil, "which", lambda name: None)
    assert find_back_translator("es") is None and find_back_translator("fr") is None


def fake_apertium(monkeypatch, answer):
    def run(command, **options):
        if command == ["apertium", "-l"]:
            return subprocess.CompletedProcess(command, 0, "  eng-spa\n  spa-eng\n", "")
        assert command[:2] == ["apertium", "-u"]
        return subprocess.CompletedProcess(command, 0, answer(options["input"], command[2]), "")

    monkeypatch.setattr(back_translation, "_cached", lambda model: None)
    monkeypatch.setattr(back_translation.shutil, "which", lambda name: "/usr/bin/apertium")
    monkeypatch.setattr(back_translation.subprocess, "run", run)


def test_apertium_translates_line_by_line_there_and_back(monkeypatch):
    fake_apertium(monkeypatch, lambda given, pair: given.replace("\n", f" {pair[:3]}\n"))
    found = find_back_translator("es")
    assert isinstance(found, ApertiumBackTranslator) and find_back_translator("fr") is None
    assert found.translate(["a\nline", "b"]) == ["a line eng spa", "b eng spa"]


def test_apertium_that_loses_lines_is_refused(monkeypatch):
    fake_apertium(monkeypatch, lambda given, pair: "one line\n")
    with pytest.raises(TrainingError, match="gave 1 lines for 2"):
        ApertiumBackTranslator().translate(["a", "b"])
