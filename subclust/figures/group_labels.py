"""Names of the groups, written on the map."""

from collections.abc import Collection, Sequence

import numpy as np

from subclust.core.records import OTHER_PASSAGES, FloatArray, MappedPassage, Subtopic
from subclust.figures.label_layout import View, place_labels
from subclust.figures.palette import FigureTheme, blend, group_style, translucent
from subclust.figures.wrapping import as_html, label_lines

LABEL_SIZE = 13
"""Font size in pixels."""

# A phone, a column of a laptop's page, and a wide screen.
_FRAMES = ((330.0, 460.0), (640.0, 640.0), (900.0, 640.0))

# Mean width of a bold character in shares of the font size, on the generous side.
_CHARACTER = 0.58

_MARGIN = 0.07

# Pixels; a label no further from a mark of its group needs no line.
_NEAR = 16.0


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
    theme : FigureTheme
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
    anchors = np.stack([_middle_mark(group) for group in groups])
    texts = [label_lines(group.name) for group in groups]
    sizes = [
        # Two characters more: the symbol and a space.
        ((max(map(len, text)) + 2) * LABEL_SIZE * _CHARACTER + 8, len(text) * LABEL_SIZE * 1.35 + 6)
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


def _middle_mark(group: Subtopic) -> FloatArray:
    """Return the place of the passage in the middle of its group."""
    own = places(group.passages)
    away = np.abs(own - np.median(own, axis=0)).sum(axis=1)
    return np.asarray(own[away.argmin()], dtype=np.float32)


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

    def to_pixels(coordinates: FloatArray) -> FloatArray:
        return np.asarray((coordinates - middle) * scale + centre, dtype=np.float32)

    return View(width, height, to_pixels(anchors), to_pixels(marks if shown is None else shown))


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
        "font": {"size": LABEL_SIZE, "color": theme.muted if faded else theme.text},
        "bgcolor": translucent(theme.page, 0.8),
        "borderpad": 2,
        "arrowcolor": translucent(theme.muted, 0.8),
    }


def _shifted(shift: tuple[float, float], gap: float) -> dict[str, object]:
    """Move a label; where none of its own marks is near, a line leads to one."""
    x, y = round(shift[0], 1), round(shift[1], 1)
    if gap <= _NEAR:
        return {"showarrow": False, "xshift": x, "yshift": y}
    return {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "ax": x, "ay": -y}
