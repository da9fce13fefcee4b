"""Why themes cannot be found, in German: each sentence that is raised has its template."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "themes"))

import themed_library

from subclust.exceptions import InputError
from subclust.library import PassageLibrary
from subclust.records import Passage
from subclust.themes.offers import MOST, why_not
from subclust.themes.texts import choose_texts
from subclust.ui import retold, themes_errors

TEXTS = themed_library.texts()
SENTENCES = [
    why_not("aecl", TEXTS[:9], "auto"),
    why_not("aecl", TEXTS * (MOST // len(TEXTS) + 1), "auto"),
    why_not("aecl", [Passage(str(n), "one text") for n in range(240)], "auto"),
    why_not("aecl", TEXTS, 150),
    why_not("fcl", TEXTS, "auto"),
    why_not("fcl", themed_library.texts(labelled=(0, 3, 6, 9)), "auto"),
    why_not("fcl", [Passage(str(n), f"text {n}", label=f"l{n}") for n in range(240)], "auto"),
]


def told(sentence, monkeypatch):
    said = []
    monkeypatch.setattr(retold, "_", lambda text: said.append(text) or f"deutsch: {text}")
    assert themes_errors.why_not_words.knows(sentence)
    assert themes_errors.why_not_words(sentence).startswith("deutsch: ") and said


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_is_told_in_german(sentence, monkeypatch):
    told(sentence, monkeypatch)


@pytest.mark.parametrize("written", ["colour=red", "red", "collection=none"])
def test_what_is_said_of_a_filter_is_told_in_german(written, tmp_path, monkeypatch):
    themed_library.build(tmp_path, n_texts=6)
    library = PassageLibrary.open(tmp_path / "library", "themed")
    with pytest.raises(InputError) as error:
        choose_texts(library, [written])
    told(str(error.value), monkeypatch)
