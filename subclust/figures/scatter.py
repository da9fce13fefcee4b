"""The map: one mark a passage, one colour and symbol a group."""

import html
from collections.abc import Collection, Sequence
from functools import lru_cache

import plotly.graph_objects as go

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic, SubtopicMap
from subclust.figures.group_labels import corners, group_labels, places
from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent
from subclust.figures.wrapping import as_html, excerpt, lines

MARKED_TRACE = "Marked passages"
"""Name of the trace that rings the marked passages."""

# Symbols of the same nominal size look unequal.
LOOKS_SMALL = {"triangle-up": 1.3, "triangle-down": 1.3, "star": 1.4, "cross": 1.15, "x": 1.1}

SHOWN, STEPPED_BACK = 0.92, 0.22
"""Opacity of a mark that stands out, or that does not where others do."""

SVG_UP_TO = 1000
"""Marks that are drawn as SVG; more are drawn by WebGL.

Each new map of WebGL begins with a new context, which takes a computer without a graphics card
longer than drawing so few marks, and a browser keeps only some.
"""

EDGE = 6
"""Pixels of the edge around a mark that stands out; the inner half lies under the mark."""

OPEN_EDGE = 3
"""Pixels of the line of a mark that is nothing but a line, that of the other passages."""


def subtopic_scatter(
    subtopics: SubtopicMap,
    *,
    marked: Collection[str] = (),
    theme: FigureTheme = LIGHT,
    height: int = 640,
    n_labels: int = 12,
) -> go.Figure:
    """Draw the map of a query's subtopics.

    Parameters
    ----------
    marked : collection of str
        Ids of passages to stand out; the others step back. Empty: all are alike.
    theme : FigureTheme
        Colours of the page around the figure.
    height : int
        In pixels; the width is the page's.
    n_labels : int
        At most so many groups, largest first, are labelled on the map.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a group, named after it, and one for the rings of the marked passages.
        ``customdata`` of each mark is (passage id, group id): selections are to be read from
        there, never from positions.
    """
    groups = _drawn_groups(subtopics)
    n_passages = sum(group.size for group in groups)
    size = mark_size(n_passages)
    kind = "scatter" if n_passages <= SVG_UP_TO else "scattergl"
    marked = set(marked)
    traces = [_rings(groups, marked, size, theme)] if marked else []
    traces += [_marks(group, marked, size, theme) for group in groups]
    traces = [{"type": kind, **trace} for trace in traces]
    faded = {
        group.id
        for group in groups
        if marked and not any(member.passage.id in marked for member in group.passages)
    }
    labels = group_labels(subtopics.subtopics, theme, n_labels, faded)
    members = [member for group in subtopics.subtopics for member in group.passages]
    # Zoom and pan stay as long as the map is the same.
    same_map = f"{subtopics.query.text}/{subtopics.projection}"
    layout = map_layout(members, theme, height, same_map)
    # All at once: plotly checks the whole figure again after every single change.
    return go.Figure(traces, {**layout, "annotations": labels})


def _drawn_groups(subtopics: SubtopicMap) -> list[Subtopic]:
    """Return the groups in the order of their traces: the other passages lie below."""
    return sorted(subtopics.subtopics, key=lambda group: (group.id != OTHER_PASSAGES, group.id))


def mark_size(n_passages: int) -> int:
    """Return the size of a mark in pixels, smaller the more there are."""
    return 11 if n_passages <= 80 else 9 if n_passages <= 300 else 7


def _marks(
    group: Subtopic, marked: Collection[str], size: int, theme: FigureTheme
) -> dict[str, object]:
    style = group_style(group.id, theme)
    shown = [not marked or member.passage.id in marked for member in group.passages]
    return dict(
        name=group.name,
        mode="markers",
        x=[member.x for member in group.passages],
        y=[member.y for member in group.passages],
        customdata=[[member.passage.id, group.id] for member in group.passages],
        text=[hover_text(member, group, style.glyph) for member in group.passages],
        hovertemplate="%{text}<extra></extra>",
        marker={
            "symbol": style.symbol,
            "size": size * LOOKS_SMALL.get(style.symbol, 1.0),
            "color": style.colour,
            "opacity": [SHOWN if one else STEPPED_BACK for one in shown],
            "line": {"width": 1, "color": style.outline},
        },
        # The page dims; plotly's own dimming would add to it.
        selected={"marker": {"opacity": SHOWN}},
        unselected={"marker": {"opacity": STEPPED_BACK}},
    )


