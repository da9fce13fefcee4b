"""The hits in their own order, and those that were chosen on the map."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from subclust.core.records import Ranking
from subclust.ui import state
from subclust.ui.components.session import unmark
from subclust.ui.components.view import View
from subclust.ui.explore.passages import draw_passages
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n

AT_ONCE = 200
"""Hits that are drawn at first: more texts at once keep the browser busy."""

CHOSEN_AT_ONCE = 60
"""Chosen passages that are drawn at first, since they are drawn anew at every step."""


def draw_marked(view: View, found: Answer) -> DeltaGenerator | None:
    """Draw the passages that were chosen on the map or in the table, if any.

    Returns
    -------
    DeltaGenerator or None
        Where a single one is explained, None where none or several are chosen.
    """
    if not view.passages:
        return None
    marked = found.marked(view)
    with st.container(border=True, key="chosen", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            told = _n("Chosen: {count} passage", "Chosen: {count} passages", len(marked))
            st.html(f"<h3 class='sc-chosen'>{told}</h3>")
            st.button(_("Clear"), key="clear", on_click=unmark)
        with st.container(height=460 if len(marked) > 4 else "content", border=False):
            whole = st.session_state.get(state.ALL_CHOSEN) == view.passages
            at_once = len(marked) if whole else CHOSEN_AT_ONCE
            draw_passages(marked[:at_once], show_group=True)
            _draw_rest(len(marked[at_once:]), "all-chosen", state.ALL_CHOSEN, view.passages)
    if len(marked) != 1:
        return None
    return st.container(border=True, key="why-chosen", gap="small")


def draw_hits(found: Answer) -> None:
    """Draw the hits, best first, each with its group; beyond `AT_ONCE` when they are asked for."""
    pairs = [
        (member, subtopic) for subtopic in found.subtopics.subtopics for member in subtopic.passages
    ]
    pairs.sort(key=lambda pair: pair[0].rank)
    at_once = len(pairs) if st.session_state.get(state.ALL_HITS_OF) is found.ranking else AT_ONCE
    st.caption(_("All passages in the order in which they answer the question."))
    draw_passages(pairs[:at_once], show_group=True)
    _draw_rest(len(pairs[at_once:]), "all-hits", state.ALL_HITS_OF, found.ranking)


def _draw_rest(count: int, key: str, remembered: str, shown: Ranking | tuple[str, ...]) -> None:
    """Offer the passages that are not drawn, if any; what asks for them is remembered."""
    if not count:
        return

    def show_all() -> None:
        st.session_state[remembered] = shown

    st.button(
        _n("Show the other {count} passage", "Show the other {count} passages", count),
        key=key,
        on_click=show_all,
    )
