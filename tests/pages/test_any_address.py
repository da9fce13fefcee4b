"""Every page at addresses that nobody would write, and with what no widget should hand over."""

import pytest
import streamlit as st
from app_files import APP
from streamlit.testing.v1 import AppTest

from subclust.ui import state
from subclust.ui.components.session import change_view
from subclust.ui.components.view import View

WAR = "the American war"

HOSTILE = {
    "numbers": dict.fromkeys(("levels", "groups", "top", "group", "theme"), "9" * 5000),
    "signs": dict.fromkeys(("levels", "groups", "top", "group", "n", "theme"), "-1"),
    "words": dict.fromkeys(("levels", "groups", "map", "list", "shown", "context", "show"), "None"),
    "names": dict.fromkeys(("library", "whole", "open", "set", "way", "model", "paper"), "../../x"),
    "long": dict.fromkeys(
        ("q", "hits", "about", "dig", "a", "b", "marked", "job", "set", "table"), "w" * 300_000
    ),
    "odd": dict.fromkeys(("q", "dig", "a", "between", "marked", "within", "themes"), "\x00;:|%,²"),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("name", ["explore", "compare", "library", "train", "models", "benchmarks"])
def test_no_address_breaks_a_page(name, kind):
    page = AppTest.from_file(APP, default_timeout=120)
    page.switch_page(f"pages/{name}.py")
    for parameter, value in HOSTILE[kind].items():
        page.query_params[parameter] = value
    page.run()
    assert not page.exception


def test_a_page_goes_on_after_an_empty_question(open_page):
    page = open_page(q=WAR, levels="2")
    page.text_input(key="query").set_value("").run()
    assert page.info and not page.warning
    page.text_input(key="query").set_value(WAR).run()
    assert not page.exception and not page.warning
    page.text_input(key="query").set_value("taxes and tea").run()
    assert not page.exception
    assert page.query_params["levels"] == "2"


@pytest.mark.parametrize("field", ["levels", "projection", "listing", "top_k", "n_clusters"])
def test_a_widget_that_was_not_drawn_changes_nothing(field, monkeypatch):
    known = View(query=WAR, levels=2)
    monkeypatch.setattr(st, "session_state", {state.VIEW: known})
    change_view(**{field: None})
    assert st.session_state[state.VIEW] == known
