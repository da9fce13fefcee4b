"""The map of the same hits under two queries, where every mark moves, and outlines of parts."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from scipy.spatial import ConvexHull, QhullError

from subclust.core.records import (
    MappedPassage,
    QueryEffect,
    Regrouping,
    Subtopic,
    SubtopicMap,
    SubtopicPart,
)
from subclust.figures.group_labels import group_labels, places
from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent
from subclust.figures.scatter import (
    LOOKS_SMALL,
    MARKED_TRACE,
    STEPPED_BACK,
    hover_text,
    map_layout,
    mark_size,
    ring,
)

PARTS_TRACE = "Parts of group {group}"
"""Name of the lines around the parts of a group."""

PASSAGES_TRACE = "Passages"
"""Name of the trace with a mark for each passage, best hit first, whatever its group."""

PATHS_TRACE = "Where they were"
"""Name of the trace of lines from the places under the first query."""

MILLISECONDS = 700
"""That the marks take from one place to the other."""


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
    """
    lines = []
    for group, own in parts.items():
        colour = group_style(group, theme).outline
        for depth, level in enumerate(_levels(own)):
            across: list[float | None] = []
            up: list[float | None] = []
            for part in level:
                outline = _hull(part.passages)
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
    # Plotly draws in this order and appends new traces at the end; `data` takes a permutation only.
    figure.data = (*figure.data[len(marks) :], *figure.data[: len(marks)])


def _hull(passages: Sequence[MappedPassage]) -> list[tuple[float, float]]:
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


def moved_scatter(
    regrouping: Regrouping,
    *,
    before: bool = False,
    marked: Collection[str] = (),
    theme: FigureTheme = LIGHT,
    still: bool = False,
    height: int = 640,
) -> go.Figure:
    """Draw one side of a regrouping, such that the page moves the marks to the other side.

    Both sides have the same traces, with the same passage in the same place of each; plotly then
    moves the marks when one side replaces the other. Lines lead from the places under the first
    query to those of the passages that changed group.

    Parameters
    ----------
    before : bool
        Whether to draw the side of the first query.
    marked : collection of str
        Ids of passages to stand out.
    still : bool
        Whether marks are to be in their new places at once, for those who want no motion.
    height : int
        As for `subtopic_scatter`.

    Returns
    -------
    plotly.graph_objects.Figure
        ``customdata`` of each mark is (passage id, group id).
    """
    shown = regrouping.before if before else regrouping.after
    other = regrouping.after if before else regrouping.before
    marked = set(marked)
    members = _by_id(shown)
    order = [effect.passage.id for effect in regrouping.effects]
    size = mark_size(len(order))
    was = {} if before else _by_id(regrouping.before)
    ringed = [members[one][0] for one in order if one in marked]
    traces = [
        _paths(regrouping.effects, was, members, theme),
        _rings(ringed, size, theme),
        _marks([members[one] for one in order], marked, size, theme),
    ]
    faded = {
        group.id
        for group in shown.subtopics
        if marked and not any(member.passage.id in marked for member in group.passages)
    }
    # One frame for both sides; otherwise the axes would jump while the marks move.
    places = [member for side in (shown, other) for member, _ in _by_id(side).values()]
    layout = map_layout(places, theme, height, f"{regrouping.before.query.text}/kept")
    layout["annotations"] = group_labels(shown.subtopics, theme, _MOST_NAMED, faded)
    layout["transition"] = {"duration": 0 if still else MILLISECONDS, "easing": "cubic-in-out"}
    return go.Figure(traces, layout)


def _by_id(subtopics: SubtopicMap) -> dict[str, tuple[MappedPassage, Subtopic]]:
    return {
        member.passage.id: (member, group)
        for group in subtopics.subtopics
        for member in group.passages
    }


def _marks(
    members: Sequence[tuple[MappedPassage, Subtopic]],
    marked: Collection[str],
    size: int,
    theme: FigureTheme,
) -> go.Scatter:
    styles = [group_style(group.id, theme) for _, group in members]
    return go.Scatter(
        name=PASSAGES_TRACE,
        mode="markers",
        x=[member.x for member, _ in members],
        y=[member.y for member, _ in members],
        # Plotly pairs the marks of both sides by these when it moves them.
        ids=[member.passage.id for member, _ in members],
        customdata=[[member.passage.id, group.id] for member, group in members],
        text=[
            hover_text(member, group, style.glyph)
            for (member, group), style in zip(members, styles, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": [style.symbol for style in styles],
            "size": [size * LOOKS_SMALL.get(style.symbol, 1.0) for style in styles],
            "color": [style.colour for style in styles],
            "opacity": [
                0.92 if not marked or member.passage.id in marked else STEPPED_BACK
                for member, _ in members
            ],
            "line": {"width": 1, "color": [style.outline for style in styles]},
        },
        selected={"marker": {"opacity": 0.92}},
        unselected={"marker": {"opacity": STEPPED_BACK}},
    )


def _rings(members: Sequence[MappedPassage], size: int, theme: FigureTheme) -> go.Scatter:
    return go.Scatter(
        name=MARKED_TRACE,
        mode="markers",
        x=[member.x for member in members],
        y=[member.y for member in members],
        ids=[member.passage.id for member in members],
        hoverinfo="skip",
        marker=ring(size, theme),
    )


def _paths(
    effects: Sequence[QueryEffect],
    was: dict[str, tuple[MappedPassage, Subtopic]],
    now: dict[str, tuple[MappedPassage, Subtopic]],
    theme: FigureTheme,
) -> go.Scatter:
    across: list[float | None] = []
    up: list[float | None] = []
    for effect in effects:
        one = effect.passage.id
        if one in was and effect.before != effect.after:
            old, new = was[one][0], now[one][0]
            across += [old.x, new.x, None]
            up += [old.y, new.y, None]
    return go.Scatter(
        name=PATHS_TRACE,
        mode="lines",
        x=across,
        y=up,
        hoverinfo="skip",
        line={"width": 1, "color": translucent(theme.muted, 0.35)},
    )


_MOST_NAMED = 12
"""Groups, largest first, that are named on the map."""
