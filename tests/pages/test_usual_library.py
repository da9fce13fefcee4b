"""Which library a page shows where its address names none."""

import pytest
import small_library
from app_files import PAGES
from streamlit.testing.v1 import AppTest

from subclust.text.library import PassageLibrary
from subclust.ui.components.themes import WHOLE

WIDGETS = {"explore": "library", "compare": "compare-library"}
ASKED = {"q": "the American war", "method": "tfidf", "a": "tfidf", "b": "jaccard"}


@pytest.fixture
def opened(data):
    """Open a page at an address, where there are two libraries."""
    small_library.build(data, "mine")
    small_library.build(data, "tiny", 3)

    def at(page, **params):
        shown = AppTest.from_file(PAGES / f"{page}.py", default_timeout=60)
        for name, value in (ASKED | params).items():
            shown.query_params[name] = value
        shown.run()
        assert not shown.exception
        return shown

    return at


@pytest.mark.parametrize("page", WIDGETS)
def test_without_the_demo_library_it_is_the_first_one(opened, data, page):
    shown = opened(page)
    assert shown.selectbox(key=WIDGETS[page]).value == "mine"
    assert not shown.warning
    assert not [one for one in shown.button if str(one.key).startswith("example-")]
    small_library.build(data, "demo")
    assert opened(page).selectbox(key=WIDGETS[page]).value == "demo"


@pytest.mark.parametrize("page", WIDGETS)
def test_one_that_an_address_names_is_missed(opened, page):
    shown = opened(page, library="demo")
    assert shown.selectbox(key=WIDGETS[page]).value == "demo" and shown.warning
    assert shown.run().selectbox(key=WIDGETS[page]).value == "demo"


@pytest.mark.parametrize("page", WIDGETS)
def test_one_that_was_deleted_since_is_asked_no_more(opened, data, page):
    small_library.build(data, "demo")
    shown = opened(page)
    PassageLibrary.remove(data / "library", "demo")
    for name in list(shown.query_params):  # as coming back from another page does
        del shown.query_params[name]
    assert shown.run().selectbox(key=WIDGETS[page]).value == "mine"


def test_themes_are_of_the_first_one_too(opened):
    assert opened("explore", **{WHOLE: ""}).selectbox(key="themes-library").value == "mine"
