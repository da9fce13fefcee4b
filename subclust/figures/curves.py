"""Held-out scores against training time, one line a method."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from subclust.figures import words
from subclust.figures.bars import dress, name_above
from subclust.figures.durations import time_ticks
from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent

DASHES = ("solid", "dash", "dot", "dashdot")

# Pixels that a label needs for itself, and that what stands above and below the lines takes.
_LABEL, _AXIS = 20, 80


@dataclass(frozen=True)
class Curve:
    """One training run.

    Parameters
    ----------
    label : str
        Of the method.
    seconds : tuple of float
        Training time at each validation, ascending, from 0.
    scores : tuple of float
        On the held-out queries; higher is better.
    reached : float or None
        Training time at which the run was first as good as the reference ever got.
    epoch_seconds : float
        Time of one epoch.
    """

    label: str
    seconds: tuple[float, ...]
    scores: tuple[float, ...]
    reached: float | None
    epoch_seconds: float


@dataclass(frozen=True)
class CurveAxes:
    """The ranges that hold all curves.

    Parameters
    ----------
    log : bool
        Time is logarithmic, since the runs differ in length by more than tenfold; what was scored
        before any training then has no place.
    time, score : (float, float)
    """

    log: bool
    time: tuple[float, float]
    score: tuple[float, float]


def curve_axes(curves: Sequence[Curve]) -> CurveAxes:
    """Choose the axes; empty curves are passed over."""
    ends = [curve.seconds[-1] for curve in curves if curve.seconds and curve.seconds[-1] > 0]
    reached = [curve.reached for curve in curves if curve.reached]
    log = any(max(times) > 10 * min(times) for times in (ends, reached) if times)
    times = [time for curve in curves for time in curve.seconds if time > 0 or not log]
    scores = [score for curve in curves for score in curve.scores]
    if not times:
        return CurveAxes(False, (0.0, 1.0), (0.0, 1.0))
    margin = 0.08 * (max(scores) - min(scores)) or 0.01
    low = min(times) / 1.15 if log else 0.0
    high = max(times) * (1.15 if log else 1.02)
    return CurveAxes(log, (low, high), (min(scores) - margin, max(scores) + margin))


def drawn_points(curve: Curve, axes: CurveAxes) -> list[tuple[float, float]]:
    """Give the points of a curve that have a place on the axes."""
    points = zip(curve.seconds, curve.scores, strict=True)
    return [(time, score) for time, score in points if time > 0 or not axes.log]


def score_at(curve: Curve, seconds: float) -> float:
    """Give the score of a curve at one of its times."""
    return curve.scores[curve.seconds.index(seconds)]


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Move places along a line until neighbours are a gap apart, and all as little as possible.

    Returns
    -------
    list of float
        In the order given.
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    clumps: list[list[int]] = []
    centres: list[float] = []
    for at in order:
        clumps.append([at])
        centres.append(places[at])
        while len(clumps) > 1 and centres[-1] - centres[-2] < gap * (
            (len(clumps[-1]) + len(clumps[-2])) / 2
        ):
            members = clumps[-2] + clumps[-1]
            clumps[-2:] = [members]
            centres[-2:] = [sum(places[one] for one in members) / len(members)]
    moved = [0.0] * len(places)
    for members, centre in zip(clumps, centres, strict=True):
        for rank, at in enumerate(members):
            moved[at] = centre + (rank - (len(members) - 1) / 2) * gap
    return moved


def training_curves(
    curves: Sequence[Curve],
    reference: str,
    reference_best: float,
    *,
    metric: str = "ARI",
    theme: FigureTheme = LIGHT,
    height: int = 400,
) -> go.Figure:
    """Draw one line a run, and mark where each is first as good as the reference ever gets.

    Source: Kashyapi and Dietz, RepL4NLP 2021, figure 3.

    Parameters
    ----------
    curves : sequence of Curve
    reference : str
        Label of the reference.
    reference_best : float
        Its highest score; a dotted line.
    metric : str
    theme : FigureTheme
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace for each run, told apart by colour and dashes and named at its end, and one with its
        mark if it has one. ``customdata`` of a point is its time in words.
    """
    axes = curve_axes(curves)
    figure = go.Figure()
    ends: list[tuple[float, float, str, str]] = []
    for number, curve in enumerate(curves):
        points = drawn_points(curve, axes)
        if not points:
            continue
        style = group_style(number, theme)
        name = html.escape(curve.label)
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[time for time, _ in points],
                y=[score for _, score in points],
                mode="lines+markers" if len(points) < 3 else "lines",
                line={"color": style.outline, "width": 2.5, "dash": DASHES[number % len(DASHES)]},
                customdata=[[theme.duration(time)] for time, _ in points],
                hovertemplate=f"<b>{name}</b><br>"
                + theme.say(words.SCORE_AFTER).format(
                    score=f"{metric} %{{y:.3f}}", time="%{customdata[0]}"
                )
                + "<extra></extra>",
            )
        )
        if curve.reached is not None and (curve.reached > 0 or not axes.log):
            figure.add_trace(
                go.Scatter(
                    name=f"{name}, level with {html.escape(reference)}",
                    x=[curve.reached],
                    y=[score_at(curve, curve.reached)],
                    mode="markers",
                    marker={
                        "symbol": style.symbol,
                        "size": 13,
                        "color": style.colour,
                        "line": {"width": 1.5, "color": theme.text},
                    },
                    customdata=[[theme.duration(curve.reached)]],
                    hovertemplate=f"<b>{name}</b> "
                    + theme.say(words.LEVEL_AFTER).format(
                        reference=html.escape(reference), time="%{customdata[0]}"
                    )
                    + "<extra></extra>",
                )
            )
        ends.append((*points[-1], name, style.outline))
    dress(figure, theme, height)
    _name_ends(figure, ends, axes, theme, height)
    figure.add_hline(y=reference_best, line={"color": theme.muted, "width": 1, "dash": "dot"})
    ticks = time_ticks(*axes.time, log=axes.log)
    shown = tuple(map(math.log10, axes.time)) if axes.log else axes.time
    figure.update_xaxes(
        type="log" if axes.log else "linear",
        range=shown,
        tickvals=[value for value, _ in ticks],
        ticktext=[text for _, text in ticks],
        title={
            "text": theme.say(words.TRAINING_TIME_LOG if axes.log else words.TRAINING_TIME),
            "font": {"color": theme.muted, "size": 13},
            "standoff": 12,
        },
        tickangle=0,
        zeroline=False,
        showgrid=True,
    )
    figure.update_yaxes(range=axes.score, zeroline=False, showline=False, tickformat=".2f")
    name_above(figure, theme.say(words.HELD_OUT).format(metric=metric), theme)
    longest = max((len(label) for _, _, label, _ in ends), default=0)
    figure.update_layout(margin={"r": 14 + 8 * longest, "t": 28, "b": 8})
    return figure


def _name_ends(
    figure: go.Figure,
    ends: Sequence[tuple[float, float, str, str]],
    axes: CurveAxes,
    theme: FigureTheme,
    height: int,
) -> None:
    """Write each run's name at the end of its line, in its colour."""
    low, high = axes.score
    per_pixel = (high - low) / (height - _AXIS)
    moved = apart([score for _, score, _, _ in ends], _LABEL * per_pixel)
    for (time, score, name, colour), place in zip(ends, moved, strict=True):
        figure.add_annotation(
            text=f"<b>{name}</b>",
            x=math.log10(time) if axes.log else time,
            y=score,
            xanchor="left",
            xshift=10,
            yshift=(place - score) / per_pixel,
            showarrow=False,
            font={"color": colour, "size": 14},
            bgcolor=translucent(theme.page, 0.75),
        )
