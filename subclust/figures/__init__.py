"""Plotly figures from records; no Streamlit.

Nothing is imported before it is used: colours and drawings of maps do without Plotly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subclust.figures.bars import QueryScores as QueryScores
    from subclust.figures.bars import helps_hurts_bars as helps_hurts_bars
    from subclust.figures.bars import sorted_by_difference as sorted_by_difference
    from subclust.figures.bars import stability_line as stability_line
    from subclust.figures.flow import alluvial as alluvial
    from subclust.figures.moved import PARTS_TRACE as PARTS_TRACE
    from subclust.figures.moved import PASSAGES_TRACE as PASSAGES_TRACE
    from subclust.figures.moved import draw_part_outlines as draw_part_outlines
    from subclust.figures.moved import moved_scatter as moved_scatter
    from subclust.figures.palette import DARK as DARK
    from subclust.figures.palette import LIGHT as LIGHT
    from subclust.figures.palette import FigureTheme as FigureTheme
    from subclust.figures.palette import GroupStyle as GroupStyle
    from subclust.figures.palette import group_style as group_style
    from subclust.figures.palette import in_words as in_words
    from subclust.figures.placed import PlacedMap as PlacedMap
    from subclust.figures.placed import in_place as in_place
    from subclust.figures.placed import placed_maps as placed_maps
    from subclust.figures.progress import StepCurve as StepCurve
    from subclust.figures.progress import progress_curve as progress_curve
    from subclust.figures.scatter import EDGE as EDGE
    from subclust.figures.scatter import MARKED_TRACE as MARKED_TRACE
    from subclust.figures.scatter import OPEN_EDGE as OPEN_EDGE
    from subclust.figures.scatter import marked_style as marked_style
    from subclust.figures.scatter import subtopic_scatter as subtopic_scatter
    from subclust.figures.theme_map import n_theme_marks as n_theme_marks
    from subclust.figures.theme_map import theme_scatter as theme_scatter

_MODULES = {
    "alluvial": "flow",
    "QueryScores": "bars",
    "helps_hurts_bars": "bars",
    "sorted_by_difference": "bars",
    "stability_line": "bars",
    "PARTS_TRACE": "moved",
    "PASSAGES_TRACE": "moved",
    "draw_part_outlines": "moved",
    "moved_scatter": "moved",
    "DARK": "palette",
    "LIGHT": "palette",
    "FigureTheme": "palette",
    "GroupStyle": "palette",
    "group_style": "palette",
    "in_words": "palette",
    "PlacedMap": "placed",
    "in_place": "placed",
    "placed_maps": "placed",
    "StepCurve": "progress",
    "progress_curve": "progress",
    "EDGE": "scatter",
    "MARKED_TRACE": "scatter",
    "OPEN_EDGE": "scatter",
    "marked_style": "scatter",
    "subtopic_scatter": "scatter",
    "n_theme_marks": "theme_map",
    "theme_scatter": "theme_map",
}
"""Every name, and its module below ``subclust.figures``, which no name may be called like."""

__all__ = [*_MODULES]  # noqa: PLE0604  # all of them are strings


def __getattr__(name: str) -> Any:
    """Import a name when it is first used (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
