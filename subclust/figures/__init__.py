"""Plotly figures from records; no Streamlit."""

from subclust.figures.alluvial import alluvial
from subclust.figures.curves import Curve, training_curves
from subclust.figures.durations import in_words
from subclust.figures.epoch_bars import epoch_bars
from subclust.figures.growth import GrowthCurve, growth_lines
from subclust.figures.helps_hurts import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.figures.marked_style import EDGE, OPEN_EDGE, marked_style
from subclust.figures.moved import PASSAGES_TRACE, moved_scatter
from subclust.figures.palette import DARK, LIGHT, FigureTheme, GroupStyle, group_style
from subclust.figures.part_outlines import PARTS_TRACE, draw_part_outlines
from subclust.figures.placed import PlacedMap, in_place, placed_maps
from subclust.figures.progress import StepCurve, progress_curve
from subclust.figures.scatter import MARKED_TRACE, subtopic_scatter
from subclust.figures.spaces import (
    MethodSpace,
    QuerySpaces,
    spaces_in_2d,
    spaces_in_3d,
    symbol_in_3d,
)
from subclust.figures.stability import stability_line
from subclust.figures.subject_bars import SubjectScore, subject_bars
from subclust.figures.theme_scatter import n_theme_marks, theme_scatter

__all__ = [
    "DARK",
    "EDGE",
    "LIGHT",
    "MARKED_TRACE",
    "OPEN_EDGE",
    "PARTS_TRACE",
    "PASSAGES_TRACE",
    "Curve",
    "FigureTheme",
    "GroupStyle",
    "GrowthCurve",
    "MethodSpace",
    "PlacedMap",
    "QueryScores",
    "QuerySpaces",
    "StepCurve",
    "SubjectScore",
    "alluvial",
    "draw_part_outlines",
    "epoch_bars",
    "group_style",
    "growth_lines",
    "helps_hurts_bars",
    "in_place",
    "in_words",
    "marked_style",
    "moved_scatter",
    "n_theme_marks",
    "placed_maps",
    "progress_curve",
    "sorted_by_difference",
    "spaces_in_2d",
    "spaces_in_3d",
    "stability_line",
    "subject_bars",
    "subtopic_scatter",
    "symbol_in_3d",
    "theme_scatter",
    "training_curves",
]
