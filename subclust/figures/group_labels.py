"""Names of the groups, written on the map where they cover no marks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from subclust.core.records import (
    OTHER_PASSAGES,
    BoolArray,
    Float64Array,
    FloatArray,
    MappedPassage,
    Subtopic,
)
from subclust.figures.palette import FigureTheme, blend, group_style, translucent
from subclust.figures.wrapping import as_html, label_lines

# How far a label may be moved from its anchor, in widths and heights of the label; up and down
# finely at first.
_FURTHER = (-4.0, -3.0, -2.0, -1.5, 1.5, 2.0, 3.0, 4.0)
_STEPS = np.array(
    sorted(
        (float(np.hypot(x, y / 2)), x, y)
        for x, y in product(
            [step * 0.125 for step in range(-8, 9)], [*np.arange(-1, 1.25, 0.25), *_FURTHER]
        )
    )
)
"""What each move costs, and the move; the smallest first."""

# A covered mark counts as much as moving the label by this share of its size, and by more where
# marks are so few that each is looked for.
_COVERED, _COVERED_OF_ALL = 0.08, 4.0

# Pixels around the middle of a mark that are better not covered either.
_RADIUS = 5.0

_LABEL_SIZE = 13
"""Font size in pixels."""

# A phone, a column of a laptop's page, and a wide screen.
_FRAMES = ((330.0, 460.0), (640.0, 640.0), (900.0, 640.0))

# Mean width of a bold character in shares of the font size, on the generous side.
_CHARACTER = 0.58

_MARGIN = 0.07

# Pixels; a label no further from a mark of its group needs no line.
_NEAR = 16.0


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
        if not free.any():
            shifts.append(None)
            continue
        moves = moves[free]
        covering = np.mean([_covering(view, label, moves, size) for view in views], axis=0)
        x, y = moves[int((_STEPS[free, 0] + covering).argmin())]
        shifts.append((float(x), float(y)))
    return shifts


def _are_free(
    view: View,
    label: int,
    moves: Float64Array,
    sizes: Sequence[tuple[float, float]],
    shifts: Sequence[tuple[float, float] | None],
) -> BoolArray:
    """Return for each move whether the label is then inside the view and off those placed."""
    size = np.array(sizes[label])
    places = view.anchors[label] + moves
    free = ((places >= size / 2) & (places <= (view.width, view.height) - size / 2)).all(axis=1)
    for other, shift in enumerate(shifts):
        if shift is not None:
            away = np.abs(places - (view.anchors[other] + shift))
            free &= (away >= (size + sizes[other]) / 2).any(axis=1)
    return np.asarray(free)


def _covering(
    view: View, label: int, moves: Float64Array, size: tuple[float, float]
) -> Float64Array:
    """Return for each move what the marks cost that the label then covers."""
    centres = view.anchors[label] + moves
    reach = np.array(size) / 2 + _RADIUS
    across, down = (np.abs(view.marks[:, i] - centres[:, i, None]) < reach[i] for i in (0, 1))
    n_covered = (across & down).sum(axis=1)
    return np.asarray(n_covered * (_COVERED + _COVERED_OF_ALL / max(len(view.marks), 1)))


def places(members: Sequence[MappedPassage]) -> FloatArray:
    """Collect the coordinates of passages, shape (n_passages, 2)."""
    return np.array([(member.x, member.y) for member in members], dtype=np.float32).reshape(-1, 2)


def corners(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and upper right corner of a frame around at least one point."""
    low, high = points.min(axis=0), points.max(axis=0)
    pad = np.maximum((high - low) * _MARGIN, 1e-3)
    return low - pad, high + pad


def group_labels(
    subtopics: Sequence[Subtopic], theme: FigureTheme, n_labels: int, faded: Collection[int] = ()
) -> list[dict[str, object]]:
    """Write plotly annotations, one a group, that do not lie on each other at any usual size.

    Parameters
    ----------
    subtopics : sequence of Subtopic
        Largest first.
    n_labels : int
        At most so many groups are labelled.
    faded : collection of int
        Groups whose labels step back.

    Returns
    -------
    list of dict
        "Other passages" gets none, nor does a group whose label finds no free place.
    """
    groups = [group for group in subtopics if group.id != OTHER_PASSAGES][:n_labels]
    if not groups:
        return []
    marks = places([member for group in subtopics for member in group.passages])
    anchors = np.stack([middle_of(places(group.passages)) for group in groups])
    texts = [label_lines(group.name) for group in groups]
    sizes = [
        # Two characters more: the symbol and a space.
        (
            (max(map(len, text)) + 2) * _LABEL_SIZE * _CHARACTER + 8,
            len(text) * _LABEL_SIZE * 1.35 + 6,
        )
        for text in texts
    ]
    views = [_seen_at(width, height, anchors, marks) for width, height in _FRAMES]
    shifts = place_labels(sizes, views)
    labels = []
    for row, (group, text, shift) in enumerate(zip(groups, texts, shifts, strict=True)):
        if shift is None:
            continue
        own = _seen_at(*_FRAMES[1], anchors, marks, places(group.passages)).marks
        label = _annotation(group, text, theme, faded=group.id in faded)
        anchor = {"x": float(anchors[row][0]), "y": float(anchors[row][1])}
        labels.append(
            label | anchor | _shifted(shift, _gap(views[1].anchors[row] + shift, sizes[row], own))
        )
    return labels


def middle_of(points: FloatArray) -> FloatArray:
    """Return the place of the mark in the middle of its group."""
    away = np.abs(points - np.median(points, axis=0)).sum(axis=1)
    return np.asarray(points[away.argmin()], dtype=np.float32)


def _gap(centre: FloatArray, size: tuple[float, float], own: FloatArray) -> float:
    """Measure how far a label's edge is from the nearest of its own marks, in pixels."""
    away = np.maximum(np.abs(own - centre) - np.array(size) / 2, 0)
    return float(np.hypot(away[:, 0], away[:, 1]).min())


def _seen_at(
    width: float,
    height: float,
    anchors: FloatArray,
    marks: FloatArray,
    shown: FloatArray | None = None,
) -> View:
    """Convert map coordinates to pixels as plotly does with both axes in the same units."""
    low, high = corners(marks)
    middle, centre = (low + high) / 2, np.array([width, height]) / 2
    scale = float((np.array([width, height]) / (high - low)).min())

    def _to_pixels(coordinates: FloatArray) -> FloatArray:
        return np.asarray((coordinates - middle) * scale + centre, dtype=np.float32)

    return View(width, height, _to_pixels(anchors), _to_pixels(marks if shown is None else shown))


def _annotation(
    group: Subtopic, text: list[str], theme: FigureTheme, *, faded: bool
) -> dict[str, object]:
    style = group_style(group.id, theme)
    glyph = f"<span style='color:{blend(style.colour, theme.text, 0.15)}'>{style.glyph}</span>"
    name = as_html(text)
    return {
        "name": group.name,
        "text": f"{glyph} {name}" if faded else f"{glyph} <b>{name}</b>",
        "captureevents": False,
        "align": "left",
        "font": {"size": _LABEL_SIZE, "color": theme.muted if faded else theme.text},
        "borderpad": 2,
        "arrowcolor": translucent(theme.muted, 0.8),
    }


def _shifted(shift: tuple[float, float], gap: float) -> dict[str, object]:
    """Move a label; where none of its own marks is near, a line leads to one."""
    x, y = round(shift[0], 1), round(shift[1], 1)
    if gap <= _NEAR:
        return {"showarrow": False, "xshift": x, "yshift": y}
    return {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "ax": x, "ay": -y}
