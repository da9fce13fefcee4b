"""Keep these hits, change the question: the switch, what it did, and the way out."""

import html

import pandas as pd
import streamlit as st

from subclust.core.records import Regrouping, SubtopicMap
from subclust.figures import group_style
from subclust.methods import METHODS
from subclust.ui import state
from subclust.ui.components.plain import plain
from subclust.ui.components.session import (
    SELECTIONS,
    change_view,
    go_to,
    known_view,
    mark_passages,
    show_in_widget,
)
from subclust.ui.components.view import View
from subclust.ui.explore.kept_words import (
    SIDES,
    effect_explained,
    effect_sentence,
    group_name,
    kept_sentence,
    moved_number,
)
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _


def draw_keep(view: View) -> None:
    """Draw the switch that keeps the hits while the question changes."""
    show_in_widget(state.KEEP, view.hits is not None)
    st.toggle(
        _("Keep these hits"),
        key=state.KEEP,
        on_change=_keep,
        help=_(
            "While this is on, another question looks for nothing: it groups the passages that are "
            "there in another way."
        ),
    )


def _keep() -> None:
    view = known_view()
    go_to(view.keeping() if st.session_state[state.KEEP] else view.changed(hits=None))


def draw_kept(view: View, found: Answer) -> None:
    """Say whose hits are grouped under what, what that did, and offer the ways out."""
    if view.hits is None or found.regrouping is None:
        return
    regrouping = found.regrouping
    asked_anew = regrouping.before.query != regrouping.after.query
    with st.container(border=True, key="kept", gap="small"):
        st.html(f"<p class='sc-kept'>{html.escape(kept_sentence(regrouping))}</p>")
        if asked_anew:
            card = METHODS[found.subtopics.method]
            told = effect_sentence(regrouping, looks_at_query=card.query_specific)
            st.html(f"<p class='sc-note'>{html.escape(told)}</p>")
        with st.container(horizontal=True, key="kept-ways"):
            if asked_anew:
                st.button(
                    _("Back to “{first}”").format(first=plain(view.hits.text)),
                    key="kept-back",
                    on_click=go_to,
                    args=(view.first(),),
                )
                st.button(
                    _("Search for “{query}”").format(query=plain(view.query)),
                    key="kept-search",
                    on_click=go_to,
                    args=(view.changed(hits=None),),
                )
            else:
                st.button(
                    _("Leave these hits"), key="kept-back", on_click=go_to, args=(view.first(),)
                )
        if asked_anew:
            moves = st.expander(_("Which passages moved"), key="moves-open", on_change="rerun")
            if moves.open:
                with moves:
                    _draw_moves(regrouping)


def draw_sides(view: View) -> None:
    """Draw the switch between the map of now and that of the first question."""
    shown = "before" if view.before else "after"
    show_in_widget(state.SIDE, shown)
    st.segmented_control(
        _("Map"),
        list(SIDES),
        key=state.SIDE,
        required=True,
        format_func={side: _(words) for side, words in SIDES.items()}.__getitem__,
        on_change=lambda: change_view(before=st.session_state[state.SIDE] == "before"),
        label_visibility="collapsed",
    )


def moves_frame(regrouping: Regrouping) -> pd.DataFrame:
    """List the passages that another question moved, the farthest first.

    Returns
    -------
    DataFrame
        A row a passage, by its id; title, how far it moved in words and as a number, the group
        before and the one now.
    """
    rows = sorted(regrouping.effects, key=lambda effect: (-effect.moved, effect.rank))
    frame = pd.DataFrame(
        {
            "id": [effect.passage.id for effect in rows],
            _("Passage"): [effect.passage.title or effect.passage.text[:80] for effect in rows],
            _("Moved"): [moved_number(effect) for effect in rows],
            _("Group before"): [_with_glyph(regrouping.before, one.before) for one in rows],
            _("Group now"): [
                _with_glyph(regrouping.after, one.after)
                if one.after != one.before
                else _("the same")
                for one in rows
            ],
        }
    )
    return frame.set_index("id")


def _draw_moves(regrouping: Regrouping) -> None:
    frame = moves_frame(regrouping)
    key = SELECTIONS.key("moves")

    def mark_rows() -> None:
        mark_passages([str(frame.index[row]) for row in st.session_state[key].selection.rows])

    st.caption(effect_explained() + " " + _("Choose rows to mark them on the map."))
    st.dataframe(
        frame,
        key=key,
        on_select=mark_rows,
        selection_mode="multi-row",
        hide_index=True,
        height=320,
        alt=_("How far each passage moved, and which group it left for which"),
    )


def _with_glyph(subtopics: SubtopicMap, group: int) -> str:
    return f"{group_style(group).glyph} {group_name(subtopics, group)}"
