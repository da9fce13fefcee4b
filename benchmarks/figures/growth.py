"""How something grows with the size of a set, one line a method, both axes logarithmic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


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
    """Return the ends of the axis of the values, with a margin."""
    values = [value for curve in curves for value in curve.values]
    return (min(values) / 1.25, max(values) * 1.25) if values else (0.8, 1.25)
