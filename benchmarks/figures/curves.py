"""Held-out scores against training time, one line a method."""

from collections.abc import Sequence
from dataclasses import dataclass

DASHES = ("solid", "dash", "dot", "dashdot")


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
    """Return the points of a curve that have a place on the axes."""
    points = zip(curve.seconds, curve.scores, strict=True)
    return [(time, score) for time, score in points if time > 0 or not axes.log]


def score_at(curve: Curve, seconds: float) -> float:
    """Return the score of a curve at one of its times."""
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
