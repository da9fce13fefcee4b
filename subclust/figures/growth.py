"""How something grows with the size of a set, one line a method, both axes logarithmic."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from subclust.figures import words
from subclust.figures.bars import dress
from subclust.figures.curves import DASHES, apart
from subclust.figures.palette import LIGHT, FigureTheme, group_style


@dataclass(frozen=True)
class GrowthCurve:
    """One line.

    Parameters
    ----------
    label : str
    sizes : tuple of int
        Ascending, above 0.
    values : tuple of float
        One a size, above 0.
    """

    label: str
    sizes: tuple[int, ...]
    values: tuple[float, ...]


def value_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Choose 1, 2 and 5 times powers of ten between two values, and how to write them."""
    ticks = []
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for step in (1, 2, 5):
            value = step * 10.0**power
            if low <= value <= high:
                ticks.append((value, f"{value:,.{max(0, -power)}f}"))
    return ticks if len(ticks) < 7 else [tick for tick in ticks if tick[1].strip("0.,")[:1] == "1"]


def value_range(curves: Sequence[GrowthCurve]) -> tuple[float, float]:
    """Give the ends of the axis of the values, with a margin."""
    values = [value for curve in curves for value in curve.values]
    return (min(values) / 1.25, max(values) * 1.25) if values else (0.8, 1.25)


def growth_lines(
    curves: Sequence[GrowthCurve],
    what: str,
    *,
    theme: FigureTheme = LIGHT,
    height: int = 360,
) -> go.Figure:
    """Draw one line a method.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), figure 4.

    Parameters
    ----------
    curves : sequence of GrowthCurve
    what : str
        What the values are, with its unit.
    theme : FigureTheme
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace a line, told apart by colour, dashes and symbols and named at its end.
    """
    figure = go.Figure()
    drawn = [(number, curve) for number, curve in enumerate(curves) if curve.sizes]
    low, high = value_range(curves)
    room = math.log10(high / low)
    ends = apart([math.log10(curve.values[-1] / low) for _, curve in drawn], room * 20 / height)
    for (number, curve), end in zip(drawn, ends, strict=True):
        style = group_style(number, theme)
        name = html.escape(curve.label)
        figure.add_trace(
            go.Scatter(
                name=name,
                x=list(curve.sizes),
                y=list(curve.values),
                mode="lines+markers",
                line={"color": style.outline, "width": 2.5, "dash": DASHES[number % len(DASHES)]},
                marker={"symbol": style.symbol, "size": 9, "color": style.outline},
                hovertemplate=f"<b>{name}</b><br>"
                + theme.say(words.ENTITIES_AT).format(size="%{x}", value="%{y:,.3g}")
                + "<extra></extra>",
            )
        )
        figure.add_annotation(
            text=f"<b>{name}</b>",
            x=math.log10(curve.sizes[-1]),
            y=math.log10(low) + end,
            xanchor="left",
            xshift=8,
            showarrow=False,
            font={"color": style.outline, "size": 14},
        )
    dress(figure, theme, height)
    sizes = sorted({size for curve in curves for size in curve.sizes})
    figure.update_xaxes(
        type="log",
        tickvals=sizes,
        ticktext=[str(size) for size in sizes],
        title={"text": theme.say(words.ENTITIES), "standoff": 12},
        tickangle=0,
        zeroline=False,
    )
    ticks = value_ticks(low, high)
    figure.update_yaxes(
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=[value for value, _ in ticks],
        ticktext=[text for _, text in ticks],
        title={"text": what},
        zeroline=False,
    )
    longest = max((len(curve.label) for curve in curves), default=0)
    figure.update_layout(margin={"r": 18 + 9 * longest, "t": 14, "b": 8})
    return figure
