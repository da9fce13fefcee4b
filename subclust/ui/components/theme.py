"""The style of the pages, and what figures take from it: colours and language."""

import html
from dataclasses import replace
from pathlib import Path

import streamlit as st

from subclust.figures import DARK, LIGHT, FigureTheme
from subclust.ui.i18n.language import catalogue, language

MAP_CONFIG = {
    "displayModeBar": True,
    "modeBarButtons": [["pan2d", "select2d", "lasso2d"], ["zoomIn2d", "zoomOut2d", "resetScale2d"]],
    "scrollZoom": False,
}
"""How a map is moved, marked and enlarged."""

_STYLE = Path(__file__).parents[1] / "style.css"

_FOLLOWER = """
let watching = null;
let told = null;

export default function ({ data, setTriggerValue }) {
  const app = document.querySelector('.stApp');
  const compare = () => {
    const shown = getComputedStyle(app).colorScheme;
    if (shown === data.drawn) told = null;
    else if (shown !== told) setTriggerValue('theme', told = shown);
  };
  watching?.disconnect();
  watching = new MutationObserver(compare);
  watching.observe(app, { attributes: true, attributeFilter: ['class'] });
  compare();
  return () => watching.disconnect();
}
"""
# Tells once of each theme, so that a page that cannot be drawn in it is not drawn again for ever.

_follower = st.components.v2.component("subclust_theme", js=_FOLLOWER)


_SEPARATORS = {"en": ".,", "de": ",."}


def draw_style() -> None:
    """Draw the style sheet of all pages.

    Its colours follow the colour scheme, which Streamlit sets for the page but not for dialogs.
    """
    st.html(_STYLE)
    st.html(f"<style>:root {{ color-scheme: {'dark' if _is_dark() else 'light'} }}</style>")


def draw_verdict(told: str, kind: str = "", mark: str = "") -> None:
    """Draw a verdict beside a bar in the colour of its kind, a class of the style sheet."""
    mark = f"<span aria-hidden='true'>{mark}</span> " if mark else ""
    st.html(f"<p class='sc-verdict {kind}'>{mark}{html.escape(told)}</p>")


def figure_theme() -> FigureTheme:
    """Return the theme and the language that the visitor's page is drawn in."""
    drawn = DARK if _is_dark() else LIGHT
    name = language()
    return replace(drawn, say=catalogue(name).gettext, separators=_SEPARATORS[name])


def _is_dark() -> bool:
    return st.context.theme.type == "dark"


def follow_theme() -> None:
    """Have the page drawn again as soon as the visitor's browser shows another theme.

    Streamlit itself changes its own colours only, and tells of the new theme at the next
    interaction; until then a figure would keep the colours of the old one.
    """
    with st.container(key="script-theme"):
        _follower(
            key="theme",
            data={"drawn": "dark" if _is_dark() else "light"},
            on_theme_change=lambda: None,
        )
