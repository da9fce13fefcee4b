"""Why themes cannot be found, in German: each sentence that is raised has its template."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "themes"))

import themed_library

from subclust.exceptions import InputError
from subclust.records import Passage
from subclust.themes.offers import MOST, why_not
from subclust.themes.request import matching
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


def refused(written):
    with pytest.raises(InputError) as error:
        matching(TEXTS, [written])
    return str(error.value)


SENTENCES += [refused("colour=red"), refused("red")]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_is_told_in_german(sentence, monkeypatch):
    said = []
    monkeypatch.setattr(retold, "_", lambda text: said.append(text) or f"deutsch: {text}")
    assert themes_errors.why_not_words.knows(sentence)
    assert themes_errors.why_not_words(sentence).startswith("deutsch: ") and said
