"""The colours that figures take from the page."""

import streamlit as st

from subclust.figures import DARK, LIGHT, FigureTheme


def figure_theme() -> FigureTheme:
    """Give the theme that the visitor's page is drawn in."""
    return DARK if st.context.theme.type == "dark" else LIGHT
