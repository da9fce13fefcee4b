"""Axes of time."""

import math

from subclust.figures.palette import in_words

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
