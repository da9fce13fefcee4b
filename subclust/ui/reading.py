"""A bar while a method reads the hits, where that takes a moment."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from subclust.clustering.progress import Progress
from subclust.ui.language import _


@contextmanager
def reading_bar() -> Iterator[Progress]:
    """Give a function that draws how far the reading is; the bar goes when all are grouped.

    Yields
    ------
    callable
        Called as ``progress(n_done, n_total)``. A method that has nothing to tell draws nothing.
    """
    place = st.empty()

    def draw(n_done: int, n_total: int) -> None:
        place.progress(min(n_done / max(n_total, 1), 1.0), text=_("Reading the hits together"))

    try:
        yield draw
    finally:
        place.empty()
