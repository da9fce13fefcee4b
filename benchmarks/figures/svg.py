"""The figures of a report as SVG: the same records, no browser, the same bytes everywhere."""

import math
from collections.abc import Sequence

from benchmarks.figures.canvas import DASHES, GRID, Canvas
from benchmarks.figures.curves import Curve, apart, curve_axes, drawn_points, score_at
from benchmarks.figures.spaces import MethodSpace, QuerySpaces
from subclust.figures.palette import LIGHT, group_style, in_words
from subclust.figures.svg_shapes import WIDTH, plain


def curves_svg(title: str, panels: Sequence[tuple[str, str, Sequence[Curve], float]]) -> str:
    """Draw training curves, one panel below the other.

    Parameters
    ----------
    title : str
        What the picture shows, for those who cannot see it.
    panels : sequence of (str, str, sequence of Curve, float)
        Heading, label of the reference, the runs, and the reference's highest score.
    """
    canvas = Canvas(title)
    top = 0.0
    for heading, reference, curves, best in panels:
        canvas.text(28, top + 40, heading, size=21, font_weight="bold")
        _curves(canvas, top + 62, reference, curves, best)
        top += 430
    return canvas.finish(top)


def epochs_svg(title: str, panels: Sequence[tuple[str, Sequence[Curve]]]) -> str:
    """Draw the time of an epoch, one panel of bars (heading, runs) below the other."""
    canvas = Canvas(title)
    top = 0.0
    for heading, curves in panels:
        canvas.text(28, top + 40, heading, size=21, font_weight="bold")
        longest = max(curve.epoch_seconds for curve in curves)
        for number, curve in enumerate(curves):
            y = top + 62 + 44 * number
            style = group_style(number)
            width = max(2.0, 600 * curve.epoch_seconds / longest)
            canvas.text(228, y + 20, curve.label, size=17, text_anchor="end")
            canvas.add("rect", x=240, y=y, width=width, height=28, fill=style.colour)
            canvas.text(240 + width + 10, y + 20, in_words(curve.epoch_seconds), size=17)
        top += 84 + 44 * len(curves)
    return canvas.finish(top)


def spaces_svg(title: str, queries: Sequence[QuerySpaces]) -> str:
    """Draw a panel for each query (row) and method (column): the first two components."""
    canvas = Canvas(title)
    columns = max(len(one.methods) for one in queries)
    side = min(290.0, (WIDTH - 56 - 14 * (columns - 1)) / columns)
    top = 0.0
    for one in queries:
        canvas.text(28, top + 40, one.query, size=21, font_weight="bold")
        for column, space in enumerate(one.methods):
            left = 28 + column * (side + 14)
            ari = f"ARI {space.ari:.2f}".replace("-", "−")
            canvas.text(left, top + 68, space.label, size=16)
            canvas.text(left + side, top + 68, ari, size=16, text_anchor="end")
            _space(canvas, left, top + 78, side, one, space)
        top += side + 96
    return canvas.finish(top)


def _curves(
    canvas: Canvas, top: float, reference: str, curves: Sequence[Curve], best: float
) -> None:
    axes = curve_axes(curves)
    left, right, bottom = 88.0, WIDTH - 40 - 9.5 * max(len(c.label) for c in curves), top + 300
    (first, last), (low, high) = axes.time, axes.score

    def across(seconds: float) -> float:
        scale = math.log if axes.log else float
        return left + (right - left) * (scale(seconds) - scale(first)) / (
            scale(last) - scale(first)
        )

    def up(score: float) -> float:
        return bottom - (bottom - top) * (score - low) / (high - low)

    for value in _even(low, high):
        canvas.line(left, up(value), right, up(value))
        canvas.text(left - 10, up(value) + 5, f"{value:.2f}", text_anchor="end", fill=LIGHT.muted)
    for value, text in time_ticks(first, last, log=axes.log):
        canvas.line(across(value), top, across(value), bottom)
        canvas.text(across(value), bottom + 22, text, text_anchor="middle", fill=LIGHT.muted)
    note = "time in training steps" + (", logarithmic" if axes.log else "")
    canvas.text((left + right) / 2, bottom + 48, note, text_anchor="middle", fill=LIGHT.muted)
    canvas.text(
        0, 0, "ARI on held-out queries", text_anchor="middle", fill=LIGHT.muted,
        transform=f"translate(30 {plain((top + bottom) / 2)}) rotate(-90)",
    )  # fmt: skip
    canvas.line(left, up(best), right, up(best), stroke=LIGHT.muted, stroke_dasharray="2 4")
    canvas.text(left + 6, up(best) - 7, f"best of {reference}", size=14, fill=LIGHT.muted)
    drawn = [(at, curve, drawn_points(curve, axes)) for at, curve in enumerate(curves)]
    drawn = [one for one in drawn if one[2]]
    names = apart([up(points[-1][1]) for _, _, points in drawn], 21)
    for (number, curve, points), name in zip(drawn, names, strict=True):
        style = group_style(number)
        canvas.add(
            "polyline", points=" ".join(f"{plain(across(x))},{plain(up(y))}" for x, y in points),
            fill="none", stroke=style.outline, stroke_width=3, stroke_linejoin="round",
            stroke_dasharray=DASHES[number % len(DASHES)] or "none",
        )  # fmt: skip
        if curve.reached is not None and (curve.reached > 0 or not axes.log):
            canvas.mark(across(curve.reached), up(score_at(curve, curve.reached)), number, 8)
        canvas.text(
            across(points[-1][0]) + 9, name + 5, curve.label, size=17, font_weight="bold",
            fill=style.outline,
        )  # fmt: skip


def _space(
    canvas: Canvas, left: float, top: float, side: float, one: QuerySpaces, space: MethodSpace
) -> None:
    canvas.add("rect", x=left, y=top, width=side, height=side, fill="none", stroke=GRID)
    flat = [point[:2] for point in space.coordinates]
    middle = [(min(axis) + max(axis)) / 2 for axis in zip(*flat, strict=True)]
    extent = max(max(axis) - min(axis) for axis in zip(*flat, strict=True)) or 1.0
    scale = (side - 28) / extent
    for (x, y), subtopic in zip(flat, one.gold, strict=True):
        canvas.mark(left + side / 2 + (x - middle[0]) * scale,
                    top + side / 2 - (y - middle[1]) * scale, subtopic, 5)  # fmt: skip


def _even(low: float, high: float) -> list[float]:
    """Choose up to seven round scores between two."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 7)
    return [step * at for at in range(math.ceil(low / step), math.floor(high / step) + 1)]


_COARSE = (0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 36000, 360000)
_FINE = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300,
         600, 1200, 1800, 3600, 7200, 14400, 28800, 86400)  # fmt: skip


def time_ticks(low: float, high: float, *, log: bool) -> list[tuple[float, str]]:
    """Choose a few round durations for an axis, so few that they fit on a phone.

    Parameters
    ----------
    low, high : float
        Of the axis, in seconds; ``low`` is above 0 if `log`.
    log : bool
        Whether the axis is logarithmic.
    """
    if log:
        coarse = [step for step in _COARSE if low <= step <= high]
        chosen = coarse if len(coarse) >= 2 else [step for step in _FINE if low <= step <= high]
    else:
        step = next((step for step in _FINE if (high - low) / step <= 4), high - low)
        chosen = [step * at for at in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [(value, in_words(value) if value else "0") for value in chosen]
