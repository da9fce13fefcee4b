"""The hits in their own order, and those that were chosen on the map."""

import streamlit as st

from subclust.ui.passages import draw_passages
from subclust.ui.search import Answer
from subclust.ui.session import unmark
from subclust.ui.view import View
from subclust.ui.words import counted


def draw_marked(view: View, found: Answer) -> None:
    """Draw the passages that were chosen on the map or in the table, if any."""
    if not view.passages:
        return
    marked = found.marked(view)
    with st.container(border=True, key="chosen", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<h3 class='sc-chosen'>Chosen: {counted(len(marked), 'passage')}</h3>")
            st.button("Clear", key="clear", on_click=unmark)
        with st.container(height=460 if len(marked) > 4 else "content", border=False):
            draw_passages(marked, show_group=True)


def draw_hits(found: Answer) -> None:
    """Draw all hits, best first, each with its group."""
    pairs = [
        (member, subtopic) for subtopic in found.subtopics.subtopics for member in subtopic.passages
    ]
    st.caption("All passages in the order in which they answer the question.")
    draw_passages(sorted(pairs, key=lambda pair: pair[0].rank), show_group=True)
