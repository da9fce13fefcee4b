"""How the answer came about, how long it took, and the link to it."""

import html
from urllib.parse import urlencode

import streamlit as st

from subclust.checkpoints import Checkpoint
from subclust.methods import METHODS
from subclust.records import MethodCard
from subclust.ui.models_words import own_model_sentence
from subclust.ui.search import Answer
from subclust.ui.view import View
from subclust.ui.words import timings


def draw_footer(view: View, found: Answer) -> None:
    """Draw the method, the timings and the permanent link."""
    subtopics = found.subtopics
    card = METHODS[subtopics.method]
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center", key="footer"):
        with st.popover("Link to this view"):
            st.caption("Opens this question, grouping, map and selection again.")
            st.code(permalink(view), language=None, wrap_lines=True)
        st.html(
            f"<p class='sc-note'>{html.escape(grouped_by(card, found.pipeline.method.checkpoint))} "
            f"Answered in {timings(subtopics.timings_ms)}. "
            "Nothing you type leaves this machine or is recorded.</p>"
        )


def grouped_by(card: MethodCard, checkpoint: Checkpoint | None) -> str:
    """Say what made the groups: the method, and of a model made here whose it is."""
    if checkpoint is None:
        return f"{card.label}: {card.summary}"
    if own := own_model_sentence(checkpoint.name, checkpoint.card):
        return f"{card.label}: {own}"
    return f"{card.label} (model {checkpoint.name}): {card.summary}"


def permalink(view: View) -> str:
    """Write the address that shows a view."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(view.to_params(), doseq=True)}"
