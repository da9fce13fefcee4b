"""How something grows with the size of a set, as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.figures.canvas import DASHES, Canvas
from benchmarks.figures.curves import apart
from subclust.figures.palette import LIGHT, group_style
from subclust.figures.svg_shapes import WIDTH, plain


@dataclass(frozen=True)
class GrowthCurve:
    """One line.

    Parameters
    ----------
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
    """Return the ends of the axis of the values, with a margin."""
    values = [value for curve in curves for value in curve.values]
    return (min(values) / 1.25, max(values) * 1.25) if values else (0.8, 1.25)


def growth_svg(
    title: str,
    panels: Sequence[tuple[str, str, Sequence[GrowthCurve]]],
    *,
    across: str = "entities in a subset, logarithmic",
) -> str:
    """Draw lines over sizes, one panel below the other.

    Parameters
    ----------
    title : str
        What the picture shows, for those who cannot see it.
    panels : sequence of (str, str, sequence of GrowthCurve)
        Heading, what the values are, and the lines.
    across : str
        What the sizes are.
    """
    canvas = Canvas(title)
    top = 0.0
    for heading, what, curves in panels:
        canvas.text(28, top + 40, heading, size=21, font_weight="bold")
        _panel(canvas, top + 62, what, [curve for curve in curves if curve.sizes], across)
        top += 400
    return canvas.finish(top)


def _panel(canvas: Canvas, top: float, what: str, curves: Sequence[GrowthCurve], note: str) -> None:
    longest = max((len(curve.label) for curve in curves), default=0)
    left, right, bottom = 110.0, WIDTH - 40 - 9.5 * longest, top + 270
    sizes = sorted({size for curve in curves for size in curve.sizes})
    low, high = value_range(curves)

    def across(size: float) -> float:
        room = math.log(sizes[-1] / sizes[0]) or 1.0
        return left + (right - left) * math.log(size / sizes[0]) / room

    def up(value: float) -> float:
        return bottom - (bottom - top) * math.log(value / low) / math.log(high / low)

    for value, text in value_ticks(low, high):
        canvas.line(left, up(value), right, up(value))
        canvas.text(left - 10, up(value) + 5, text, text_anchor="end", fill=LIGHT.muted)
    for size in sizes:
        canvas.line(across(size), top, across(size), bottom)
        canvas.text(across(size), bottom + 22, f"{size:,}", text_anchor="middle", fill=LIGHT.muted)
    canvas.text((left + right) / 2, bottom + 48, note, text_anchor="middle", fill=LIGHT.muted)
    canvas.text(
        0, 0, what, text_anchor="middle", fill=LIGHT.muted,
        transform=f"translate(30 {plain((top + bottom) / 2)}) rotate(-90)",
    )  # fmt: skip
    names = apart([up(curve.values[-1]) for curve in curves], 21)
    for number, (curve, name) in enumerate(zip(curves, names, strict=True)):
        style = group_style(number)
        points = [(across(x), up(y)) for x, y in zip(curve.sizes, curve.values, strict=True)]
        canvas.add(
            "polyline", points=" ".join(f"{plain(x)},{plain(y)}" for x, y in points),
            fill="none", stroke=style.outline, stroke_width=3, stroke_linejoin="round",
            stroke_dasharray=DASHES[number % len(DASHES)] or "none",
        )  # fmt: skip
        for x, y in points:
            canvas.mark(x, y, number, 6)
        canvas.text(
            points[-1][0] + 12, name + 5, curve.label, size=17, font_weight="bold",
            fill=style.outline,
        )  # fmt: skip
