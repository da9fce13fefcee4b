"""What was done last on the Library page, told once."""

import streamlit as st

from subclust.ui.components.plain import plain

_SAID = "library-said"


def say(sentence: str) -> None:
    """Have a sentence told when the page is drawn the next time."""
    st.session_state[_SAID] = sentence


def draw_said() -> None:
    """Tell what was done last, once."""
    if sentence := st.session_state.pop(_SAID, None):
        st.success(plain(sentence))
