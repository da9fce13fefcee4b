"""A bar while a method reads the hits, where that takes a moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records.progress import Progress
from subclust.ui.i18n.language import _


@contextmanager
def reading_bar(stop: Callable[[], None] | None = None) -> Iterator[Progress]:
    """Return a function that draws how far the reading is; the bar goes when all are grouped.

    Parameters
    ----------
    stop : callable, optional
        What a button beside the bar does; without it there is none.

    Yields
    ------
    callable
        Called as ``progress(n_done, n_total)``. A method that has nothing to tell draws nothing.
    """
    place = st.empty()
    bars: list[DeltaGenerator] = []

    def draw(n_done: int, n_total: int) -> None:
        if not bars:
            bars.append(place if stop is None else _beside_stop(place, stop))
        bars[0].progress(min(n_done / max(n_total, 1), 1.0), text=_("Reading the hits together"))

    try:
        yield draw
    finally:
        place.empty()


def _beside_stop(place: DeltaGenerator, stop: Callable[[], None]) -> DeltaGenerator:
    with place.container(key="reading"):
        bar = st.empty()
        st.button(_("Stop"), key="stop-reading", on_click=stop)
    return bar
