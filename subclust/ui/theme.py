"""The colours that figures take from the page, and how they follow a theme that changes."""

import streamlit as st

from subclust.figures import DARK, LIGHT, FigureTheme

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


def figure_theme() -> FigureTheme:
    """Give the theme that the visitor's page is drawn in."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def follow_theme() -> None:
    """Have the page drawn again as soon as the visitor's browser shows another theme.

    Streamlit itself changes its own colours only, and tells of the new theme at the next
    interaction; until then a figure would keep the colours of the old one.
    """
    with st.container(key="theme-follower"):
        _follower(
            key="theme",
            data={"drawn": "dark" if figure_theme() is DARK else "light"},
            on_theme_change=lambda: None,
        )
