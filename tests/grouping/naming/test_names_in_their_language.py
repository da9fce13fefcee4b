"""Each group is named in the language that most of its passages are in."""

import numpy as np
import pytest

from subclust.core.records import Query
from subclust.grouping.naming import HeadingNamer
from subclust.grouping.naming.noun_phrases import is_name, language_of

ENGLISH = [
    "The digital archive keeps the files of the library and the digital archive checks them.",
    "A digital archive is more than a store, and the digital archive has costs of its own.",
    "Every digital archive needs a plan for the formats that are no longer read.",
]
GERMAN = [
    "Das Urheberrecht erlaubt der Bibliothek eine Kopie für die Forschung.",
    "Nach dem Urheberrecht ist die Vergütung an den Verlag zu zahlen.",
    "Der Verlag beruft sich auf das Urheberrecht und verlangt eine Vergütung.",
]
FRENCH = [
    "Le catalogage des manuscrits est une tâche difficile pour la bibliothèque.",
    "Pour le catalogage des manuscrits, les règles sont les mêmes dans tous les pays.",
    "Les normes de catalogage des manuscrits ont été publiées par la bibliothèque nationale.",
]
SPANISH = "La catalogación de los manuscritos es una tarea difícil para la biblioteca."
PORTUGUESE = "A catalogação dos manuscritos não é uma tarefa fácil para a biblioteca."


def test_groups_of_three_languages():
    texts, labels = [*ENGLISH, *GERMAN, *FRENCH], np.repeat([0, 1, 2], 3)
    names = HeadingNamer().name(Query("tasks"), texts, labels)
    assert "rchive" in names[0] and " und " not in names[0]
    assert {"Urheberrecht", "Vergütung"} & set(names[1].split()) and " and " not in names[1]
    assert "atalogage" in names[2] or "anuscrits" in names[2]
    assert " and " not in names[2] and " und " not in names[2]


@pytest.mark.parametrize(
    ("texts", "language"),
    [(ENGLISH, "en"), (GERMAN, "de"), (FRENCH, "fr"), ([SPANISH], "es"), ([PORTUGUESE], "pt"),
     ([*GERMAN, *ENGLISH[:2]], "de"), (["Faust", "1808"], "en")],
)  # fmt: skip
def test_most_passages_decide(texts, language):
    assert language_of(texts) == language


def test_without_any_word_of_it_the_other_hits_decide():
    assert language_of(["Faust"], "de") == "de"


@pytest.mark.parametrize(
    ("phrase", "language", "may"),
    [("catalogage des manuscrits", "fr", True), ("des manuscrits", "fr", False),
     ("manuscrits de", "fr", False), ("biblioteca nacional", "es", True),
     ("la biblioteca", "es", False), ("tarefa fácil", "pt", True), ("não é", "pt", False)],
)  # fmt: skip
def test_names_without_a_tagger_do_not_border_on_function_words(phrase, language, may):
    assert is_name(phrase, language) == may
