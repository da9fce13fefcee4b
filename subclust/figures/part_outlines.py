"""Parts of groups on the map: a line around each, with its number."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from scipy.spatial import ConvexHull, QhullError

from subclust.core.records import MappedPassage, SubtopicPart
from subclust.figures.group_labels import places
from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent

PARTS_TRACE = "Parts of group {group}"
"""Name of the lines around the parts of a group."""


def draw_part_outlines(
    figure: go.Figure,
    parts: Mapping[int, Sequence[SubtopicPart]],
    *,
    numbered: int | None = None,
    theme: FigureTheme = LIGHT,
) -> None:
    """Draw a line around each part, thinner the deeper it lies, behind the marks.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        A map; changed.
    parts : mapping of int to sequence of SubtopicPart
        By group.
    numbered : int, optional
        The group whose parts also get their numbers, as in the list.
    theme : FigureTheme
    """
    lines = []
    for group, own in parts.items():
        colour = group_style(group, theme).outline
        for depth, level in enumerate(_levels(own)):
            across: list[float | None] = []
            up: list[float | None] = []
            for part in level:
                outline = hull(part.passages)
                across += [*(x for x, _ in outline), None]
                up += [*(y for _, y in outline), None]
            lines.append(
                go.Scatter(
                    name=PARTS_TRACE.format(group=group),
                    mode="lines",
                    x=across,
                    y=up,
                    hoverinfo="skip",
                    line={
                        "width": 1.6 - 0.6 * depth,
                        "dash": "solid" if depth == 0 else "dot",
                        "color": translucent(colour, 0.75),
                    },
                )
            )
        if group == numbered:
            for part in own:
                _number(figure, part, theme)
    marks = figure.data
    figure.add_traces(lines)
    figure.data = (*figure.data[len(marks) :], *figure.data[: len(marks)])


def hull(passages: Sequence[MappedPassage]) -> list[tuple[float, float]]:
    """Return the corners of the smallest outline around passages, the first one twice."""
    points = places(passages).astype(np.float64)
    try:
        corners = points[ConvexHull(points).vertices] if len(points) > 2 else points
    except QhullError:  # All on one line.
        corners = points[np.lexsort(points.T)][[0, -1]]
    return [(float(x), float(y)) for x, y in [*corners, corners[0]]]


def _levels(parts: Iterable[SubtopicPart]) -> list[list[SubtopicPart]]:
    level, found = list(parts), []
    while level:
        found.append(level)
        level = [inner for part in level for inner in part.parts]
    return found


def _number(figure: go.Figure, part: SubtopicPart, theme: FigureTheme) -> None:
    x, y = places(part.passages).mean(axis=0).tolist()
    figure.add_annotation(
        x=x,
        y=y,
        text=part.number,
        showarrow=False,
        captureevents=False,
        bgcolor=translucent(theme.page, 0.8),
        font={"size": 12, "color": theme.text},
    )
