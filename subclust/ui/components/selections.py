"""What is chosen in the charts and tables of a page, and how they are made to drop it."""

import streamlit as st

from subclust.ui import state


class Selections:
    """The charts and tables of one page in which marks or rows can be chosen.

    The browser alone can drop what was chosen in a chart, by drawing another in its place. That
    is slow with hundreds of marks, so it is done only where something was chosen.

    Parameters
    ----------
    page : str
        Keeps the pages apart.
    """

    def __init__(self, page: str) -> None:
        self._epoch = state.SELECTIONS_EPOCH + page
        self._drawn = state.SELECTIONS_DRAWN + page

    def key(self, name: str) -> str:
        """Return the key of the chart or table of that name; another once it is to start anew."""
        key = f"{name}-{st.session_state.get(self._epoch, 0)}"
        st.session_state.setdefault(self._drawn, set()).add(key)
        return key

    def forget(self) -> None:
        """Make the charts and tables start anew, if something is chosen in one of them."""
        drawn: set[str] = st.session_state.setdefault(self._drawn, set())
        if any(_chosen(key) for key in drawn):
            st.session_state[self._epoch] = st.session_state.get(self._epoch, 0) + 1
            drawn.clear()


def _chosen(key: str) -> bool:
    """Return whether marks, rows, or an area without any are chosen in a chart or table."""
    chart = st.session_state.get(key) or {}
    return any(chart.get("selection", {}).values())
