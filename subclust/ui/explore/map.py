"""The map and the table of the same; the neighbourhood map is computed in the background."""

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from zlib import crc32

import numpy as np
import pandas as pd
import streamlit as st

from subclust.core.records import FloatArray, Regrouping, SubtopicMap
from subclust.figures.moved import draw_part_outlines, moved_scatter
from subclust.figures.palette import group_style
from subclust.figures.scatter import subtopic_scatter
from subclust.grouping.projection import align, placed_as, warm_up
from subclust.ui import state
from subclust.ui.components.browser import figure_theme, map_config, wants_no_motion
from subclust.ui.components.markup import draw_status
from subclust.ui.components.session import (
    SELECTIONS,
    mark_passages,
    selected_marks,
)
from subclust.ui.components.view import View
from subclust.ui.components.words import MAP_NOTES, judged, n_passages, plain
from subclust.ui.explore.groups import shown_parts
from subclust.ui.explore.kept_hits import draw_sides
from subclust.ui.explore.search import Answer, opened
from subclust.ui.i18n.language import _


@st.cache_resource(max_entries=1, show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="neighbourhood-map")


def prepare() -> None:
    """Start compiling, so that the first map comes sooner. Does not wait."""
    warm_up()


def _neighbourhood_map(view: View, found: Answer) -> SubtopicMap | None:
    """Return the neighbourhood map of an answer, None as long as it is being made."""
    kept, key = opened(view), (view.grouping(), found.served)
    known = st.session_state.get(state.NEIGHBOURHOODS)
    if not (kept and kept.other_map) and (not known or known[0] != key):
        st.session_state[state.NEIGHBOURHOODS] = (key, _worker().submit(_project, found))
    return known_map(view, found)


def known_map(view: View, found: Answer) -> SubtopicMap | None:
    """Return the neighbourhood map of an answer if it has been made; makes none."""
    kept = opened(view)
    if kept and kept.other_map:
        return placed_as(found.subtopics, kept.other_map)
    known = st.session_state.get(state.NEIGHBOURHOODS)
    if not known or known[0] != (view.grouping(), found.served) or not known[1].done():
        return None
    return placed_as(found.subtopics, known[1].result())


@st.fragment(run_every=1.0)
def _redraw_when_ready() -> None:
    """Look once a second whether the map is ready, and draw the page again when it is."""
    told = _("Computing this map. The overview is shown until it is ready.")
    draw_status(told)
    known = st.session_state.get(state.NEIGHBOURHOODS)
    if known and known[1].done():
        st.rerun()


def _project(found: Answer) -> SubtopicMap:
    """Project, and turn the result so that it lies as the overview does."""
    projected = found.pipeline.project(found.subtopics, found.ranking, "umap")
    ids, overview = _coordinates(found.subtopics)
    _, neighbourhoods = _coordinates(projected)
    turned = iter(align(neighbourhoods, ids, overview, ids))
    subtopics = []
    for subtopic in projected.subtopics:
        places = [(member, next(turned)) for member in subtopic.passages]
        members = tuple(replace(member, x=float(x), y=float(y)) for member, (x, y) in places)
        subtopics.append(replace(subtopic, passages=members))
    return replace(projected, subtopics=tuple(subtopics))


def _coordinates(subtopics: SubtopicMap) -> tuple[list[str], FloatArray]:
    members = [member for subtopic in subtopics.subtopics for member in subtopic.passages]
    places = np.array([(member.x, member.y) for member in members], dtype=np.float32)
    return [member.passage.id for member in members], places


_HEIGHT = 560
"""Of the map, in pixels: it is seen whole on a screen of 800."""


def draw_map(view: View, found: Answer) -> None:
    """Draw the map; marks chosen on it become the view's passages."""
    if found.regrouping:
        _draw_moved(view, found, found.regrouping)
        return
    subtopics = _neighbourhood_map(view, found) if view.projection == "umap" else found.subtopics
    is_ready = subtopics is not None
    subtopics = subtopics or found.subtopics
    key = SELECTIONS.key("scatter")
    marked = [member.passage.id for member, _group in found.marked(view)]
    figure = subtopic_scatter(subtopics, marked=marked, theme=figure_theme(), height=_HEIGHT)
    # Parts carry the coordinates of the overview; on the other map their outlines would be wrong.
    parts = shown_parts(view, found) if subtopics is found.subtopics else {}
    draw_part_outlines(figure, parts, numbered=view.group, theme=figure_theme())
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        on_select=lambda: mark_passages(selected_marks(key)),
        config=map_config(),
        alt=_described(subtopics),
    )
    if not is_ready:  # below the map, which would else be drawn anew in another place
        _redraw_when_ready()
        return
    how = _(
        "Point at a mark to read it. To list passages, click a mark, or draw "
        "around several with the box or lasso above the map."
    )
    st.caption(plain(f"{_(MAP_NOTES[subtopics.projection])} {how}"))


