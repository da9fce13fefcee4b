"""Where the labels of a map go, so that none lies on another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from subclust.records import FloatArray

# How far a label may be moved from its anchor, in widths and heights of the label.
_STEPS = sorted(
    (float(np.hypot(x, y / 2)), x, y)
    for x, y in product(
        [step * 0.125 for step in range(-8, 9)], [step * 0.5 for step in range(-8, 9)]
    )
)
"""What each move costs, and the move; the smallest first."""

# A covered mark counts as much as moving the label by this share of its size.
_COVERED = 0.08


@dataclass(frozen=True)
class View:
    """One size at which the map may be seen.

    Parameters
    ----------
    width, height : float
        In pixels; labels stay inside.
    anchors : ndarray of shape (n_labels, 2)
        Where each label would like to be centred, in pixels.
    marks : ndarray of shape (n_marks, 2)
        Places in pixels that are better not covered.
    """

    width: float
    height: float
    anchors: FloatArray
    marks: FloatArray


def place_labels(
    sizes: Sequence[tuple[float, float]], views: Sequence[View]
) -> list[tuple[float, float] | None]:
    """Move labels off each other by shifts that hold at every size of the map.

    Parameters
    ----------
    sizes : sequence of (width, height)
        Of the labels in pixels, most important label first.
    views : sequence of View
        At least one, each with an anchor a label.

    Returns
    -------
    list of (float, float) or None
        Shift of each label's centre from its anchor, in pixels; None where there is no free place
        near the anchor.
    """
    shifts: list[tuple[float, float] | None] = []
    for label, (width, height) in enumerate(sizes):
        best: tuple[float, tuple[float, float]] | None = None
        for cost, step_x, step_y in _STEPS:
            if best and cost >= best[0]:
                break
            shift = (step_x * width, step_y * height)
            if not all(_is_free(view, label, shift, sizes, shifts) for view in views):
                continue
            cost += _COVERED * max(_n_covered(view, label, shift, sizes[label]) for view in views)
            if best is None or cost < best[0]:
                best = (cost, shift)
        shifts.append(best[1] if best else None)
    return shifts


def _is_free(
    view: View,
    label: int,
    shift: tuple[float, float],
    sizes: Sequence[tuple[float, float]],
    shifts: Sequence[tuple[float, float] | None],
) -> bool:
    """Say whether a label lies inside the view and off those placed before it."""
    x, y = view.anchors[label] + shift
    width, height = sizes[label]
    if not (width / 2 <= x <= view.width - width / 2):
        return False
    if not (height / 2 <= y <= view.height - height / 2):
        return False
    for other, other_shift in enumerate(shifts):
        if other_shift is None:
            continue
        other_x, other_y = view.anchors[other] + other_shift
        if (
            abs(x - other_x) < (width + sizes[other][0]) / 2
            and abs(y - other_y) < (height + sizes[other][1]) / 2
        ):
            return False
    return True


def _n_covered(
    view: View, label: int, shift: tuple[float, float], size: tuple[float, float]
) -> int:
    away = np.abs(view.marks - (view.anchors[label] + shift))
    return int(((away[:, 0] < size[0] / 2) & (away[:, 1] < size[1] / 2)).sum())
