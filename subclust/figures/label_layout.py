"""Where the labels of a map go, so that none lies on another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from subclust.core.records import BoolArray, Float64Array, FloatArray

# How far a label may be moved from its anchor, in widths and heights of the label.
_STEPS = np.array(
    sorted(
        (float(np.hypot(x, y / 2)), x, y)
        for x, y in product(
            [step * 0.125 for step in range(-8, 9)], [step * 0.5 for step in range(-8, 9)]
        )
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
    for label, size in enumerate(sizes):
        moves = _STEPS[:, 1:] * size
        free = np.all([_are_free(view, label, moves, sizes, shifts) for view in views], axis=0)
        best: tuple[float, Float64Array] | None = None
        for cost, shift in zip(_STEPS[free, 0], moves[free], strict=True):
            if best and cost >= best[0]:
                break
            cost += _COVERED * max(_n_covered(view, label, shift, size) for view in views)
            if best is None or cost < best[0]:
                best = (cost, shift)
        shifts.append((float(best[1][0]), float(best[1][1])) if best else None)
    return shifts


def _are_free(
    view: View,
    label: int,
    moves: Float64Array,
    sizes: Sequence[tuple[float, float]],
    shifts: Sequence[tuple[float, float] | None],
) -> BoolArray:
    """Say of each move whether the label then lies inside the view and off those placed before."""
    size = np.array(sizes[label])
    places = view.anchors[label] + moves
    free = ((places >= size / 2) & (places <= (view.width, view.height) - size / 2)).all(axis=1)
    for other, shift in enumerate(shifts):
        if shift is not None:
            away = np.abs(places - (view.anchors[other] + shift))
            free &= (away >= (size + sizes[other]) / 2).any(axis=1)
    return np.asarray(free)


def _n_covered(view: View, label: int, shift: Float64Array, size: tuple[float, float]) -> int:
    away = np.abs(view.marks - (view.anchors[label] + shift))
    return int(((away[:, 0] < size[0] / 2) & (away[:, 1] < size[1] / 2)).sum())
