"""The frame of a page is drawn at once; what the page needs is waited for with a sentence."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from subclust.core.exceptions import EncoderError
from subclust.ui import starting

PAGE = """
import streamlit as st
from subclust.ui.starting import wait

st.write("frame")
wait(for_models={for_models})
st.write("page")
"""


@pytest.fixture
def start(monkeypatch):
    """Give a start whose imports and models are there when the test says so."""
    may_import, may_load = threading.Event(), threading.Event()

    def load(settings, tell_example):
        tell_example()
        may_load.wait(60)
        if settings == "broken":
            raise EncoderError("The encoder is not there.")
        if settings == "wrong":
            raise ZeroDivisionError

    monkeypatch.setattr(starting, "_wait_for_runtime", lambda: None)
    monkeypatch.setattr(starting, "_import_all", lambda: may_import.wait(60))
    monkeypatch.setattr(starting, "_load", load)
    monkeypatch.setattr(starting, "_start", None)
    yield may_import, may_load
    may_import.set()
    may_load.set()
    starting._start.ready.wait(60)


def drawn(for_models):
    """Return what a page draws."""
    page = AppTest.from_string(PAGE.format(for_models=for_models), default_timeout=60).run()
    assert not page.exception
    return [one.value for one in page.markdown]


def later(event):
    threading.Timer(0.6, event.set).start()


def test_a_page_waits_for_imports_and_one_that_groups_for_models(start):
    may_import, may_load = start
    starting.begin("settings")
    later(may_import)
    assert drawn(False) == ["frame", "page"]
    assert starting._start.imported.is_set() and not starting._start.ready.is_set()
    later(may_load)
    assert drawn(True) == ["frame", "page"]
    assert starting._start.ready.is_set()


@pytest.mark.parametrize("n_pages", [0, 1])
def test_loading_begins_once_a_page_waits_for_it_or_none_came(start, monkeypatch, n_pages):
    may_import, may_load = start
    may_import.set()
    may_load.set()
    monkeypatch.setattr(starting, "_HEAD_START", 60.0 if n_pages else 0.2)
    starting.begin("settings")
    assert not starting._start.imported.wait(0.1)
    if n_pages:
        drawn(False)
    assert starting._start.imported.wait(30)


@pytest.mark.parametrize("settings", ["broken", "wrong"])
def test_what_cannot_be_loaded_keeps_no_page_waiting(start, settings):
    starting.begin(settings)
    for event in start:
        event.set()
    assert drawn(True) == ["frame", "page"]


def test_nothing_is_waited_for_where_nothing_was_begun(monkeypatch):
    monkeypatch.setattr(starting, "_start", None)
    assert drawn(True) == ["frame", "page"]


def test_it_is_begun_once(start):
    starting.begin("settings")
    first = starting._start
    starting.begin("settings")
    assert starting._start is first
