"""Keep these hits, change the question: the switch, what it did, and the way out."""

import html

import pandas as pd
import streamlit as st

from subclust.core.records import OTHER_PASSAGES_NAME, QueryEffect, Regrouping, SubtopicMap
from subclust.figures.palette import group_style
from subclust.methods import METHODS
from subclust.pipeline.effect import what_changed
from subclust.ui import state
from subclust.ui.components.session import (
    SELECTIONS,
    change_view,
    go_to,
    known_view,
    mark_passages,
    show_in_widget,
)
from subclust.ui.components.view import View
from subclust.ui.components.words import n_passages, plain, sizes
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, number, said

SIDES: dict[str, str] = {"after": N_("Now"), "before": N_("Before")}
"""Of the map of kept hits."""

MOVES: tuple[tuple[float, str], ...] = (
    (0.25, N_("stays")),
    (0.75, N_("moves a little")),
    (float("inf"), N_("moves far")),
)
"""How far a passage moves, in words; each holds below its number of mean distances."""

FAR = MOVES[1][0]


def _kept_sentence(regrouping: Regrouping) -> str:
    """Return whose hits are grouped under which question."""
    first, other = regrouping.before.query, regrouping.after.query
    passages = sizes(regrouping.effects)
    if first == other:
        return _(
            "{passages} found for “{first}” and kept. Type another question to regroup them."
        ).format(passages=passages, first=first.text)
    if other.way:
        return _("{passages} found for “{first}”, divided {way}.").format(
            passages=passages, first=first.text, way=other.text
        )
    return _("{passages} found for “{first}”, grouped under “{other}”.").format(
        passages=passages, first=first.text, other=other.text
    )


def _effect_sentence(regrouping: Regrouping, *, looks_at_query: bool) -> str:
    """Sum up what the other question did."""
    if not looks_at_query and not regrouping.after.query.way:
        return _(
            "This method ignores the question, so nothing moves. Choose another "
            "method to see the effect of the question."
        )
    far = sum(effect.moved >= FAR for effect in regrouping.effects)
    moved = _("{passages} moved far on the map.").format(passages=n_passages(far)) if far else ""
    return f"{said(what_changed(regrouping))} {moved}".strip()


def _group_name(subtopics: SubtopicMap, group: int) -> str:
    """Return the name of a group of a map."""
    names = {one.id: one.name for one in subtopics.subtopics}
    return names.get(group, _(OTHER_PASSAGES_NAME))


def _effect_explained() -> str:
    """Return what the number behind a move is."""
    return _(
        "How far the passage moved between the two maps, which are turned so that they lie on "
        "each other as well as possible: 0 is not at all, 1 is the mean distance from the middle "
        "of the map."
    )


def _moved_number(effect: QueryEffect) -> str:
    """Write how far a passage moved, in words with the number behind."""
    words = _(next(words for below, words in MOVES if effect.moved < below))
    return _("{words} ({number})").format(words=words, number=number(effect.moved, 2))


def draw_keep(view: View) -> None:
    """Draw the switch that keeps the hits while the question changes."""
    show_in_widget(state.KEEP, view.hits is not None)
    st.toggle(
        _("Keep these hits"),
        key=state.KEEP,
        on_change=_keep,
        help=_(
            "While this is on, another question does not search again; it regroups these passages."
        ),
    )


def _keep() -> None:
    view = known_view()
    go_to(view.keeping() if st.session_state[state.KEEP] else view.changed(hits=None))


def draw_kept(view: View, found: Answer) -> None:
    """Draw whose hits are grouped under what, what that did, and the ways out."""
    if view.hits is None or found.regrouping is None:
        return
    regrouping = found.regrouping
    asked_anew = regrouping.before.query != regrouping.after.query
    with st.container(border=True, key="kept", gap="small"):
        st.html(f"<p class='sc-kept'>{html.escape(_kept_sentence(regrouping))}</p>")
        if asked_anew:
            card = METHODS[found.subtopics.method]
            told = _effect_sentence(regrouping, looks_at_query=card.query_specific)
            st.caption(plain(told))
        with st.container(horizontal=True, key="kept-ways"):
            if asked_anew:
                st.button(
                    _("Back to “{first}”").format(first=plain(view.hits.text)),
                    key="kept-back",
                    on_click=go_to,
                    args=(view.first(),),
                )
                if not view.way:
                    st.button(
                        _("Search for “{query}”").format(query=plain(view.query)),
                        key="kept-search",
                        on_click=go_to,
                        args=(view.changed(hits=None),),
                    )
            else:
                st.button(
                    _("Stop keeping these hits"),
                    key="kept-back",
                    on_click=go_to,
                    args=(view.first(),),
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


def _moves_frame(regrouping: Regrouping) -> pd.DataFrame:
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
            _("Moved"): [_moved_number(effect) for effect in rows],
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
    frame = _moves_frame(regrouping)
    key = SELECTIONS.key("moves")

    def mark_rows() -> None:
        mark_passages([str(frame.index[row]) for row in st.session_state[key].selection.rows])

    st.caption(_effect_explained() + " " + _("Choose rows to mark them on the map."))
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
    return f"{group_style(group).glyph} {_group_name(subtopics, group)}"
