"""Names of German passages: noun phrases by the German tagger, joined by "und"."""

import numpy as np
import pytest

from subclust.core.records import Query
from subclust.grouping.naming import HeadingNamer
from subclust.grouping.naming.noun_phrases import is_name, is_noun_phrase, language_of

ARCHIVE = [
    "Die Langzeitarchivierung elektronischer Zeitschriften ist eine Aufgabe der Bibliotheken.",
    "Für die Langzeitarchivierung werden die Dateien in stabile Formate überführt.",
    "Bei der Langzeitarchivierung wird die Unversehrtheit der Dateien geprüft.",
]
LAW = [
    "Das Urheberrecht erlaubt der Bibliothek eine Kopie für die Forschung.",
    "Nach dem Urheberrecht ist die Vergütung an den Verlag zu zahlen.",
    "Der Verlag beruft sich auf das Urheberrecht und verlangt eine Vergütung.",
]
ACQUISITION = [
    "Die Erwerbung wird von den steigenden Kosten der Zeitschriften bestimmt.",
    "Wegen der steigenden Kosten wird die Erwerbung von Monographien gekürzt.",
    "Die Fachreferate entscheiden über die Erwerbung und den Etat.",
]
TEXTS = [*ARCHIVE, *LAW, *ACQUISITION]
LABELS = np.repeat([0, 1, 2], 3)
QUERY = Query("Aufgaben der Bibliothek")


@pytest.mark.parametrize(
    "phrase",
    ["digitale Bibliothek", "Geschichte der Stadt", "Wirtschaft und Handel", "Anton Bruckner",
     "Digitalisierung von Handschriften", "Leben in der Stadt", "steigende Kosten", "Open Access",
     "Nutzung elektronischer Zeitschriften", "Universität Leipzig"],
)  # fmt: skip
def test_noun_phrases_with_and_without_articles(phrase):
    assert is_noun_phrase(phrase, "de") and is_name(phrase, "de")


@pytest.mark.parametrize(
    "phrase",
    ["schnell gelaufen", "spielt Tennis", "wirtschaftlich", "offen", "gefördert", "geht weiter",
     "digitale", "der Stadt", "von", "Bibliothek eine Kopie"],
)  # fmt: skip
def test_verbs_adjectives_and_pieces_are_no_names(phrase):
    assert not is_name(phrase, "de")


def test_passages_are_told_to_be_german():
    assert language_of(TEXTS) == "de"


@pytest.fixture(scope="module")
def names():
    return HeadingNamer().name(QUERY, TEXTS, LABELS)


def test_each_name_is_of_noun_phrases_that_begin_with_a_capital(names):
    assert names.keys() == {0, 1, 2}
    for name in names.values():
        assert name[0].isupper()
        assert " and " not in name
        # Within a sentence an adjective has no capital, a noun keeps it.
        halves = name.split(" und ")
        assert all(
            is_noun_phrase(form, "de")
            for half in halves
            for form in [half if is_noun_phrase(half, "de") else half[:1].lower() + half[1:]]
        )


def test_each_group_is_named_by_words_of_its_own(names):
    for group, texts in enumerate((ARCHIVE, LAW, ACQUISITION)):
        words = [word.lower() for word in names[group].split() if len(word) > 3]
        assert any(word in " ".join(texts).lower() for word in words)


def test_no_name_is_of_the_question_alone(names):
    assert not {"bibliothek", "bibliotheken", "aufgabe", "aufgaben"} & {
        name.lower() for name in names.values()
    }


def test_nouns_alone_may_be_names():
    proposed = HeadingNamer().proposals(QUERY, TEXTS, LABELS)
    assert {"Langzeitarchivierung", "Urheberrecht", "Erwerbung"} <= {
        one for some in proposed.values() for one in some
    }


def test_english_passages_with_a_german_title_stay_english():
    assert (
        language_of(["The journal is of the society", "It is for the Verein", "and of it"]) == "en"
    )
