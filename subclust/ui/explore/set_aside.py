"""The hits that are probably about something else, and how strictly they are told apart."""

from collections.abc import Sequence

import streamlit as st

from subclust.core.records import Hit
from subclust.pipeline.expected import unmet
from subclust.text.retrieval import FEW, STRICTNESSES
from subclust.ui import state
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.components.view import View
from subclust.ui.components.words import n_documents, plain, sizes
from subclust.ui.explore.passages import document_list
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, _n

_LABELS = {
    "all": N_("All hits"),
    "looser": N_("Looser"),
    "usual": N_("As usual"),
    "stricter": N_("Stricter"),
}


def draw_little(found: Answer) -> None:
    """Draw that the library has little on the question, or on what is expected, where it is so."""
    n_hits = len(found.ranking.hits)
    if found.ranking.set_aside and n_hits < FEW:
        told = _("The library “{library}” has little on “{question}”: {passages}.").format(
            library=found.ranking.library,
            question=found.ranking.query.text,
            passages=sizes(found.ranking.hits),
        )
        st.info(plain(told))
    for name in unmet(found.subtopics):
        told = _("No passage is about the expected subtopic “{name}”.").format(name=name)
        st.info(plain(told))


def draw_set_aside(view: View, found: Answer) -> None:
    """Draw under the groups what was left out of them, closed, and the choice of how much it is."""
    aside = found.ranking.set_aside
    if not aside and view.strictness == View.strictness:
        return
    with st.expander(_told(aside) if aside else _("No hits are set aside"), key="set-aside"):
        if not view.session:  # What was saved stays as it was.
            show_in_widget(state.STRICTNESS, view.strictness)
            st.segmented_control(
                _("How closely a passage must be about the question"),
                list(STRICTNESSES),
                key=state.STRICTNESS,
                format_func=lambda one: _(_LABELS[one]),
                on_change=_take,
            )
        st.html(document_list(aside, marks=found.ranking.query.text, asks=False))


def _told(aside: Sequence[Hit]) -> str:
    told = _n(
        "{count} further hit is probably about something else",
        "{count} further hits are probably about something else",
        len(aside),
    )
    documents = n_documents(aside)
    return f"{told} ({documents})" if documents else told


def _take() -> None:
    chosen = st.session_state.get(state.STRICTNESS)
    change_view(strictness=chosen or View.strictness)
