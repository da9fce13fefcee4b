"""The themes beside their map: names, sizes, telling texts; and what an open one holds."""

import html

import pandas as pd
import streamlit as st

from subclust.core.records import Subtopic, SubtopicMap
from subclust.figures import group_style
from subclust.themes import KeptThemes
from subclust.themes.offers import OFFERS
from subclust.training.augmentation.wordnet import WITHOUT_SYNONYMS
from subclust.ui.components.plain import plain
from subclust.ui.components.themes_state import Shown, look_at
from subclust.ui.explore.groups import group_key
from subclust.ui.explore.passages import mark_class
from subclust.ui.explore.within import search_within
from subclust.ui.i18n.language import _, _n, number
from subclust.ui.style import draw_group_style
from subclust.ui.themes.texts import draw_texts
from subclust.ui.themes.words import WHENCE

_TELLING = 2
_AT_ONCE = 50
_MORE = "themes-more"


def draw_found(shown: Shown, themes: KeptThemes, groups: SubtopicMap) -> None:
    """Draw all themes, or the one that is open."""
    draw_group_style(groups.subtopics, st.context.theme.type, shown.theme)
    chosen = next((one for one in groups.subtopics if one.id == shown.theme), None)
    if chosen is not None:
        _draw_open(shown, chosen)
    else:
        st.html(f"<h2 class='sc-headline'>{_headline(themes)}</h2>")
        st.html(f"<p class='sc-note'>{_origin(themes)}</p>")
        for group in groups.subtopics:
            _draw_card(group)
    if st.toggle(_("Show as a table"), key="themes-table"):
        _draw_table(groups, chosen)


def _headline(themes: KeptThemes) -> str:
    count = _n("{count} theme", "{count} themes", themes.n_themes)
    texts = _n("{count} text", "{count} texts", len(themes.ids))
    return _("{themes} of {texts}").format(themes=count, texts=texts)


def _origin(themes: KeptThemes) -> str:
    """Return how they came about."""
    said = _("{method}, in {seconds} seconds.").format(
        method=OFFERS[themes.request.method].label, seconds=number(themes.seconds)
    )
    if themes.request.filters:
        filters = html.escape("; ".join(themes.request.filters))
        said += " " + _("Only texts with {filters}.").format(filters=filters)
    if themes.n_themes_source in WHENCE:
        said += " " + _(WHENCE[themes.n_themes_source])
    training = themes.told.get("training") or {}
    if training.get("wordings") == WITHOUT_SYNONYMS:
        said += " " + _("It learnt without synonyms, since WordNet is not on this machine.")
    return said


def _draw_card(group: Subtopic) -> None:
    key = group_key(group.id)
    with st.container(border=True, key=f"card-{key}", gap=None):
        st.button(
            plain(group.name),
            key=key,
            type="tertiary",
            on_click=look_at,
            kwargs={"theme": group.id},
            help=_("Open this theme"),
        )
        size = _n("{count} text", "{count} texts", group.size)
        st.html(f"<p class='sc-facts'>{size}</p>")
        members = [(member, group) for member in group.passages[:_TELLING]]
        draw_texts(members)


def _draw_open(shown: Shown, group: Subtopic) -> None:
    st.button(
        _("‹ All themes"),
        key="themes-all",
        type="tertiary",
        on_click=look_at,
        kwargs={"theme": None},
    )
    symbol = f"<span class='{mark_class(group.id)}' aria-hidden='true'></span>"
    st.html(f"<h2 class='sc-headline'>{symbol} {html.escape(group.name)}</h2>")
    size = _n("{count} text", "{count} texts", group.size)
    note = _("Those that are most of this theme come first.")
    st.html(f"<p class='sc-note'>{size}. {note}</p>")
    with st.container(horizontal=True, vertical_alignment="bottom", key="themes-search"):
        query = st.text_input(
            _("Search within this theme"),
            key=f"themes-query-{shown.key}-{group.id}",
            placeholder=_("A question or a few words"),
            on_change=_asked,
            args=(shown, group.id),
            max_chars=200,
        )
        st.button(
            _("Search"),
            key="themes-search-go",
            on_click=search_within,
            args=(shown.library, f"{shown.key}-{group.id}", query),
            disabled=not query.strip(),
        )
    n_shown = _AT_ONCE + st.session_state.get(_MORE, {}).get((shown.key, group.id), 0)
    with st.container(height=560 if group.size > 6 else "content", border=False, key="themes-open"):
        draw_texts([(one, group) for one in group.passages[:n_shown]])
        if group.size > n_shown:
            left = min(_AT_ONCE, group.size - n_shown)
            st.button(
                _n("Show {count} more", "Show {count} more", left),
                key="themes-show-more",
                on_click=_show_more,
                args=(shown.key, group.id),
            )


def _asked(shown: Shown, theme: int) -> None:
    query = st.session_state[f"themes-query-{shown.key}-{theme}"]
    if query.strip():
        search_within(shown.library, f"{shown.key}-{theme}", query)


def _show_more(key: str, theme: int) -> None:
    more = st.session_state.setdefault(_MORE, {})
    more[key, theme] = more.get((key, theme), 0) + _AT_ONCE


def _draw_table(groups: SubtopicMap, chosen: Subtopic | None) -> None:
    rows = [
        {
            _("Theme"): f"{group_style(group.id).glyph} {group.name}",
            _("Title"): member.passage.title,
            _("Text"): member.passage.text,
            _("Fit"): round(member.strength, 2),
        }
        for group in ([chosen] if chosen else groups.subtopics)
        for member in group.passages
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height=420,
        alt=_("The texts and the theme of each"),
    )
