"""The map of a whole collection: thousands of small marks, one colour and symbol a theme."""

import plotly.graph_objects as go

from subclust.core.records import Subtopic, SubtopicMap
from subclust.figures.group_labels import group_labels
from subclust.figures.palette import LIGHT, FigureTheme, group_style
from subclust.figures.scatter import LOOKS_SMALL, STEPPED_BACK, map_layout
from subclust.figures.wrapping import as_html, excerpt, lines

MOST = 20_000
"""Marks that are drawn; of more, the most central of each theme."""

_HEIGHT = 640
_MOST_NAMED = 16
"""Themes, largest first, that are labelled."""


def theme_scatter(
    themes: SubtopicMap,
    *,
    chosen: int | None = None,
    theme: FigureTheme = LIGHT,
) -> go.Figure:
    """Draw the map of a whole collection.

    Parameters
    ----------
    chosen : int, optional
        The theme that stands out; the others step back.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a theme; ``customdata`` of each mark is (text id, theme id).
    """
    n_texts, share = _n_texts(themes), _share(themes)
    size = 3.5 if n_texts > 5000 else 5 if n_texts > 1000 else 7
    faded = {group.id for group in themes.subtopics if chosen not in (None, group.id)}
    members = [member for group in themes.subtopics for member in group.passages]
    # Zoom and pan stay as long as this names the same map.
    same_map = f"{themes.library}/{themes.method}/{themes.projection}"
    layout = map_layout(members, theme, _HEIGHT, same_map)
    labels = group_labels(themes.subtopics, theme, _MOST_NAMED, faded)
    traces = [
        _marks(group, size, theme, share, group.id in faded)
        # The one that stands out lies over the others.
        for group in sorted(themes.subtopics, key=lambda group: (group.id == chosen, group.id))
    ]
    return go.Figure(traces, {**layout, "annotations": labels})


def n_theme_marks(themes: SubtopicMap) -> int:
    """Count the marks of the map, which are fewer than the texts where these are too many."""
    return sum(_n_drawn(group, _share(themes)) for group in themes.subtopics)


def _n_texts(themes: SubtopicMap) -> int:
    return sum(group.size for group in themes.subtopics)


def _share(themes: SubtopicMap) -> float:
    return min(1.0, MOST / max(_n_texts(themes), 1))


def _n_drawn(group: Subtopic, share: float) -> int:
    return max(1, int(share * group.size))


def _marks(
    group: Subtopic, size: float, theme: FigureTheme, share: float, stepped_back: bool
) -> dict[str, object]:
    style = group_style(group.id, theme)
    passages = group.passages[: _n_drawn(group, share)]
    opacity = STEPPED_BACK if stepped_back else 0.8
    return dict(
        type="scattergl",
        name=group.name,
        mode="markers",
        x=[round(member.x, 3) for member in passages],
        y=[round(member.y, 3) for member in passages],
        customdata=[[member.passage.id, group.id] for member in passages],
        # Short: with twenty thousand marks every character is 20 kB.
        text=[
            as_html(lines(excerpt(member.passage.title or member.passage.text, 70), 48))
            for member in passages
        ],
        hovertemplate=f"{style.glyph} %{{text}}<extra></extra>",
        marker={
            "symbol": style.symbol,
            "size": size * LOOKS_SMALL.get(style.symbol, 1.0),
            "color": style.colour,
            "opacity": opacity,
            "line": {"width": 0.5 if size > 4 else 0, "color": style.outline},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": STEPPED_BACK}},
    )
