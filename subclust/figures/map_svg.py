"""The map of a query's subtopics as SVG, to be taken away: no script, nothing from elsewhere."""

import math
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from subclust.core.messages import Message
from subclust.core.records import OTHER_PASSAGES, FloatArray, MappedPassage, Subtopic, SubtopicMap
from subclust.core.translation import translated
from subclust.figures.group_labels import View, corners, middle_of, place_labels, places
from subclust.figures.palette import DARK, LIGHT, group_style
from subclust.figures.svg_shapes import FONT, WIDTH, plain, symbol_path
from subclust.figures.wrapping import excerpt, label_lines, lines, printable

__all__ = ["WIDTH", "dark_style", "map_svg"]

_HEIGHT = 640.0
_MARGIN = 24.0
_LABEL = 15
_LEGEND_ROW = 26.0
_HEADING, _HEADING_ROW, _MOST_HEADING = 23, 30, 3
_NOTE, _NOTE_ROW = 15, 21

# Mean width of a bold character in shares of the font size, on the generous side.
_CHARACTER = 0.58
_CAPITAL, _IDEOGRAPH = 0.75, 1.0

# Pixels; a label no further from its group's middle needs no line.
_NEAR = 34.0

# What a name covers can be seen between and around its letters.
_HALO = 'stroke-width="5" stroke-linejoin="round" paint-order="stroke"'

_MOST_NAMED = 12
"""Groups, largest first, that are named on the map."""

Place = Callable[[FloatArray], FloatArray]


def map_svg(
    subtopics: SubtopicMap,
    *,
    legend: bool = True,
    link: Callable[[MappedPassage], str] | None = None,
    language: str = "en",
    notes: Sequence[str] = (),
) -> str:
    """Draw the map: one mark a passage, one colour and symbol a group, names beside the groups.

    Colours are those of the light theme; a page that holds the drawing gives it those of the dark
    one by `dark_style`.

    Parameters
    ----------
    legend : bool
        Whether the question stands above and all groups are listed below.
    link : callable, optional
        Gives the address within the page that a mark leads to.
    language : str
        Of what screen readers say of it.
    notes : sequence of str
        Sentences below the question.

    Returns
    -------
    str
        The same for the same map. Each mark has ``data-passage``, the passage's id.
    """
    groups = subtopics.subtopics
    parts, top = _heading(subtopics.query.text, notes) if legend else ([], _MARGIN)
    members = [member for group in groups for member in group.passages]
    place = _placer(places(members), top)
    size = 6.5 if len(members) <= 80 else 5.5 if len(members) <= 300 else 4.5
    # Other passages first, so that they lie below.
    for group in sorted(groups, key=lambda group: (group.id != OTHER_PASSAGES, group.id)):
        parts.append(_marks(group, place, size, link))
    parts += _labels(groups, place, top)
    height = top + _HEIGHT
    if legend:
        parts += _legend(groups, height)
        height += _LEGEND_ROW * math.ceil(len(groups) / 2) + _MARGIN
    return _picture(_described(subtopics, language), parts, height)


def _heading(question: str, notes: Sequence[str]) -> tuple[list[str], float]:
    """Write the question and the notes, and return them with the height that they take."""
    parts, y = [], _MARGIN
    for row in _question_lines(question):
        y += _HEADING_ROW
        parts.append(
            f'<text class="sc-text" x="{plain(_MARGIN)}" y="{plain(y - 8)}" '
            f'font-size="{_HEADING}" font-weight="bold" fill="{LIGHT.text}">{_escaped(row)}</text>'
        )
    for row in (row for note in notes for row in lines(note, 105)):
        y += _NOTE_ROW
        parts.append(
            f'<text x="{plain(_MARGIN)}" y="{plain(y - 4)}" font-size="{_NOTE}" '
            f'fill="{LIGHT.muted}">{_escaped(row)}</text>'
        )
    return parts, y


