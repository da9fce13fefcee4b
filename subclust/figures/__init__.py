"""Plotly figures from records; no Streamlit."""

from subclust.figures.palette import DARK, LIGHT, FigureTheme, GroupStyle, group_style
from subclust.figures.scatter import MARKED_TRACE, subtopic_scatter

__all__ = [
    "DARK",
    "LIGHT",
    "MARKED_TRACE",
    "FigureTheme",
    "GroupStyle",
    "group_style",
    "subtopic_scatter",
]
