"""How long an epoch takes, one bar a method."""

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from subclust.figures import words
from subclust.figures.bars import dress, series_style
from subclust.figures.curves import Curve
from subclust.figures.durations import time_ticks
from subclust.figures.palette import LIGHT, FigureTheme
from subclust.figures.wrapping import as_html, lines


def epoch_bars(curves: Sequence[Curve], *, theme: FigureTheme = LIGHT) -> go.Figure:
    """Draw the time of an epoch, with the time written at the end of each bar.

    Source: Kashyapi and Dietz, RepL4NLP 2021, figure 5.

    Parameters
    ----------
    curves : sequence of Curve
    theme : FigureTheme

    Returns
    -------
    plotly.graph_objects.Figure
        One horizontal bar a run, the first on top, in the colour it has among the curves. The axis
        begins at 0, so that a bar twice as long takes twice the time.
    """
    figure = go.Figure()
    longest = max((curve.epoch_seconds for curve in curves), default=1.0)
    for number, curve in enumerate(curves):
        figure.add_trace(
            go.Bar(
                name=html.escape(curve.label),
                orientation="h",
                x=[curve.epoch_seconds],
                y=[as_html(lines(curve.label, 16))],
                text=[f" {theme.duration(curve.epoch_seconds)}"],
                textposition="outside",
                textfont={"color": theme.text, "size": 14},
                cliponaxis=False,
                marker=series_style(number, theme, striped=True),
                hovertemplate=f"<b>{html.escape(curve.label)}</b><br>"
                + theme.say(words.EPOCH_TAKES).format(time=theme.duration(curve.epoch_seconds))
                + "<extra></extra>",
            )
        )
    dress(figure, theme, height=64 + 46 * len(curves))
    ticks = time_ticks(0.0, longest, log=False)
    figure.update_layout(bargap=0.35, margin={"r": 70})
    figure.update_xaxes(
        range=[0, longest * 1.02],
        tickvals=[value for value, _ in ticks],
        ticktext=[text for _, text in ticks],
        tickangle=0,
        showgrid=True,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, title="")
    return figure
