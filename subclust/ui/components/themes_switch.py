"""The switch on Explore: a question, or a whole collection."""

from typing import Literal

import streamlit as st

from subclust.ui import state
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.i18n.language import N_, _

Mode = Literal["question", "collection"]

WHOLE = "whole"
"""Parameter of the address that names the library whose themes are shown."""

_MODES: dict[Mode, str] = {"question": N_("A question"), "collection": N_("A whole collection")}


def draw_switch() -> Mode:
    """Draw the switch, and say what is explored: as the address asks, or as was chosen here."""
    mode: Mode = st.session_state.get(state.EXPLORE_MODE_SHOWN, "question")
    if not st.session_state.pop(state.EXPLORE_MODE_CHANGED, False):
        if WHOLE in st.query_params:
            mode = "collection"
        elif "q" in st.query_params:
            mode = "question"
    st.session_state[state.EXPLORE_MODE_SHOWN] = mode
    show_in_widget(state.EXPLORE_MODE, mode)
    with st.container(key="explore-what"):
        st.segmented_control(
            _("What to explore"),
            list(_MODES),
            key=state.EXPLORE_MODE,
            required=True,
            format_func=lambda mode: _(_MODES[mode]),
            on_change=_switched,
            label_visibility="collapsed",
        )
    return mode


def explore(mode: Mode) -> None:
    """Go over to a question or to a whole collection; for callbacks."""
    st.session_state[state.EXPLORE_MODE_SHOWN] = mode
    st.session_state[state.EXPLORE_MODE_CHANGED] = True
    if mode == "question":
        change_view()  # the address of before is not to decide what is asked


def _switched() -> None:
    explore(st.session_state[state.EXPLORE_MODE] or "question")
