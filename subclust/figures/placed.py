"""One query under two methods: which passages came into the group that their label calls for."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from scipy.optimize import linear_sum_assignment

from subclust.core.messages import N_
from subclust.figures.bars import dress
from subclust.figures.palette import LIGHT, FigureTheme, blend, group_style
from subclust.figures.wrapping import as_html, lines

_IN_PLACE = N_("{right} of {all} in place")
_PLACED = N_("{method} puts it into group {group}, in place")
_MISPLACED = N_("{method} puts it into group {group}, out of place")
_PANEL = 300


@dataclass(frozen=True)
class PlacedMap:
    """The passages of a query as one method groups them, on a map.

    Parameters
    ----------
    label : str
        Of the method.
    ari : float
        Of its groups, -1 to 1.
    x, y : tuple of float
        Of each passage.
    groups : tuple of int
        Into which the method divides the passages.
    """

    label: str
    ari: float
    x: tuple[float, ...]
    y: tuple[float, ...]
    groups: tuple[int, ...]


def _in_place(groups: Sequence[int], gold: Sequence[int]) -> list[bool]:
    """Return for each passage whether its group stands for its label.

    Each group stands for at most one label and each label for at most one group, such that as many
    passages as possible are in their place.
    """
    if not len(gold):
        return []
    rows, row_of = np.unique(np.asarray(groups), return_inverse=True)
    columns, column_of = np.unique(np.asarray(gold), return_inverse=True)
    together = np.zeros((len(rows), len(columns)))
    np.add.at(together, (row_of, column_of), 1)
    stands_for = dict(zip(*linear_sum_assignment(together, maximize=True), strict=True))
    return [stands_for.get(row) == column for row, column in zip(row_of, column_of, strict=True)]


def placed_maps(
    maps: Sequence[PlacedMap],
    gold: Sequence[int],
    subtopics: Sequence[str],
    *,
    ids: Sequence[str] | None = None,
    theme: FigureTheme = LIGHT,
) -> go.Figure:
    """Draw the maps side by side; a filled mark is in its place, a hollow one is not.

    Colour and symbol are those of the passage's own label in both maps.

    Parameters
    ----------
    gold : sequence of int
        Of each passage, a place in `subtopics`.
    subtopics : sequence of str
        Names of the labels.
    ids : sequence of str, optional
        Of the passages, for ``customdata``.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a label and map; ``customdata`` of a mark is (id, label, group from 1, "in" or
        "out of" place).
    """
    if not maps:
        return go.Figure()
    figure = make_subplots(
        rows=1,
        cols=len(maps),
        subplot_titles=[_title(one, gold, theme) for one in maps],
        horizontal_spacing=0.03,
    )
    named = list(ids) if ids is not None else [str(at) for at in range(len(gold))]
    for number, one in enumerate(maps):
        right = _in_place(one.groups, gold)
        for subtopic, name in enumerate(subtopics):
            members = [at for at, label in enumerate(gold) if label == subtopic]
            trace = _trace(one, members, name, subtopic, right, named, theme)
            figure.add_trace(trace, row=1, col=number + 1)
    dress(figure, theme, _PANEL + 50)
    _frame_panels(figure, theme)
    figure.update_layout(margin={"l": 1, "r": 1, "t": 52, "b": 4})
    figure.update_annotations(font={"size": 14, "color": theme.text}, yshift=4)
    return figure


def _title(one: PlacedMap, gold: Sequence[int], theme: FigureTheme) -> str:
    n_in = sum(_in_place(one.groups, gold))
    said = theme.say(_IN_PLACE).format(right=theme.number(n_in), all=theme.number(len(gold)))
    score = f"ARI {theme.number(one.ari, 2)}, {said}"
    return f"<b>{as_html(lines(one.label, 34))}</b><br>{score}"


def _trace(
    one: PlacedMap,
    members: Sequence[int],
    name: str,
    subtopic: int,
    right: Sequence[bool],
    ids: Sequence[str],
    theme: FigureTheme,
) -> go.Scatter:
    style = group_style(subtopic, theme)
    said = html.escape(name)
    return go.Scatter(
        name=said,
        mode="markers",
        x=[one.x[at] for at in members],
        y=[one.y[at] for at in members],
        customdata=[
            [ids[at], said, one.groups[at] + 1, "in" if right[at] else "out of"] for at in members
        ],
        hovertemplate=[
            "<b>%{customdata[1]}</b><br>"
            + theme.say(_PLACED if right[at] else _MISPLACED).format(
                method=html.escape(one.label), group="%{customdata[2]}"
            )
            + "<extra></extra>"
            for at in members
        ],
        marker={
            "symbol": style.symbol,
            "size": 11,
            "color": [style.colour if right[at] else theme.page for at in members],
            "line": {"width": 2, "color": style.outline},
        },
    )


def _frame_panels(figure: go.Figure, theme: FigureTheme) -> None:
    """Draw a frame around each panel in place of axes, as maps have it."""
    frame = {
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "mirror": True,
        "linecolor": blend(theme.muted, theme.page, 0.5),
        "title": "",
        "fixedrange": True,
    }
    figure.update_xaxes(**frame)
    figure.update_yaxes(**frame)
