"""The map of the themes; what is chosen on it is listed below."""

from typing import Any

import streamlit as st

from subclust.core.records import SubtopicMap
from subclust.figures import n_theme_marks, theme_scatter
from subclust.ui.components.theme import figure_theme
from subclust.ui.components.themes_state import Shown
from subclust.ui.i18n.language import _, _n, number
from subclust.ui.themes.texts import draw_texts

MOST_LISTED = 50
"""Texts chosen on the map that are listed."""

_CONFIG: dict[str, Any] = {
    "displayModeBar": True,
    "modeBarButtons": [["pan2d", "select2d", "lasso2d"], ["zoomIn2d", "zoomOut2d", "resetScale2d"]],
    "scrollZoom": False,
}


def draw_themes_map(shown: Shown, groups: SubtopicMap) -> None:
    """Draw every text as a mark, with the names of the largest themes."""
    key = f"themes-map-{shown.key}"
    place = st.container()
    st.plotly_chart(
        theme_scatter(groups, chosen=shown.theme, theme=figure_theme()),
        key=key,
        theme=None,
        on_select="rerun",
        config=_CONFIG,
        alt=_described(groups),
    )
    note = _(
        "Each mark is a text; near means alike. Point at a mark to read its title; click it, or "
        "draw around many with the box or lasso above the map, to list them."
    )
    n_texts, drawn = sum(group.size for group in groups.subtopics), n_theme_marks(groups)
    if drawn < n_texts:
        note += " " + _(
            "Of the {count} texts {drawn} are drawn, those that are most of their theme."
        ).format(count=number(n_texts), drawn=number(drawn))
    st.html(f"<p class='sc-note'>{note}</p>")
    ids = _chosen(key)
    if not ids:
        return
    members = [
        (member, group)
        for group in groups.subtopics
        for member in group.passages
        if member.passage.id in ids
    ]
    with place, st.container(border=True, key="themes-chosen"):
        count = _n("{count} text", "{count} texts", len(members))
        st.html(f"<h3 class='sc-chosen'>{_('Chosen: {count}').format(count=count)}</h3>")
        with st.container(height=300 if len(members) > 3 else "content", border=False):
            draw_texts(members[:MOST_LISTED], show_theme=True)
        if len(members) > MOST_LISTED:
            more = _("The first {count} are listed.").format(count=MOST_LISTED)
            st.html(f"<p class='sc-note'>{more}</p>")


def _chosen(key: str) -> set[str]:
    """Read the ids of the marks that were chosen, never their positions."""
    selection = st.session_state.get(key)
    points = selection.selection.points if selection else []
    return {str(point["customdata"][0]) for point in points if point.get("customdata")}


def _described(groups: SubtopicMap) -> str:
    """Say in words what the map shows."""
    told = "; ".join(
        f"{group.name}, {_n('{count} text', '{count} texts', group.size)}"
        for group in groups.subtopics
    )
    return _("Map of the texts by theme: {themes}. The table lists the same.").format(themes=told)
