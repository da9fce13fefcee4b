"""Texts of themes as lists: title and first words, the whole text one key press away."""

import html
from collections.abc import Iterable
from urllib.parse import urlsplit

import streamlit as st

from subclust.core.records import MappedPassage, Subtopic
from subclust.ui.explore.passages import excerpt_with, mark_class, with_marks
from subclust.ui.i18n.language import _


def draw_texts(
    members: Iterable[tuple[MappedPassage, Subtopic]], *, show_theme: bool = False
) -> None:
    """Draw a list of texts, the words of their theme's name marked.

    Parameters
    ----------
    members : iterable of (MappedPassage, Subtopic)
        Texts with their themes.
    show_theme : bool
        Whether each says to which theme it belongs.
    """
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
    """Return what is known of a text: year, collection, and where it can be read."""
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
