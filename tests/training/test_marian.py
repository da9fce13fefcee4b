import shutil

import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.training.augmentation import back_translation
from subclust.training.augmentation.back_translation import (
    ApertiumBackTranslator,
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
    assert isinstance(found, MarianBackTranslator) and found.name.startswith("opus-mt-en-fr-")
    assert found.label == f"Opus-MT en-fr and fr-en ({found.version})"
    first, again = found.translate(TEXTS), found.translate(TEXTS)
    assert len(first) == 3 and first == again
    assert all(isinstance(text, str) for text in first)


def test_without_sentencepiece_or_the_way_back_the_next_one_is_taken(folder, monkeypatch):
    monkeypatch.setattr(back_translation, "_apertium_knows", lambda pairs: True)
    only_there = {"Helsinki-NLP/opus-mt-en-es": folder}
    monkeypatch.setattr(back_translation, "_cached", only_there.get)
    assert isinstance(find_back_translator("es"), ApertiumBackTranslator)
    monkeypatch.setattr(back_translation, "_cached", lambda model: folder)
    monkeypatch.setattr(back_translation.importlib.util, "find_spec", lambda name: None)
    assert isinstance(find_back_translator("es"), ApertiumBackTranslator)
    assert find_back_translator("fr") is None


def test_other_models_and_what_reads_them_have_wordings_of_their_own(folder, tmp_path, monkeypatch):
    there, back = (shutil.copytree(folder, tmp_path / name) for name in ("there", "back"))
    names = [MarianBackTranslator(there, back, "es").name]
    assert MarianBackTranslator(there, back, "es").name == names[0]
    with (back / "model.safetensors").open("ab") as weights:
        weights.write(b"more")
    names.append(MarianBackTranslator(there, back, "es").name)
    (there / "vocab.json").write_text("{}")
    names.append(MarianBackTranslator(there, back, "es").name)
    monkeypatch.setattr(back_translation, "_installed", lambda package: f"{package} 99")
    names.append(MarianBackTranslator(there, back, "es").name)
    assert len(set(names)) == 4


@pytest.mark.parametrize("lost", ["source.spm", "vocab.json", "model.safetensors", "config.json"])
def test_a_model_that_came_in_part_is_told_in_a_sentence(folder, tmp_path, lost):
    part = shutil.copytree(folder, tmp_path / "part")
    (part / lost).unlink()
    with raises(TrainingError) as told:
        MarianBackTranslator(part, part, "es").translate(TEXTS)
    assert "\n" not in str(told.value)