def _question_lines(question: str) -> list[str]:
    """Break a question into lines that fit the picture; an ellipsis says that there is more."""
    whole = " ".join(printable(question).split())
    for width in range(74, 20, -2):
        broken = textwrap.wrap(whole, width, max_lines=_MOST_HEADING, placeholder="\u00a0…")
        if all(_ems(row) * _HEADING <= WIDTH - 2 * _MARGIN for row in broken):
            break
    return broken


def _ems(text: str) -> float:
    """Return about how wide a bold text is, in shares of the font size."""
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    capitals = sum(one.isupper() for one in text)
    others = len(text) - wide - capitals
    return _IDEOGRAPH * wide + _CAPITAL * capitals + _CHARACTER * others


def dark_style(subtopics: SubtopicMap) -> str:
    """Write CSS rules that give the drawing within a page the colours of the dark theme."""
    rules = [
        f".sc-page {{ fill: {DARK.page} }} .sc-text {{ fill: {DARK.text} }} "
        f".sc-halo {{ stroke: {DARK.page} }} "
        f".sc-line {{ stroke: {DARK.muted} }}"
    ]
    for group in subtopics.subtopics:
        style = group_style(group.id, DARK)
        fill = "none" if group.id == OTHER_PASSAGES else style.colour
        rules.append(f".{_group_class(group.id)} {{ fill: {fill}; stroke: {style.outline} }}")
    return " ".join(rules)


def _group_class(group: int) -> str:
    """Name the class of a group's marks."""
    return f"sc-group-{'other' if group == OTHER_PASSAGES else group}"


def group_mark(group: int) -> str:
    """Draw the symbol of a group alone, for use within a text."""
    size = 7.0
    side = plain(2.8 * size)
    return (
        f'<svg class="sc-mark" width="{side}" height="{side}" viewBox="0 0 {side} {side}" '
        f'aria-hidden="true">{_symbol(group, 1.4 * size, 1.4 * size, size)}</svg>'
    )


def _placer(points: FloatArray, top: float) -> Place:
    """Fit map coordinates into the frame, in the same units both ways, upwards up."""
    low, high = corners(points)
    frame = np.array([WIDTH, _HEIGHT])
    scale = float((frame / (high - low)).min())
    middle = (low + high) / 2

    def place(coordinates: FloatArray) -> FloatArray:
        flat = (coordinates - middle) * scale * np.array([1, -1]) + frame / 2
        return np.asarray(flat + np.array([0, top]), dtype=np.float32)

    return place


def _marks(
    group: Subtopic, place: Place, size: float, link: Callable[[MappedPassage], str] | None
) -> str:
    drawn = []
    for member, (x, y) in zip(group.passages, place(places(group.passages)), strict=True):
        title = ": ".join(part for part in (member.passage.title, group.name) if part)
        told = _escaped(excerpt(f"{title}. {member.passage.text}", 200))
        path = symbol_path(group_style(group.id).symbol, float(x), float(y), size)
        mark = (
            f'<path d="{path}" data-passage="{_escaped(member.passage.id)}">'
            f"<title>{told}</title></path>"
        )
        if link:
            # Out of the Tab order, where hundreds of marks would precede the list of groups.
            mark = f'<a href="{_escaped(link(member))}" tabindex="-1">{mark}</a>'
        drawn.append(mark)
    return f"<g {_looks(group.id)}>" + "".join(drawn) + "</g>"


def _symbol(group: int, x: float, y: float, size: float) -> str:
    path = symbol_path(group_style(group).symbol, x, y, size)
    return f'<path {_looks(group)} d="{path}"/>'


def _looks(group: int) -> str:
    style = group_style(group)
    fill = "none" if group == OTHER_PASSAGES else style.colour
    width = "1.6" if group == OTHER_PASSAGES else "1"
    return (
        f'class="{_group_class(group)}" fill="{fill}" stroke="{style.outline}" '
        f'stroke-width="{width}" stroke-linejoin="round"'
    )


