"""How the answer came about, how long it took, and the link to it."""

from urllib.parse import urlencode

import streamlit as st

from subclust.methods import METHODS
from subclust.ui.search import Answer
from subclust.ui.view import View
from subclust.ui.words import timings


def draw_footer(view: View, found: Answer) -> None:
    """Draw the method, the timings and the permanent link."""
    subtopics = found.subtopics
    card = METHODS[subtopics.method]
    trained = f" (model {subtopics.checkpoint})" if subtopics.checkpoint else ""
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center", key="footer"):
        with st.popover("Link to this view"):
            st.caption("Opens this question, grouping, map and selection again.")
            st.code(permalink(view), language=None, wrap_lines=True)
        st.html(
            f"<p class='sc-note'>{card.label}{trained}: {card.summary} "
            f"Answered in {timings(subtopics.timings_ms)}. "
            "Nothing you type leaves this machine or is recorded.</p>"
        )


def permalink(view: View) -> str:
    """Write the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(view.to_params(), doseq=True)}"
