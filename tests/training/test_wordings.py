import logging
import os
import subprocess

import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.training.augmentation import back_translation, wordings
from subclust.training.augmentation.back_translation import (
    ApertiumBackTranslator,
    _version_of,
    find_back_translator,
)
from subclust.training.augmentation.word_changes import MASK, RandomMasker
from subclust.training.augmentation.wordings import other_wordings, wording_makers

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
    label = "Reverser 1"

    def translate(self, texts):
        return [text[::-1] for text in texts]


def test_where_one_language_is_missing_masking_stands_in_and_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(
        wordings, "find_back_translator", lambda language: Reverser() if language == "es" else None
    )
    with caplog.at_level(logging.WARNING):
        makers = wording_makers("back-translation", share=0.3, seed=0, n_wordings=3)
    spanish, french, third = other_wordings(TEXTS, tmp_path, makers)
    assert spanish == [text[::-1] for text in TEXTS]
    assert french == [RandomMasker(0.3, 0, 1).augment(text) for text in TEXTS]
    assert third == [RandomMasker(0.3, 0, 2).augment(text) for text in TEXTS]
    assert [maker.label for maker in makers] == ["Reverser 1", "masking for French", "masking"]
    assert "translates over French" in caplog.text and "Spanish" not in caplog.text
    assert (tmp_path / "reverser.sqlite").is_file()


def test_masking_needs_no_translator_and_none_makes_none(tmp_path, monkeypatch):
    monkeypatch.setattr(wordings, "find_back_translator", None)
    makers = wording_makers("masking", share=0.3, seed=0)
    assert [maker.label for maker in makers] == ["masking"] * 2
    assert len(other_wordings(TEXTS, None, makers)) == 2
    assert wording_makers(None, share=0.3, seed=0) == []


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
    with raises(TrainingError, count=1, other_count=2, pair="eng-spa"):
        ApertiumBackTranslator().translate(["a", "b"])


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install an Apertium of a few bytes; give the folder of its dictionaries."""
    data = tmp_path / "share/apertium/apertium-eng-spa"
    modes, program = tmp_path / "share/apertium/modes", tmp_path / "bin/apertium"
    for folder in (data, modes, program.parent):
        folder.mkdir(parents=True)
    program.write_text('apertium_version="Apertium 3.8.3"')
    for pair in ("eng-spa", "spa-eng"):
        (data / f"{pair}.automorf.bin").write_text("words")
        (modes / f"{pair}.mode").write_text(
            f"lt-proc '{data / pair}.automorf.bin' | apertium-tagger -g $2 '{data / pair}.prob'"
        )
    monkeypatch.setattr(back_translation.shutil, "which", lambda name: str(program))
    return data


def test_another_apertium_or_dictionary_has_wordings_of_its_own(installed):
    def named():
        translator = ApertiumBackTranslator()
        assert translator.label == f"Apertium eng-spa and spa-eng ({translator.version})"
        return translator.name

    names = [named()]
    assert named() == names[0] and names[0].startswith("apertium-eng-spa-")
    (installed / "spa-eng.automorf.bin").write_text("other words")
    names.append(named())
    (installed / "eng-spa.prob").write_text("was missing")
    names.append(named())
    mode = installed.parent / "modes/eng-spa.mode"
    mode.write_text(mode.read_text() + " | lt-proc -p")
    names.append(named())
    (installed.parents[2] / "bin/apertium").write_text('apertium_version="Apertium 3.9"')
    names.append(named())
    assert len(set(names)) == len(names) == 5


def test_a_large_file_is_told_by_size_and_time_and_a_small_one_by_its_content(tmp_path):
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_text("a")
    large.write_bytes(bytes(1_000_001))
    before = _version_of([small, large])
    os.utime(small, ns=(1, 1))
    assert _version_of([large, small]) == before != _version_of([small, large], "more")
    os.utime(large, ns=(1, 1))
    assert _version_of([small, large]) != before
