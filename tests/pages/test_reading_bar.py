import pytest
from streamlit.testing.v1 import AppTest

from subclust.ui.explore import search as reading


class Place:
    """Stands for a place of the page, and notes what is drawn there."""

    def __init__(self):
        self.drawn = []

    def progress(self, share, text):
        self.drawn.append((share, text))

    def empty(self):
        self.drawn.append(None)


def test_the_bar_tells_the_hits_and_goes_when_they_are_grouped(monkeypatch):
    place = Place()
    monkeypatch.setattr(reading.st, "empty", lambda: place)
    with reading.reading_bar() as progress:
        progress(1, 4)
        progress(4, 4)
    first, last, gone = place.drawn
    assert (first[0], last[0], gone) == (0.25, 1.0, None) and first[1] == last[1]


def test_the_bar_goes_where_reading_fails(monkeypatch):
    place = Place()
    monkeypatch.setattr(reading.st, "empty", lambda: place)
    with pytest.raises(ValueError, match="broken"), reading.reading_bar() as progress:
        progress(1, 0)
        raise ValueError("broken")
    assert place.drawn[-1] is None


def test_the_button_beside_it_stops():
    def page():
        import streamlit as st

        from subclust.ui.explore.search import reading_bar

        with reading_bar(lambda: st.session_state.update(stopped=True)) as progress:
            progress(1, 2)
            progress(2, 2)
            st.write("grouped")

    shown = AppTest.from_function(page, default_timeout=30).run()
    assert not shown.exception
    assert shown.markdown[0].value == "grouped"


def test_streamlit_draws_it():
    def page():
        import streamlit as st

        from subclust.ui.explore.search import reading_bar

        with reading_bar() as progress:
            progress(1, 2)
        st.write("grouped")

    shown = AppTest.from_function(page, default_timeout=30).run()
    assert not shown.exception
    assert shown.markdown[0].value == "grouped"