def _draw_moved(view: View, found: Answer, regrouping: Regrouping) -> None:
    """Draw the map of kept hits, on which marks go from one question's places to the other's."""
    # The side that is shown is as it was corrected, and without the passages that were taken out.
    there = {one.passage.id for group in found.subtopics.subtopics for one in group.passages}
    effects = tuple(one for one in regrouping.effects if one.passage.id in there)
    side = "before" if view.before else "after"
    regrouping = replace(regrouping, effects=effects, **{side: found.subtopics})
    with st.container(horizontal=True, vertical_alignment="center", key="map-switch"):
        draw_sides(view)
    still = wants_no_motion()
    key = SELECTIONS.key("kept-map")
    st.plotly_chart(
        moved_scatter(
            regrouping,
            before=view.before,
            marked=[member.passage.id for member, _group in found.marked(view)],
            theme=figure_theme(),
            still=still,
            height=_HEIGHT,
        ),
        key=key,
        theme=None,
        on_select=lambda: mark_passages(selected_marks(key)),
        config=map_config(),
        alt=_described(found.subtopics),
    )
    note = _(
        "Passages close to each other are similar with respect to the question. Lines lead to "
        "where the passages that changed group were before; “Before” shows the map of the "
        "first question."
    )
    st.caption(plain(note))


def _described(subtopics: SubtopicMap) -> str:
    """Return what the map shows, in words."""
    groups = "; ".join(
        f"{subtopic.name}, {n_passages(subtopic.size)}" for subtopic in subtopics.subtopics
    )
    told = _("Map of the passages in their groups: {groups}. The table lists the same.")
    return told.format(groups=groups)


def _as_frame(subtopics: SubtopicMap, judgements: Mapping[str, str] | None = None) -> pd.DataFrame:
    """List all passages, group by group, the most central first."""
    said = judgements or {}
    rows = [
        {
            "id": member.passage.id,
            _("Group"): f"{group_style(subtopic.id).glyph} {subtopic.name}",
            _("Title"): member.passage.title,
            _("Section"): member.passage.path or "",
            _("Hit"): member.rank,
            _("Fit"): round(member.strength, 2),
            _("Mark"): judged(said.get(member.passage.id)),
            _("Passage"): member.passage.text,
        }
        for subtopic in subtopics.subtopics
        for member in subtopic.passages
    ]
    return pd.DataFrame(rows).set_index("id")


def draw_table(
    subtopics: SubtopicMap,
    judgements: Mapping[str, str] | None = None,
    chosen: Collection[str] = (),
) -> None:
    """Draw the table; chosen rows are marked on the map, and can be corrected.

    Parameters
    ----------
    subtopics : SubtopicMap
    judgements : mapping of str to str, optional
        What was said of passages, by id.
    chosen : collection of str
        Ids of the passages that are chosen when the table is drawn anew.
    """
    frame = _as_frame(subtopics, judgements)
    # A choice is kept by the place in the frame: other places, another table.
    key = SELECTIONS.key(f"table-{crc32(chr(10).join(frame.index).encode()):08x}")
    wanted = set(chosen)
    rows = [row for row, id in enumerate(frame.index) if id in wanted]

    def mark_rows() -> None:
        # Streamlit reports places in the frame, whatever the visitor sorted by.
        mark_passages([str(frame.index[row]) for row in st.session_state[key].selection.rows])

    st.caption(
        _(
            "The same passages and groups as on the map, one passage per row. Choose rows to "
            "mark them there."
        )
    )
    st.dataframe(
        frame,
        key=key,
        on_select=mark_rows,
        selection_mode="multi-row",
        selection_default={"selection": {"rows": rows, "columns": [], "cells": []}},
        hide_index=True,
        height=640,
        alt=_("All passages with their groups"),
        column_config={
            _("Group"): st.column_config.TextColumn(width=240),
            _("Title"): st.column_config.TextColumn(width=180),
            _("Section"): st.column_config.TextColumn(width=150),
            _("Passage"): st.column_config.TextColumn(width=700),
            _("Mark"): st.column_config.TextColumn(width=80, help=_("What you said about it")),
            _("Hit"): st.column_config.NumberColumn(
                width=55, help=_("Rank among all hits, 1 is best")
            ),
            _("Fit"): st.column_config.NumberColumn(
                width=60, help=_("How well it fits its group, from −1 to 1"), format="%.2f"
            ),
        },
    )
