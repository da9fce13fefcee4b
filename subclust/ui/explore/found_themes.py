"""The themes of a collection, as cards or a table beside their map, and the texts of each."""

import html
from collections.abc import Iterable
from functools import partial
from urllib.parse import urlencode, urlsplit

import pandas as pd
import streamlit as st

from subclust.core.records import MappedPassage, Subtopic, SubtopicMap
from subclust.exports import OF_THEMES, written
from subclust.figures.palette import group_style
from subclust.figures.theme_map import n_theme_marks, theme_scatter
from subclust.themes import KeptThemes, themes_report
from subclust.themes.offers import OFFERS
from subclust.themes.recipes import LABELS, PAIRS, SOURCE
from subclust.training.augmentation.word_changes import WITHOUT_SYNONYMS
from subclust.ui import state
from subclust.ui.components.browser import figure_theme, map_config
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.markup import draw_lead
from subclust.ui.components.session import selected_marks
from subclust.ui.components.themes import Shown, look_at
from subclust.ui.components.words import n_passages, plain
from subclust.ui.explore.answer_line import draw_file_buttons
from subclust.ui.explore.controls import search_within
from subclust.ui.explore.groups import draw_group_style, group_key
from subclust.ui.explore.passages import excerpt_with, mark_class, with_marks
from subclust.ui.i18n.language import N_, _, _n, language, number

_TELLING = 2
_AT_ONCE = 50
_MOST_LISTED = 50
"""Selected passages that are listed."""

WHENCE: dict[str, str] = {
    SOURCE: N_("The number of themes was chosen by how well the passages fit them."),
    LABELS: N_("There are as many themes as different labels."),
    PAIRS: N_("There are as many themes as groups that your corrections keep apart."),
}
"""Where the number of themes comes from, if nobody chose it."""


def draw_found(shown: Shown, themes: KeptThemes, groups: SubtopicMap) -> None:
    """Draw all themes, or the one that is open."""
    draw_group_style(groups.subtopics, shown.theme)
    chosen = next((one for one in groups.subtopics if one.id == shown.theme), None)
    if chosen is not None:
        _draw_open(shown, chosen)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(_headline(themes), anchor=False)
            dialog_button(
                _("Export"), lambda: _draw_files(shown, themes, groups), key="themes-export"
            )
        st.caption(plain(_origin(themes)))
        for group in groups.subtopics:
            _draw_card(group)
    if st.toggle(_("Show as a table"), key="themes-table"):
        _draw_table(groups, chosen)


def _headline(themes: KeptThemes) -> str:
    count = _n("{count} theme", "{count} themes", themes.n_themes)
    texts = n_passages(len(themes.ids))
    return _("{themes} of {texts}").format(themes=count, texts=texts)


def _origin(themes: KeptThemes) -> str:
    """Return how the themes were found."""
    sentence = _("{method}, in {seconds} seconds.").format(
        method=OFFERS[themes.request.method].label, seconds=number(themes.seconds)
    )
    if themes.request.filters:
        filters = "; ".join(themes.request.filters)
        sentence += " " + _("Only passages with {filters}.").format(filters=filters)
    if themes.n_themes_source in WHENCE:
        sentence += " " + _(WHENCE[themes.n_themes_source])
    training = themes.told.get("training") or {}
    if training.get("wordings") == WITHOUT_SYNONYMS:
        sentence += " " + _("Trained without synonyms, since WordNet is not on this machine.")
    return sentence


def _draw_files(shown: Shown, themes: KeptThemes, groups: SubtopicMap) -> None:
    """Draw a button for each kind of file that themes can be exported as."""
    st.caption(_("Each file contains all passages one by one, with their themes."))
    page = (st.context.url or "").split("?")[0]
    report = themes_report(themes, groups, language(), f"{page}?{urlencode(shown.to_params())}")
    draw_file_buttons(
        OF_THEMES,
        groups,
        lambda kind: partial(written, report, kind),
        themes.request.library,
        key="themes-take",
    )


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
        st.caption(n_passages(group.size))
        members = [(member, group) for member in group.passages[:_TELLING]]
        _draw_texts(members)


