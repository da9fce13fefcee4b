import logging

import numpy as np
import pytest

from subclust.training.augmentation.word_changes import (
    EasyAugmenter,
    _delete_words,
    _insert_words,
    _replace_words,
    _swap_words,
    find_wordnet,
    read_synonyms,
)
from subclust.training.augmentation.wordings import augmented

SYNONYMS = {"quick": ("fast", "speedy"), "dog": ("hound",), "the": ("teh",)}
WORDS = "the quick brown fox bites the lazy dog".split()


def generator():
    return np.random.default_rng(3)


def test_a_replaced_word_is_replaced_wherever_it_stands_and_no_stop_word_is():
    doubled = [*WORDS, "Quick"]
    found = _replace_words(["quick", *doubled], 5, SYNONYMS, generator())
    assert found[0] in ("fast", "speedy") and found[2] == found[0]
    assert found[-2] == "hound" and found[-1] in ("fast", "speedy")
    assert found.count("the") == 2
    changed = _replace_words(WORDS, 1, SYNONYMS, generator())
    assert sum(a != b for a, b in zip(changed, WORDS, strict=True)) == 1


@pytest.mark.parametrize("synonyms", [SYNONYMS, {}])
def test_words_are_inserted_among_the_others(synonyms):
    found = _insert_words(WORDS, 3, synonyms, generator())
    assert len(found) == len(WORDS) + 3
    rest = iter(found)
    assert all(word in rest for word in WORDS)  # still in order
    new = {"fast", "speedy", "hound"} if synonyms else set(WORDS)
    assert {word for word in found if found.count(word) > WORDS.count(word)} <= new


def test_swapped_words_stay_all():
    found = _swap_words(WORDS, 1, {}, generator())
    assert sorted(found) == sorted(WORDS)
    assert sum(a != b for a, b in zip(found, WORDS, strict=True)) == 2


def test_words_are_left_out_but_never_all():
    lengths = [len(_delete_words(WORDS, 2, {}, np.random.default_rng(s))) for s in range(300)]
    assert np.mean(lengths) == pytest.approx(6, abs=0.25) and min(lengths) >= 1
    assert len(_delete_words(["a", "b"], 2, {}, generator())) == 1


def test_the_same_text_and_seed_give_the_same_wording_whatever_else_there_is():
    texts = [f"{' '.join(WORDS)} {number}" for number in range(50)]
    augmenter = EasyAugmenter(0.2, 1, SYNONYMS)
    first = [augmenter.augment(text) for text in texts]
    assert [augmenter.augment(text) for text in reversed(texts)] == first[::-1]
    assert np.mean([a != b for a, b in zip(first, texts, strict=True)]) > 0.8
    other = [EasyAugmenter(0.2, 2, SYNONYMS).augment(text) for text in texts]
    assert first != other
    assert EasyAugmenter(0.2, 1).name != augmenter.name != EasyAugmenter(0.2, 2, SYNONYMS).name


def test_another_wordnet_has_wordings_of_its_own():
    name = EasyAugmenter(0.2, 1, SYNONYMS).name
    assert EasyAugmenter(0.2, 1, dict(reversed(SYNONYMS.items()))).name == name
    others = [{**SYNONYMS, "dog": ("pooch",)}, {**SYNONYMS, "lazy": ("idle",)}, {"the": ("teh",)}]
    assert len({name, *(EasyAugmenter(0.2, 1, one).name for one in others)}) == 4


@pytest.mark.parametrize("text", ["", "word", "  "])
def test_a_text_without_two_words_stays(text):
    assert EasyAugmenter(0.5, 0, SYNONYMS).augment(text) == text


def test_wordings_are_made_once(tmp_path):
    made = []

    def make(texts):
        made.extend(texts)
        return [text.upper() for text in texts]

    assert augmented(["a", "b", "a"], "upper", make, tmp_path / "kept") == ["A", "B", "A"]
    assert augmented(["b", "c"], "upper", make, tmp_path / "kept") == ["B", "C"]
    assert made == ["a", "b", "c"]
    assert augmented(["a"], "other", make, tmp_path / "kept") == ["A"] and made[-1] == "a"
    assert augmented(["a"], "upper", make, None) == ["A"]
    (tmp_path / "kept" / "upper.sqlite").write_bytes(b"nothing of the kind" * 100)
    assert augmented(["a"], "upper", make, tmp_path / "kept") == ["A"] and made[-2:] == ["a", "a"]
    assert augmented(["a"], "upper", make, tmp_path / "kept") == ["A"] and len(made) == 6


@pytest.fixture
def small_wordnet(tmp_path):
    lines = {
        "data.noun": "00001740 03 n 03 dog 0 domestic_dog 0 Canis_familiaris 0 001 @ 01 | a dog\n",
        "data.verb": "00001741 29 v 02 chase 0 dog 1 000 01 + 08 00 | go after\n",
        "data.adj": "00001742 00 a 02 galore(ip) 0 plenty 0 000 | in numbers\n",
        "data.adv": "00001743 02 r 01 alone 0 000 | by itself\n",
    }
    for name, line in lines.items():
        (tmp_path / name).write_text("  1 This software and database is licensed\n" + line)
    return tmp_path


def test_words_of_one_meaning_are_synonyms(small_wordnet):
    assert find_wordnet([small_wordnet / "none", small_wordnet]) == small_wordnet
    assert find_wordnet([small_wordnet / "none"]) is None
    assert read_synonyms(small_wordnet) == {
        "dog": ("canis familiaris", "chase", "domestic dog"),
        "domestic dog": ("canis familiaris", "dog"),
        "canis familiaris": ("dog", "domestic dog"),
        "chase": ("dog",),
        "galore": ("plenty",),
        "plenty": ("galore",),
    }


@pytest.mark.parametrize("there", [True, False])
def test_without_wordnet_a_sentence_says_so_and_three_operations_are_left(
    tmp_path, small_wordnet, monkeypatch, caplog, there
):
    from subclust.methods.aecl import training

    monkeypatch.setattr(training, "find_wordnet", lambda: small_wordnet if there else None)
    texts = [f"dog number {n} barked" for n in range(40)]
    with caplog.at_level(logging.WARNING):
        (made,) = training._easy_views(texts, tmp_path / "kept", share=0.3, seed=0)
    said = "WordNet is not on this machine" in caplog.text
    assert said != there
    words = {word for text in made for word in text.split()}
    assert ("chase" in words) == there
    shorter, same, longer = (
        sum(
            np.sign(len(a.split()) - len(b.split())) == way
            for a, b in zip(made, texts, strict=True)
        )
        for way in (-1, 0, 1)
    )
    assert shorter and same and longer
