"""Plotly figures from records; no Streamlit."""

from subclust.figures.helps_hurts import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.figures.palette import DARK, LIGHT, FigureTheme, GroupStyle, group_style
from subclust.figures.scatter import MARKED_TRACE, subtopic_scatter
from subclust.figures.subject_bars import SubjectScore, subject_bars

__all__ = [
    "DARK",
    "LIGHT",
    "MARKED_TRACE",
    "FigureTheme",
    "GroupStyle",
    "QueryScores",
    "SubjectScore",
    "group_style",
    "helps_hurts_bars",
    "sorted_by_difference",
    "subject_bars",
    "subtopic_scatter",
]