def _labels(groups: Sequence[Subtopic], place: Place, top: float) -> list[str]:
    named = [group for group in groups if group.id != OTHER_PASSAGES][:_MOST_NAMED]
    if not named:
        return []
    down = np.array([0, top], dtype=np.float32)
    anchors = np.stack([middle_of(place(places(group.passages))) for group in named]) - down
    marks = place(places([member for group in groups for member in group.passages])) - down
    texts = [label_lines(group.name, 22) for group in named]
    sizes = [
        (max(map(len, text)) * _LABEL * _CHARACTER + 28, len(text) * _LABEL * 1.25 + 6)
        for text in texts
    ]
    shifts = place_labels(sizes, [View(WIDTH, _HEIGHT, anchors, marks)])
    drawn = [
        _label(group.id, anchor, text, size, shift)
        for group, anchor, text, size, shift in zip(
            named, anchors + down, texts, sizes, shifts, strict=True
        )
        if shift is not None
    ]
    return [line for line, _ in drawn if line] + [label for _, label in drawn]


def _label(
    group: int,
    anchor: FloatArray,
    text: Sequence[str],
    size: tuple[float, float],
    shift: tuple[float, float],
) -> tuple[str, str]:
    """Write a line to the group, where one is needed, and the label."""
    x, y = float(anchor[0]) + shift[0], float(anchor[1]) + shift[1]
    width, height = size
    line = ""
    if abs(shift[1]) - height / 2 > _NEAR or abs(shift[0]) - width / 2 > _NEAR:
        line = (
            f'<line class="sc-line" x1="{plain(float(anchor[0]))}" y1="{plain(float(anchor[1]))}" '
            f'x2="{plain(x)}" y2="{plain(y)}" stroke="{LIGHT.muted}"/>'
        )
    parts = [_symbol(group, x - width / 2 + 12, y - (len(text) - 1) * _LABEL * 0.6, 4.2)]
    first = y - (len(text) - 1) * _LABEL * 0.6 + _LABEL * 0.35
    for row, words in enumerate(text):
        parts.append(
            f'<text class="sc-text sc-halo" x="{plain(x - width / 2 + 24)}" '
            f'y="{plain(first + row * _LABEL * 1.2)}" font-size="{_LABEL}" font-weight="bold" '
            f'fill="{LIGHT.text}" stroke="{LIGHT.page}" {_HALO}>{_escaped(words)}</text>'
        )
    return line, "".join(parts)


def _legend(groups: Sequence[Subtopic], top: float) -> list[str]:
    n_rows = math.ceil(len(groups) / 2)
    parts = []
    for number, group in enumerate(groups):
        column, row = divmod(number, n_rows)
        x = _MARGIN + column * (WIDTH / 2 - _MARGIN / 2)
        y = top + 14 + row * _LEGEND_ROW
        told = excerpt(f"{group.name}", 52) + f" ({group.size})"
        parts.append(_symbol(group.id, x + 8, y, 7))
        parts.append(
            f'<text class="sc-text" x="{plain(x + 26)}" y="{plain(y + 5)}" font-size="15" '
            f'fill="{LIGHT.text}">{_escaped(told)}</text>'
        )
    return parts


def _escaped(text: str) -> str:
    return escape(printable(text))


def _picture(described: str, parts: Sequence[str], height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{plain(height)}" '
        f'viewBox="0 0 {WIDTH} {plain(height)}" role="group" aria-label="{_escaped(described)}" '
        f'font-family="{FONT}">\n<title>{_escaped(described)}</title>\n'
        f'<rect class="sc-page" width="100%" height="100%" fill="{LIGHT.page}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _described(subtopics: SubtopicMap, language: str) -> str:
    groups = "; ".join(f"{group.name} ({group.size})" for group in subtopics.subtopics)
    told = Message(
        "Map of the passages on {question!r} in their groups: {groups}",
        question=subtopics.query.text,
        groups=groups,
    )
    return translated(told, language)
