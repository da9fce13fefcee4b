"""What decides what a page shows: the address, or what was done on the page."""

import pytest
import streamlit as st
from hypothesis import given, strategies

from subclust.core.records import MAX_QUESTION
from subclust.ui.components.address import (
    MAX_VALUES,
    _bounded,
    changed_on,
    to_show,
    whole_number,
    write_address,
)

NAMES = ("way", "model")


class Address(dict):
    def get_all(self, name):
        return [self[name]]


@pytest.fixture(autouse=True)
def visitor(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "query_params", Address())


def visit(**params):
    st.query_params.clear()
    st.query_params.update(params)


def test_a_first_visit_shows_what_the_address_names():
    visit(way="qss", other="x")
    assert to_show("models", NAMES, None) == {"way": "qss", "model": ""}


def test_what_was_done_on_the_page_counts_where_the_address_is_the_same():
    write_address("models", {"way": "qss", "model": "a"})
    assert to_show("models", NAMES, {"way": "qss", "model": "b"})["model"] == "b"


def test_a_link_or_the_back_button_counts_more_than_the_widgets():
    write_address("models", {"way": "qss", "model": "a"})
    visit(way="qss")
    assert to_show("models", NAMES, {"way": "qss", "model": "a"}) == {"way": "qss", "model": ""}


def test_the_address_of_before_does_not_undo_a_change():
    write_address("models", {"way": "qss", "model": "a"})
    write_address("models", {"way": "qss", "model": "b"})
    visit(way="qss", model="a")
    changed_on("models")
    now = {"way": "qss", "model": "c"}
    assert to_show("models", NAMES, now) == now
    assert to_show("models", NAMES, now)["model"] == "a"  # once, and not for ever


def test_an_empty_address_brings_back_what_was_shown_last_on_that_page():
    write_address("models", {"way": "qss", "model": "a"})
    write_address("train", {"show": "Trainings"})
    visit()
    assert to_show("models", NAMES, None) == {"way": "qss", "model": "a"}


def test_what_is_empty_leaves_the_address_and_the_rest_of_it_stays():
    visit(set="fruit@1", job="x")
    write_address("train", {"show": "Trainings", "job": ""})
    assert st.query_params == {"set": "fruit@1", "show": "Trainings"}


@given(
    strategies.dictionaries(
        strategies.text(max_size=6), strategies.lists(strategies.text(), max_size=4)
    )
)
def test_whatever_an_address_holds_is_bounded(params):
    kept = _bounded(
        params | {"q": ["a" * 300_000, "b"], "open": ["c" * 301, "d"], "passage": ["e"] * 900}
    )
    assert [len(value) for value in kept["q"]] == [MAX_QUESTION]
    assert kept["open"] == ["d"]
    assert len(kept["passage"]) == MAX_VALUES


@pytest.mark.parametrize("value", ["", "x", "-1", "1e9", "1.0", "²", "٣", "9" * 5000, " 2"])
def test_what_is_no_number_is_none(value):
    assert whole_number(value, 0, 9999) is None


def test_a_number_keeps_its_bounds():
    assert [whole_number(one, 2, 20) for one in ("1", "2", "020", "20", "21")] == [
        None,
        2,
        None,
        20,
        None,
    ]
