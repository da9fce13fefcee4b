import numpy as np
import pytest

from subclust.core.records import Query
from subclust.grouping.naming import HeadingNamer
from subclust.grouping.naming.noun_phrases import is_name, is_noun_phrase, language_of


@pytest.mark.parametrize(
    "phrase",
    ["causes and symptoms", "electronic theses", "early life", "history of the city",
     "emotional and behavioral problems", "women's rights", "United States", "trained pilots"],
)  # fmt: skip
def test_noun_phrases(phrase):
    assert is_noun_phrase(phrase)


@pytest.mark.parametrize(
    "phrase",
    ["political", "died", "pilots trained", "chances for military", "favored Mithridates", "long"],
)
def test_lone_adjectives_verbs_and_fragments_are_none(phrase):
    assert not is_noun_phrase(phrase)


@pytest.mark.parametrize(
    "phrase", ["allowing easier data", "starting lineups", "geodesic", "political", "died"]
)
def test_verbs_before_nouns_and_unknown_lone_words_are_no_names(phrase):
    assert not is_name(phrase)


@pytest.mark.parametrize("phrase", ["learning outcomes", "recording studio", "trade", "Geneva"])
def test_nouns_in_ing_before_nouns_are_names(phrase):
    assert is_name(phrase)


def test_german_phrases_by_their_own_tags():
    assert is_noun_phrase("Erschöpfung des Urheberrechts", "de")
    assert is_noun_phrase("digitale Langzeitarchivierung", "de")
    assert not is_noun_phrase("laufen", "de")


def test_the_language_is_that_of_most_texts_with_function_words():
    assert language_of(["Der Bestand ist von der Bibliothek", "Faust"]) == "de"
    assert language_of(["The shelf is there", ""]) == "en"
    assert language_of([]) == "en"


def test_german_passages_have_german_names():
    texts = [
        "Die digitale Langzeitarchivierung ist eine Aufgabe der Bibliotheken.",
        "Für die digitale Langzeitarchivierung von Dateien ist das Format wichtig.",
        "Das Urheberrecht und die Lizenz sind für den Verlag wichtig.",
        "Der Verlag beruft sich auf das Urheberrecht und die Lizenz.",
    ]
    names = HeadingNamer().name(Query("Bibliotheken"), texts, np.array([0, 0, 1, 1]))
    assert names.keys() == {0, 1}
    assert all(is_noun_phrase(part, "de") for one in names.values() for part in one.split(" und "))
