"""Parts of pages that draw themselves anew let those who wait for an answer go first."""

import time
from types import SimpleNamespace

import pytest

from subclust.ui import starting as first_served


@pytest.fixture
def asked_for(monkeypatch):
    """Say what is drawn: a part of a page, or the whole of it."""

    def drawing(part):
        context = SimpleNamespace(fragment_ids_this_run=[part] if part else None)
        monkeypatch.setattr(first_served, "get_script_run_ctx", lambda **_: context)

    monkeypatch.setattr(first_served, "_MOST_SECONDS", 0.3)
    return drawing


def waited():
    began = time.monotonic()
    first_served.let_others_first()
    return time.monotonic() - began


def test_a_part_of_a_page_waits_for_an_answer_and_a_whole_page_does_not(asked_for):
    asked_for("list")
    assert waited() < 0.1
    with first_served.first_served():
        assert waited() >= 0.3
        asked_for(None)
        assert waited() < 0.1
