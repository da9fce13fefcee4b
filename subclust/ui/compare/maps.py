"""The maps of a comparison, one a column: what is chosen on one is marked on all."""

import html
from collections.abc import Sequence

import streamlit as st

from subclust.comparison import LETTERS, Comparison
from subclust.core.records import OTHER_PASSAGES, Subtopic
from subclust.figures import group_style, marked_style, subtopic_scatter
from subclust.ui.compare.panels import column_title
from subclust.ui.compare.view import SELECTIONS, CompareView, mark
from subclust.ui.components.session import selected_marks
from subclust.ui.components.theme import MAP_CONFIG, figure_theme
from subclust.ui.components.words import headline, plain
from subclust.ui.i18n.language import _


def draw_maps(view: CompareView, found: Comparison) -> None:
    """Draw each column's heading, map and groups."""
    with st.container(key="compare-maps"):
        for place, drawn in enumerate(st.columns(len(found.maps), gap="medium")):
            with drawn:
                _draw_map(place, view, found)
    note = _(
        "The same colour and symbol is the same group, as far as groups hold the same passages. "
        "All maps are turned to lie as the first one does. What you choose on one map, or by a "
        "group's name, is marked on all."
    )
    st.caption(note)


def draw_map_style(view: CompareView, found: Comparison) -> None:
    """Put its symbol before each group's name, as on the maps, and highlight what is marked."""
    theme = figure_theme()
    rules = []
    for group in sorted({group.id for one in found.maps for group in one.subtopics}):
        style = group_style(group, theme)
        keys = [f".st-key-{group_key(place, group)}" for place in range(len(found.maps))]
        rules.append(
            f"{', '.join(f'{key} button::before' for key in keys)}, .sc-as-{_slug(group)}::before "
            f"{{ content: '{style.glyph}' / ''; color: {style.outline} }}"
        )
    st.html(f"<style>{''.join(rules)}</style>")
    marked = set(view.marked)
    stand_out = "\n".join(
        marked_style(one, marked, f"[class*='st-key-map-{LETTERS[place]}-']", theme)
        for place, one in enumerate(found.maps)
    )
    st.html(f"<style>{stand_out}</style>")


def group_key(place: int, group: int) -> str:
    """Name the button of a column's group for the style sheet and for tests."""
    return f"of-{LETTERS[place]}-{_slug(group)}"


def group_class(group: int) -> str:
    """Name the class that puts a group's symbol before its name."""
    return f"sc-as sc-as-{_slug(group)}"


def _draw_map(place: int, view: CompareView, found: Comparison) -> None:
    one = found.maps[place]
    title = column_title(found, place)
    st.html(
        f"<h3 class='sc-column'><b>{LETTERS[place]}</b> {html.escape(title)}</h3>"
        f"<p class='sc-note'>{headline(one)}</p>"
    )
    key = SELECTIONS.key(f"map-{LETTERS[place]}")
    st.plotly_chart(
        # Whoever is marked, the figure stays: to draw it again takes a browser much longer.
        subtopic_scatter(one, theme=figure_theme(), height=360, n_labels=0),
        key=key,
        theme=None,
        on_select=lambda: _take(key),
        config=MAP_CONFIG,
        alt=_("Map of column {letter}: {groups}. The buttons below mark each group.").format(
            letter=LETTERS[place], groups=", ".join(group.name for group in one.subtopics)
        ),
    )
    with st.container(key=f"groups-{LETTERS[place]}", gap=None):
        for group in one.subtopics:
            _draw_group(place, group, view.marked)


def _draw_group(place: int, group: Subtopic, marked: Sequence[str]) -> None:
    ids = [member.passage.id for member in group.passages]
    again = set(ids) == set(marked)
    st.button(
        f"{plain(group.name)} ({group.size})",
        key=group_key(place, group.id),
        type="tertiary",
        on_click=lambda: mark([] if again else ids, anew=True),
    )


def _take(key: str) -> None:
    """Mark what was chosen on a map; a click beside the marks clears them."""
    mark(selected_marks(key))


def _slug(group: int) -> str:
    return "other" if group == OTHER_PASSAGES else str(group)
