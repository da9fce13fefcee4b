import shutil

import pytest

from subclust.exceptions import TrainingError
from subclust.training.augmentation import back_translation
from subclust.training.augmentation.back_translation import (
    MarianBackTranslator,
    find_back_translator,
)

pytest.importorskip("sentencepiece")
pytestmark = pytest.mark.usefixtures("one_thread")

TEXTS = ["taxes colonies army", "ant burrow", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from tiny_marian import make_tiny_marian

    return make_tiny_marian(tmp_path_factory.mktemp("tiny-marian"))


def test_a_model_of_the_cache_is_taken_before_apertium_and_translates(folder, monkeypatch):
    monkeypatch.setattr(back_translation, "_cached", lambda model: folder)
    monkeypatch.setattr(back_translation, "_apertium_knows", lambda pairs: True)
    found = find_back_translator("fr")
    assert isinstance(found, MarianBackTranslator) and found.name == "marian-en-fr"
    first, again = found.translate(TEXTS), found.translate(TEXTS)
    assert len(first) == 3 and first == again
    assert all(isinstance(text, str) for text in first)


def test_without_sentencepiece_or_the_way_back_the_next_one_is_taken(folder, monkeypatch):
    monkeypatch.setattr(back_translation, "_apertium_knows", lambda pairs: True)
    only_there = {"Helsinki-NLP/opus-mt-en-es": folder}
    monkeypatch.setattr(back_translation, "_cached", only_there.get)
    assert find_back_translator("es").name == "apertium-en-es"
    monkeypatch.setattr(back_translation, "_cached", lambda model: folder)
    monkeypatch.setattr(back_translation.importlib.util, "find_spec", lambda name: None)
    assert find_back_translator("es").name == "apertium-en-es"
    assert find_back_translator("fr") is None


@pytest.mark.parametrize("lost", ["source.spm", "vocab.json", "model.safetensors", "config.json"])
def test_a_model_that_came_in_part_is_told_in_a_sentence(folder, tmp_path, lost):
    part = shutil.copytree(folder, tmp_path / "part")
    (part / lost).unlink()
    with pytest.raises(TrainingError, match="cannot be loaded .*; fetch it again, or set") as told:
        MarianBackTranslator(part, part, "es").translate(TEXTS)
    assert "\n" not in str(told.value)
