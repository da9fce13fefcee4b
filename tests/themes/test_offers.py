"""Why themes cannot be found, and that it is told in German too."""

import pytest
import themed_library

from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.core.translation import translated
from subclust.text.library import PassageLibrary
from subclust.themes.offers import FEWEST, FEWEST_LABELLED, MOST, why_not
from subclust.themes.texts import choose_texts

TEXTS = themed_library.texts()
MANY = TEXTS * (MOST // len(TEXTS) + 1)


@pytest.mark.parametrize(
    ("method", "texts", "n_themes"),
    [
        ("aecl", TEXTS[: FEWEST - 1], "auto"),
        ("aecl", MANY[: MOST + 1], "auto"),
        ("aecl", [Passage(str(n), "one text") for n in range(240)], "auto"),
        ("aecl", TEXTS, len(TEXTS) // 2 + 1),
        ("aecl", TEXTS, 1),
        ("fcl", TEXTS, "auto"),
        ("fcl", themed_library.texts(labelled=range(0, 3 * (FEWEST_LABELLED - 1), 3)), "auto"),
        ("fcl", themed_library.texts(labelled=(0, 3, 6, 9)), "auto"),
        ("fcl", [Passage(str(n), f"text {n}", label=f"l{n}") for n in range(240)], "auto"),
    ],
)
def test_what_cannot_be_is_told(method, texts, n_themes):
    sentence = why_not(method, texts, n_themes)
    assert sentence and translated(sentence, "de") != sentence


@pytest.mark.parametrize(
    ("texts", "n_themes"),
    [(TEXTS[:FEWEST], "auto"), (MANY[:MOST], 2), (TEXTS, len(TEXTS) // 2), (TEXTS, 2)],
)
def test_what_can_just_be_is_not_refused(texts, n_themes):
    assert why_not("aecl", texts, n_themes) is None


@pytest.mark.parametrize("written", ["colour=red", "red", "collection=none"])
def test_what_is_said_of_a_filter_is_told_in_german(written, tmp_path):
    themed_library.build(tmp_path, n_texts=6)
    library = PassageLibrary.open(tmp_path / "library", "themed")
    with pytest.raises(InputError) as error:
        choose_texts(library, [written])
    assert translated(error.value.sentence, "de") != str(error.value)
