"""The map beside the list, and what is chosen on it."""

from dataclasses import replace

import streamlit as st

from subclust.core.records import Regrouping, SubtopicMap
from subclust.figures import draw_part_outlines, moved_scatter, subtopic_scatter
from subclust.ui import state
from subclust.ui.components.motion import wants_no_motion
from subclust.ui.components.session import SELECTIONS, change_view, mark_passages, show_in_widget
from subclust.ui.components.theme import figure_theme
from subclust.ui.components.view import View
from subclust.ui.components.words import MAP_NOTES, MAPS
from subclust.ui.explore.kept_hits import draw_sides
from subclust.ui.explore.levels import shown_parts
from subclust.ui.explore.neighbourhood import neighbourhood_map, redraw_when_ready
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import _, _n

_CONFIG = {
    "displayModeBar": True,
    "modeBarButtons": [["pan2d", "select2d", "lasso2d"], ["zoomIn2d", "zoomOut2d", "resetScale2d"]],
    "scrollZoom": False,
}


def draw_map(view: View, found: Answer) -> None:
    """Draw the map with its switch; marks chosen on it become the view's passages."""
    if found.regrouping:
        _draw_moved(view, found, found.regrouping)
        return
    show_in_widget(state.PROJECTION, view.projection)
    subtopics = neighbourhood_map(view, found) if view.projection == "umap" else found.subtopics
    with st.container(horizontal=True, vertical_alignment="center", key="map-switch"):
        st.segmented_control(
            _("Map"),
            list(MAPS),
            key=state.PROJECTION,
            required=True,
            format_func={name: _(words) for name, words in MAPS.items()}.__getitem__,
            on_change=lambda: change_view(projection=st.session_state[state.PROJECTION]),
            label_visibility="collapsed",
        )
        if subtopics is None:
            redraw_when_ready()
            subtopics = found.subtopics
    key = SELECTIONS.key("scatter")
    marked = [member.passage.id for member, _group in found.marked(view)]
    figure = subtopic_scatter(subtopics, marked=marked, theme=figure_theme())
    parts = shown_parts(view, found) if subtopics is found.subtopics else {}
    draw_part_outlines(figure, parts, numbered=view.group, theme=figure_theme())
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        on_select=lambda: mark_passages(_chosen(key)),
        config=_CONFIG,
        alt=_described(subtopics),
    )
    how = _(
        "Point at a mark to read it; click it, or draw around many with the box or lasso above the "
        "map, to list them."
    )
    st.html(f"<p class='sc-note'>{_(MAP_NOTES[subtopics.projection])} {how}</p>")


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
        ),
        key=key,
        theme=None,
        on_select=lambda: mark_passages(_chosen(key)),
        config=_CONFIG,
        alt=_described(found.subtopics),
    )
    note = _(
        "Near means alike under the question, as the method compares. Lines lead to where the "
        "passages that changed group were before; “Before” shows the map of the first question."
    )
    st.html(f"<p class='sc-note'>{note}</p>")


def _chosen(key: str) -> list[str]:
    """Read the ids of the marks that were chosen, never their positions."""
    points = st.session_state[key].selection.points
    return [str(point["customdata"][0]) for point in points if point.get("customdata")]


def _described(subtopics: SubtopicMap) -> str:
    """Say in words what the map shows."""
    groups = "; ".join(
        f"{subtopic.name}, {_n('{count} passage', '{count} passages', subtopic.size)}"
        for subtopic in subtopics.subtopics
    )
    told = _("Map of the passages in their groups: {groups}. The table tab lists the same.")
    return told.format(groups=groups)
