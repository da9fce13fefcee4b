"""Languages of texts, and which of them an encoder was made for."""

import pytest

from subclust.core.records.languages import (
    language_codes,
    language_name,
    language_spellings,
    languages_in_words,
)
from subclust.text.languages import (
    MULTILINGUAL,
    UNRECOGNISED,
    _known_languages,
    language_of,
    not_known,
    recognised,
)

TEXTS = {
    "eng": "The library holds many books on the history of the town and its people.",
    "ger": "Die Bibliothek hat viele Bücher über die Geschichte der Stadt und ihrer Bewohner.",
    "fre": "La bibliothèque a de nombreux livres sur l’histoire de la ville et de ses gens.",
    "spa": "La biblioteca tiene muchos libros sobre la historia de la ciudad y de sus habitantes.",
    "por": "A biblioteca tem muitos livros sobre a história da cidade e dos seus habitantes.",
    "rus": "В библиотеке много книг об истории города и его жителей.",
}


@pytest.mark.parametrize(("code", "text"), TEXTS.items())
def test_a_sentence_is_enough(code, text):
    assert language_of(text) == code


@pytest.mark.parametrize("text", ["", "x1", "42 / 17", "ISBN 978-3-16-148410-0"])
def test_what_says_nothing_is_not_recognised(text):
    assert language_of(text) == UNRECOGNISED


def test_a_sample_stands_for_all():
    sample = [TEXTS["ger"]] * 2 + [TEXTS["eng"]]
    assert recognised(sample, 3) == {"ger": 2, "eng": 1}
    counts = recognised(sample, 1000)
    assert sum(counts.values()) == 1000 and abs(counts["ger"] - 667) <= 1
    assert recognised([], 0) == {}


def test_known_languages_are_codes_of_libraries():
    assert _known_languages("all-MiniLM-L6-v2") == {"eng"}
    many = _known_languages(MULTILINGUAL)
    assert {"eng", "ger", "fre", "spa", "por", "rus", "chi"} <= many and len(many) > 90
    assert all(language_codes(code) == [code] for code in many)
    assert _known_languages("a model of one's own") is None


@pytest.mark.parametrize(
    ("encoder", "spoken", "found"),
    [
        ("all-MiniLM-L6-v2", {"eng": 88, "ger": 312}, {"ger": 312}),
        ("sentence-transformers/all-MiniLM-L6-v2", {"fre": 3, "ger": 5}, {"ger": 5, "fre": 3}),
        ("all-MiniLM-L6-v2", {"eng": 95, "ger": 5}, {}),
        ("all-MiniLM-L6-v2", {"eng": 1, "mul": 7, "unknown": 9, "Runen": 3}, {}),
        (MULTILINGUAL, {"eng": 1, "ger": 9}, {}),
        (MULTILINGUAL, {"eng": 1, "akk": 9}, {"akk": 9}),
        ("another", {"ger": 9}, {}),
    ],
)
def test_more_than_a_few_passages_count(encoder, spoken, found):
    assert not_known(encoder, spoken) == found


def test_one_code_for_each_language_and_its_name():
    assert language_codes("et") == language_codes("ekk") == ["est"]
    assert language_codes("San") == ["san"] and "san" in language_spellings("sa")
    assert (language_name("ger"), language_name("ger", "de")) == ("German", "Deutsch")
    assert language_name("Runen") == "Runen"
    assert languages_in_words(["ger", "fre"]) == "German, French"
    assert languages_in_words(["ger", "fre", "spa", "por", "rus"]).endswith("Portuguese, …")
