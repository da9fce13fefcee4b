"""The curve of a run that is going on: a value against the step, drawn as far as it is known."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import plotly.graph_objects as go

from subclust.core.messages import N_
from subclust.figures.bars import dress
from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent

_AT_STEP = N_("{name} {value} at step {step}")
_BEST_AT_STEP = N_("Best {name}: {value} at step {step}")
_STEP = N_("step")
_NOTHING_YET = N_("nothing measured yet")
Better = Literal["high", "low"]
_HEIGHT = 220
_SMOOTHED_FROM = 20
_MARKED_UP_TO = 40


@dataclass(frozen=True)
class StepCurve:
    """What one value was, step by step.

    Parameters
    ----------
    label : str
        Of the value, for people.
    steps : tuple of int
        Ascending.
    values : tuple of float
        As many.
    better : {"high", "low"}
    """

    label: str
    steps: tuple[int, ...]
    values: tuple[float, ...]
    better: Better = "high"

    @property
    def best(self) -> tuple[int, float] | None:
        """The first step at which the value was best, and the value; None of an empty curve."""
        if not self.values:
            return None
        value = (max if self.better == "high" else min)(self.values)
        return self.steps[self.values.index(value)], value


def _smoothed(values: Sequence[float], *, share: float = 0.1) -> list[float]:
    """Average each value with those before it, over a share of the curve, at least one.

    Parameters
    ----------
    share : float
        0 to 1.
    """
    window = max(1, round(share * len(values)))
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    return [
        (sums[end] - sums[max(0, end - window)]) / (end - max(0, end - window))
        for end in range(1, len(sums))
    ]


@lru_cache(maxsize=64)
def progress_curve(curve: StepCurve, total: int, *, theme: FigureTheme = LIGHT) -> go.Figure:
    """Draw a curve over all steps of the run, so that it grows and nothing around it moves.

    Parameters
    ----------
    curve : StepCurve
        A long noisy one, where low is better, is drawn faint, with its running mean over it.
    total : int
        Steps of the whole run.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace ``"values"``, one ``"mean"`` over a long noisy curve, and one ``"best"`` for the
        best value where high is better. Empty, but with its axes, where nothing is known yet. It is
        kept for all who watch the same run, so it must not be changed.
    """
    name = html.escape(curve.label)
    figure = go.Figure(_lines(curve, name, theme))
    if curve.best is not None and curve.better == "high":
        _mark_best(figure, curve.best, name, theme)
    dress(figure, theme, _HEIGHT)
    figure.update_xaxes(
        range=[0, max(total, 1)],
        zeroline=False,
        tickformat=",d",
        nticks=6,
        tickangle=0,
        title={
            "text": theme.say(_STEP),
            "font": {"color": theme.muted, "size": 13},
            "standoff": 8,
        },
    )
    figure.update_yaxes(
        range=_range(curve.values), zeroline=False, showline=False, tickformat=".3~f", nticks=5
    )
    if not curve.values:
        figure.update_xaxes(showticklabels=False)
        figure.update_yaxes(showticklabels=False)
        figure.add_annotation(
            text=theme.say(_NOTHING_YET),
            x=0.5,
            y=0.5,
            xref="paper",
            yref="paper",
            showarrow=False,
            bgcolor=theme.page,
            borderpad=6,
            font={"color": theme.muted, "size": 14},
        )
    _name_above(figure, name, theme)
    figure.update_layout(margin={"l": 4, "r": 12, "t": 28, "b": 4}, uirevision=curve.label)
    return figure


def _lines(curve: StepCurve, name: str, theme: FigureTheme) -> list[go.Scatter]:
    """Draw the values, and their running mean where they are many and noisy."""
    if not curve.values:
        return []
    noisy = curve.better == "low" and len(curve.values) >= _SMOOTHED_FROM
    marked = len(curve.values) <= _MARKED_UP_TO and not noisy
    style = group_style(1 if curve.better == "low" else 0, theme)
    line = {"color": style.outline, "width": 2.5}
    faint = {"color": translucent(style.outline, 0.35), "width": 1}
    values = go.Scatter(
        name="values",
        x=list(curve.steps),
        y=list(curve.values),
        mode="lines+markers" if marked else "lines",
        line=faint if noisy else line,
        marker={"size": 6, "color": style.outline},
        hovertemplate=theme.say(_AT_STEP).format(name=name, value="%{y:.3f}", step="%{x:,}")
        + "<extra></extra>",
    )
    if not noisy:
        return [values]
    mean = go.Scatter(
        name="mean",
        x=list(curve.steps),
        y=_smoothed(curve.values),
        mode="lines",
        line=line,
        hoverinfo="skip",
    )
    return [values, mean]


def _mark_best(figure: go.Figure, best: tuple[int, float], name: str, theme: FigureTheme) -> None:
    step, value = best
    style = group_style(5, theme)
    figure.add_trace(
        go.Scatter(
            name="best",
            x=[step],
            y=[value],
            mode="markers",
            marker={
                "symbol": style.symbol,
                "size": 14,
                "color": style.colour,
                "line": {"width": 1.2, "color": theme.text},
            },
            hovertemplate=theme.say(_BEST_AT_STEP).format(
                name=name, value="%{y:.3f}", step="%{x:,}"
            )
            + "<extra></extra>",
        )
    )


def _range(values: Sequence[float]) -> list[float]:
    """Hold all values with some air, and not less than a hundredth."""
    if not values:
        return [0.0, 1.0]
    low, high = min(values), max(values)
    air = max(0.1 * (high - low), 0.01)
    return [low - air, high + air]


def _name_above(figure: go.Figure, text: str, theme: FigureTheme) -> None:
    """Write what the upright axis shows above its upper end, where it is read first."""
    figure.add_annotation(
        text=text,
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=4,
        showarrow=False,
        font={"color": theme.muted, "size": 13},
    )
