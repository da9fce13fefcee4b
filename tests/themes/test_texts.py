"""Which texts of a library themes are asked of, and that of the others nothing is read."""

import pytest
import themed_library

from subclust.text.library import PassageLibrary
from subclust.themes import texts


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    themed_library.build(folder)
    return PassageLibrary.open(folder / "library", "themed")


TEXTS = themed_library.texts()


@pytest.mark.parametrize(
    ("filters", "meets"),
    [
        ((), lambda text: True),
        (("collection=EVEN",), lambda text: text.collection == "even"),
        (("year=1910-1919",), lambda text: "1910" <= text.metadata["year"] <= "1919"),
        (("year=-1905",), lambda text: text.metadata["year"] <= "1905"),
        (("year=1940-", "title~7"), lambda t: t.metadata["year"] >= "1940" and "7" in t.title),
    ],
)
def test_texts_that_meet_all_filters_come_in_the_order_of_their_ids(library, filters, meets):
    chosen = texts.choose_texts(library, filters)
    wanted = tuple(text for text in TEXTS if meets(text))
    assert chosen.found is not None and chosen.found.passages == wanted
    assert chosen.n_texts == len(wanted) == len(chosen.found.embeddings)


@pytest.mark.parametrize("filters", [(), ("collection=even",)])
def test_more_texts_than_themes_are_found_in_are_counted_and_not_read(
    library, filters, monkeypatch
):
    monkeypatch.setattr(texts, "MOST", 100)
    for name in ("passages", "get"):
        monkeypatch.setattr(PassageLibrary, name, lambda *_: pytest.fail("read whole"))
    chosen = texts.choose_texts(library, filters)
    assert (chosen.n_texts, chosen.found) == (120 if filters else 240, None)


def test_a_filter_reads_whole_only_what_meets_it(library, monkeypatch):
    monkeypatch.setattr(PassageLibrary, "passages", lambda *_: pytest.fail("read whole"))
    assert {text.text for batch in library.skim() for text in batch} == {""}
    found = texts.choose_texts(library, ("title~Title 11",)).found
    assert found is not None and all(passage.text for passage in found.passages)
