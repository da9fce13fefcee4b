"""Charts and tables start anew where something was chosen in one of them, and only there."""

import pytest
import streamlit as st

from subclust.ui.components.session import Selections


@pytest.fixture
def state(monkeypatch):
    kept = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


NOTHING = {"selection": {"points": [], "point_indices": [], "box": [], "lasso": []}}


@pytest.mark.parametrize(
    "chosen",
    [
        {"selection": {"points": [{"customdata": ["a", 0]}], "box": [], "lasso": []}},
        {"selection": {"points": [], "box": [{"x": [0, 1], "y": [0, 1]}], "lasso": []}},
        {"selection": {"rows": [3], "columns": [], "cells": []}},
    ],
)
def test_a_choice_is_dropped_by_drawing_another_chart(state, chosen):
    page = Selections("page")
    map_key, table_key = page.key("map"), page.key("table")
    state[map_key], state[table_key] = NOTHING, chosen
    page.forget()
    assert page.key("map") != map_key and page.key("table") != table_key


def test_where_nothing_is_chosen_the_charts_stay(state):
    page = Selections("page")
    key = page.key("map")
    page.forget()  # nothing is drawn yet
    state[key] = NOTHING
    page.forget()
    assert page.key("map") == key


def test_pages_do_not_share_what_is_chosen(state):
    first, second = Selections("first"), Selections("second")
    keys = first.key("map"), second.key("other map")
    state[keys[0]] = {"selection": {"rows": [1]}}
    first.forget()
    assert first.key("map") != keys[0]
    assert second.key("other map") == keys[1]


def test_a_chart_that_is_gone_holds_no_choice_against_the_next(state):
    page = Selections("page")
    key = page.key("map")
    state[key] = {"selection": {"rows": [1]}}
    page.forget()
    new = page.key("map")
    page.forget()  # the old one's state may still be there
    assert page.key("map") == new
