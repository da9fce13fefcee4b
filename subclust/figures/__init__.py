"""Plotly figures from records; no Streamlit."""

from subclust.figures.alluvial import alluvial
from subclust.figures.bars import (
    QueryScores,
    helps_hurts_bars,
    sorted_by_difference,
    stability_line,
)
from subclust.figures.moved import PARTS_TRACE, PASSAGES_TRACE, draw_part_outlines, moved_scatter
from subclust.figures.palette import DARK, LIGHT, FigureTheme, GroupStyle, group_style, in_words
from subclust.figures.placed import PlacedMap, in_place, placed_maps
from subclust.figures.progress import StepCurve, progress_curve
from subclust.figures.scatter import EDGE, MARKED_TRACE, OPEN_EDGE, marked_style, subtopic_scatter
from subclust.figures.theme_scatter import n_theme_marks, theme_scatter

__all__ = [
    "DARK",
    "EDGE",
    "LIGHT",
    "MARKED_TRACE",
    "OPEN_EDGE",
    "PARTS_TRACE",
    "PASSAGES_TRACE",
    "FigureTheme",
    "GroupStyle",
    "PlacedMap",
    "QueryScores",
    "StepCurve",
    "alluvial",
    "draw_part_outlines",
    "group_style",
    "helps_hurts_bars",
    "in_place",
    "in_words",
    "marked_style",
    "moved_scatter",
    "n_theme_marks",
    "placed_maps",
    "progress_curve",
    "sorted_by_difference",
    "stability_line",
    "subtopic_scatter",
    "theme_scatter",
]
