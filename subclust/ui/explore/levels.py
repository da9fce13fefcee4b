"""Flat or nested subtopics: the switch, and the parts of each group as a list."""

import html
from collections.abc import Sequence

import streamlit as st

from subclust.core.records import SubtopicMap, SubtopicPart
from subclust.pipeline.parts import has_tree, parts_of
from subclust.ui import state
from subclust.ui.components.session import change_view, show_in_widget
from subclust.ui.components.view import LEVELS, View
from subclust.ui.explore.passages import passage_items
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, _n

_NAMES = {1: N_("Groups"), 2: N_("with parts"), 3: N_("parts of parts")}


def draw_levels(view: View) -> None:
    """Draw the switch between flat and nested subtopics."""
    show_in_widget(state.LEVELS, view.levels)
    st.segmented_control(
        _("Levels of subtopics"),
        list(LEVELS),
        key=state.LEVELS,
        required=True,
        format_func={level: _(words) for level, words in _NAMES.items()}.__getitem__,
        on_change=lambda: change_view(levels=st.session_state[state.LEVELS]),
        help=_("Divides each group further, where its passages fall into parts."),
    )


def shown_parts(view: View, found: Answer) -> dict[int, tuple[SubtopicPart, ...]]:
    """Return the parts of each group, divided once for as long as the groups are the same."""
    if view.levels == 1:
        return {}
    subtopics = found.subtopics
    key = (
        view.levels,
        subtopics.query.text,
        subtopics.projection,
        tuple(
            (one.id, one.name, tuple(m.passage.id for m in one.passages))
            for one in subtopics.subtopics
        ),
    )
    known = st.session_state.get(state.PARTS)
    if known is None or known[0] != key:
        known = (key, parts_of(subtopics, view.levels, found.pipeline.namer_for(found.ranking)))
        st.session_state[state.PARTS] = known
    parts: dict[int, tuple[SubtopicPart, ...]] = known[1]
    return parts


def draw_levels_note(view: View, subtopics: SubtopicMap) -> None:
    """Say where the parts come from, where it is not the tree of the groups."""
    if view.levels > 1 and not has_tree(subtopics):
        st.caption(
            _(
                "This method builds no tree of its groups, so each group is divided by itself, by "
                "the similarities that the method uses."
            )
        )


def draw_parts(parts: Sequence[SubtopicPart]) -> None:
    """Draw the parts of a group as a nested list; each opens to its passages."""
    if parts:
        st.html(_list(parts))


def _list(parts: Sequence[SubtopicPart]) -> str:
    return f"<ul class='sc-parts'>{''.join(_item(part) for part in parts)}</ul>"


def _item(part: SubtopicPart) -> str:
    size = _n("{count} passage", "{count} passages", len(part.passages))
    inside = (
        _list(part.parts)
        if part.parts
        else f"<ol class='sc-passages'>{passage_items(part.passages)}</ol>"
    )
    return (
        f"<li data-part='{part.number}'><details><summary><span class='sc-number'>{part.number}"
        f"</span> <span class='sc-title'>{html.escape(part.name)}</span>"
        f"<span class='sc-place'>{size}</span></summary>{inside}</details></li>"
    )