def _draw_open(shown: Shown, group: Subtopic) -> None:
    st.button(
        _("‹ All themes"),
        key="themes-all",
        type="tertiary",
        on_click=look_at,
        kwargs={"theme": None},
    )
    draw_lead(group.name, mark_class(group.id))
    size = n_passages(group.size)
    note = _("The most central passages come first.")
    st.caption(f"{size}. {note}")
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
    n_shown = _AT_ONCE + st.session_state.get(state.THEMES_MORE, {}).get((shown.key, group.id), 0)
    with st.container(height=560 if group.size > 6 else "content", border=False, key="themes-open"):
        _draw_texts([(one, group) for one in group.passages[:n_shown]])
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
    more = st.session_state.setdefault(state.THEMES_MORE, {})
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
        alt=_("The passages and the theme of each"),
    )


def draw_themes_map(shown: Shown, groups: SubtopicMap) -> None:
    """Draw every text as a mark, with the names of the largest themes."""
    key = f"themes-map-{shown.key}"
    # Above the map, for the selected texts, which are known only once the map is drawn.
    place = st.container()
    st.plotly_chart(
        theme_scatter(groups, chosen=shown.theme, theme=figure_theme()),
        key=key,
        theme=None,
        on_select="rerun",
        config=map_config(),
        alt=_described(groups),
    )
    note = _(
        "Each mark is a passage; the closer two are, the more similar. Point at a mark to read its "
        "title. Click it, or select many with the box or lasso above the map, to list them."
    )
    n_texts, drawn = sum(group.size for group in groups.subtopics), n_theme_marks(groups)
    if drawn < n_texts:
        note += " " + _(
            "Of the {count} passages, the {drawn} most central of their themes are drawn."
        ).format(count=number(n_texts), drawn=number(drawn))
    st.caption(note)
    ids = set(selected_marks(key))
    if not ids:
        return
    members = [
        (member, group)
        for group in groups.subtopics
        for member in group.passages
        if member.passage.id in ids
    ]
    with place, st.container(border=True, key="themes-chosen"):
        count = n_passages(len(members))
        st.subheader(_("Chosen: {count}").format(count=count), anchor=False)
        with st.container(height=300 if len(members) > 3 else "content", border=False):
            _draw_texts(members[:_MOST_LISTED], show_theme=True)
        if len(members) > _MOST_LISTED:
            more = _("The first {count} are listed.").format(count=_MOST_LISTED)
            st.caption(more)


def _described(groups: SubtopicMap) -> str:
    told = "; ".join(f"{group.name}, {n_passages(group.size)}" for group in groups.subtopics)
    return _("Map of the passages by theme: {themes}. The table lists the same.").format(
        themes=told
    )


def _draw_texts(
    members: Iterable[tuple[MappedPassage, Subtopic]], *, show_theme: bool = False
) -> None:
    """Draw a list of texts, with the words of their theme's name marked."""
    items = "".join(_item(member, theme, show_theme) for member, theme in members)
    st.html(f"<ol class='sc-passages'>{items}</ol>")


def _item(member: MappedPassage, theme: Subtopic, show_theme: bool) -> str:
    passage = member.passage
    short = excerpt_with(passage.text, theme.name)
    title = f"<span class='sc-title'>{html.escape(passage.title)}</span>" if passage.title else ""
    group = (
        f"<span class='sc-group {mark_class(theme.id)}'>{html.escape(theme.name)}</span>"
        if show_theme
        else ""
    )
    same = short == " ".join(passage.text.split())
    whole = "" if same else f"<p>{with_marks(passage.text, theme.name)}</p>"
    return (
        f"<li data-passage='{html.escape(passage.id)}'><details><summary>{title}{group}"
        f"<span class='sc-excerpt'>{with_marks(short, theme.name)}</span></summary>"
        f"{whole}<p class='sc-source'>{_source(member)}</p></details></li>"
    )


def _source(member: MappedPassage) -> str:
    passage = member.passage
    parts = [passage.metadata.get("authors", ""), passage.metadata.get("year", "")]
    parts = [html.escape(part) for part in (*parts, passage.collection, passage.id) if part]
    url = passage.metadata.get("url", "")
    if urlsplit(url).scheme in {"http", "https"}:
        parts.append(
            f"<a href='{html.escape(url)}' target='_blank' rel='noreferrer'>"
            f"{html.escape(_('Open the source'))}</a>"
        )
    return " · ".join(parts)