def _rings(
    groups: list[Subtopic], marked: Collection[str], size: int, theme: FigureTheme
) -> dict[str, object]:
    members = [
        (member, group.id)
        for group in groups
        for member in group.passages
        if member.passage.id in marked
    ]
    return dict(
        name=MARKED_TRACE,
        mode="markers",
        x=[member.x for member, _ in members],
        y=[member.y for member, _ in members],
        customdata=[[member.passage.id, group] for member, group in members],
        hoverinfo="skip",
        marker=ring(size, theme),
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def ring(size: int, theme: FigureTheme) -> dict[str, object]:
    """Return the mark around a marked passage, whose own mark has this size."""
    return {
        "symbol": "circle",
        "size": size + 8,
        "color": translucent(theme.text, 0.0),
        "line": {"width": 1.2, "color": theme.muted},
    }


def hover_text(member: MappedPassage, group: Subtopic, glyph: str) -> str:
    """Write what is shown at a mark: title, group and the first words."""
    title = as_html(lines(member.passage.title, 56))
    text = _beginning(member.passage.text)
    name = html.escape(group.name, quote=False)
    return (f"<b>{title}</b><br>" if title else "") + f"{glyph} {name}<br><br>{text}"


@lru_cache(maxsize=4096)
def _beginning(text: str) -> str:
    """Write the first words of a passage; the same ones stand on many maps."""
    return as_html(lines(excerpt(text, 260), 60))


def map_layout(
    members: Sequence[MappedPassage], theme: FigureTheme, height: int, same_map: str
) -> dict[str, object]:
    """Set a map's frame, its units and what the pointer does.

    Parameters
    ----------
    members : sequence of MappedPassage
        That must have a place in the frame.
    height : int
        In pixels.
    same_map : str
        Zoom and pan stay as long as this does.
    """
    # Constrained in its domain, an axis keeps its range when the map changes size.
    axis: dict[str, object] = {
        "visible": False,
        "showgrid": False,
        "zeroline": False,
        "constrain": "domain",
    }
    if members:
        low, high = corners(places(members))
        horizontal = axis | {"range": [float(low[0]), float(high[0])]}
        vertical = axis | {"range": [float(low[1]), float(high[1])]}
    else:
        horizontal = vertical = axis
    return {
        "xaxis": horizontal,
        # Both directions in the same units: distances on the map mean something.
        "yaxis": vertical | {"scaleanchor": "x"},
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        **theme.layout(),
        # With a lasso in hand, Streamlit does not report clicks on marks.
        "dragmode": "pan",
        "clickmode": "event+select",
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)",
            "color": theme.muted,
            "activecolor": theme.text,
            "orientation": "h",
        },
        "uirevision": same_map,
    }


def marked_style(
    subtopics: SubtopicMap, marked: Collection[str], within: str, theme: FigureTheme = LIGHT
) -> str:
    """Write rules under which marked passages stand out on a map, and the others step back.

    A browser applies them in a fraction of the time that plotly takes to draw hundreds of marks
    again. They find a mark by its place among those of its trace, so they hold for the map that
    `subtopic_scatter` draws of the same subtopics, as SVG and without marks of its own.

    Parameters
    ----------
    subtopics : SubtopicMap
        That of the map.
    marked : collection of str
        Ids of passages; those that are not on the map count for nothing. Empty: all are alike.
    within : str
        CSS selector of what the map, and no other one, stands in.

    Returns
    -------
    str
        CSS; empty where nothing is marked.
    """
    if not marked:
        return ""
    traces = f"{within} .scatterlayer > .trace"
    chosen: dict[bool, list[str]] = {True: [], False: []}
    for number, group in enumerate(_drawn_groups(subtopics), start=1):
        places = [
            place
            for place, member in enumerate(group.passages, start=1)
            if member.passage.id in marked
        ]
        if not places:
            continue
        every = len(places) == len(group.passages)
        which = "" if every else f":is({','.join(f':nth-child({place})' for place in places)})"
        chosen[group.id == OTHER_PASSAGES].append(f"{traces}:nth-child({number}) .point{which}")
    rules = [f"{traces} .point {{ opacity: {STEPPED_BACK} !important }}"]
    # The edge lies under the fill, so that a mark keeps its colour and its size.
    edge = f"paint-order: stroke; stroke: {translucent(theme.text, 0.45)} !important; "
    looks = {False: f"{edge}stroke-width: {EDGE}px", True: f"stroke-width: {OPEN_EDGE}px"}
    for is_open, look in looks.items():
        if chosen[is_open]:
            rules.append(
                f"{', '.join(chosen[is_open])} {{ opacity: {SHOWN} !important; {look} !important }}"
            )
    return "\n".join(rules)
