"""Where the passages of one grouping's groups go in the next: an alluvial diagram, as HTML."""

import html
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.figures.palette import FONT, LIGHT, FigureTheme, group_style, translucent
from subclust.figures.svg_shapes import plain

_GAP = 0.03
"""Share of the height between two blocks of a column, unless there are too many."""

_LINE = 16
"""Pixels that a name takes from top to bottom."""

_SIGN = 11
"""Pixels that a symbol takes from top to bottom."""

_HEIGHT = 420
"""Pixels of the whole figure."""

_TOP = 30
"""Pixels for the headings of the columns."""

_BLOCK = 16
"""Pixels that a block is wide."""

_STEPS = 20
"""Straight lines that a curve is made of."""


@dataclass(frozen=True)
class _Block:
    """The block of a group: from `top`, so many pixels high; each passage takes `scale`."""

    name: str
    size: int
    top: float
    height: float
    scale: float


@dataclass(frozen=True)
class _Flow:
    """Passages that go from a group to one of the next column; where its band begins and ends."""

    column: int
    source: int
    target: int
    ids: set[str]
    left: float
    right: float


def alluvial(
    maps: Sequence[SubtopicMap],
    titles: Sequence[str],
    *,
    described: str = "",
    marked: Collection[str] = (),
    theme: FigureTheme = LIGHT,
) -> str:
    """Draw a block a group, column by column, and a band a flow of passages between two blocks.

    It is as wide as the page lets it be: bands stretch, and a name that has no room is cut.

    Parameters
    ----------
    maps : sequence of SubtopicMap
        Two or more, over the same passages; groups that belong together have the same id.
    titles : sequence of str
        Of the columns.
    described : str
        What the diagram shows, for those who cannot see it.
    marked : collection of str
        Ids of passages; bands that hold none of them step back. Empty: all are alike.

    Returns
    -------
    str
        HTML without SVG, which Streamlit takes out. Each block has a ``data-group="column group"``,
        each band a ``data-flow="column source target"`` and each label a ``data-name="column
        group"``; a ``title``, shown at the pointer, has the names and the number of passages. A
        block has its group's colour, and its label the group's symbol; where names would cover
        each other, the larger group's stands.
    """
    columns = [_blocks(one, _HEIGHT - _TOP) for one in maps]
    last = len(maps) - 1
    bands = "".join(
        _band(flow, columns, not marked or not flow.ids.isdisjoint(marked), theme)
        for flow in _flows([one.groups for one in maps], columns)
    )
    blocks = "".join(
        _rectangle(place, last, group, block, titles[place], theme)
        for place, column in enumerate(columns)
        for group, block in column.items()
    )
    labels = "".join(_labels(place, last, column, theme) for place, column in enumerate(columns))
    headings = "".join(_heading(title, place, last) for place, title in enumerate(titles))
    return (
        f'<div role="img" aria-label="{html.escape(described)}" style="position:relative;'
        f"height:{_HEIGHT}px;font-family:{html.escape(FONT)};color:{theme.text};"
        f'font-size:13px">{headings}'
        f'<div style="position:absolute;left:0;right:0;top:{_TOP}px;bottom:0">'
        f"{bands}{blocks}{labels}</div></div>"
    )


def _blocks(one: SubtopicMap, n_pixels: float) -> dict[int, _Block]:
    """Place the groups of a column one below the other, the other passages last."""
    ordered = sorted(one.subtopics, key=lambda group: (group.id == OTHER_PASSAGES, group.id))
    n_passages = sum(group.size for group in ordered) or 1
    # All gaps of a column together take at most four fifths, so that forty groups fit, too.
    gap = n_pixels * min(_GAP, 0.8 / max(len(ordered) - 1, 1))
    scale = (n_pixels - gap * (len(ordered) - 1)) / n_passages
    found = {}
    above = 0.0
    for group in ordered:
        high = group.size * scale
        found[group.id] = _Block(group.name, group.size, above, high, scale)
        above += high + gap
    return found


def _flows(
    groupings: Sequence[Mapping[str, int]], columns: Sequence[Mapping[int, _Block]]
) -> list[_Flow]:
    """Collect the passages that go from a group to one of the next column.

    At both ends the bands of a block lie as the blocks do to which they go, so that few cross.
    """
    found = []
    for column, (first, second) in enumerate(zip(groupings, groupings[1:], strict=False)):
        shared: dict[tuple[int, int], set[str]] = {}
        for passage_id in first.keys() & second.keys():
            shared.setdefault((first[passage_id], second[passage_id]), set()).add(passage_id)
        left = {group: block.top for group, block in columns[column].items()}
        right = {group: block.top for group, block in columns[column + 1].items()}
        for source, source_block in columns[column].items():
            for target, target_block in columns[column + 1].items():
                ids = shared.get((source, target))
                if not ids:
                    continue
                flow = _Flow(column, source, target, ids, left[source], right[target])
                found.append(flow)
                left[source] += len(ids) * source_block.scale
                right[target] += len(ids) * target_block.scale
    return found


def _band(
    flow: _Flow, columns: Sequence[Mapping[int, _Block]], stands_out: bool, theme: FigureTheme
) -> str:
    source, target = columns[flow.column][flow.source], columns[flow.column + 1][flow.target]
    n_passages = len(flow.ids)
    top = min(flow.left, flow.right)
    high = flow.left + n_passages * source.scale, flow.right + n_passages * target.scale
    above = [(x, y - top) for x, y in _curve(flow.left, flow.right)]
    below = [(x, y - top) for x, y in _curve(*high)]
    outline = ",".join(f"{plain(x)}% {plain(y)}px" for x, y in (*above, *reversed(below)))
    colour = translucent(group_style(flow.source, theme).colour, 0.5 if stands_out else 0.1)
    title = f"{_sign(flow.source)} {source.name} → {_sign(flow.target)} {target.name}\n{n_passages}"
    share = 100 / (len(columns) - 1)
    return (
        f'<div data-flow="{flow.column} {flow.source} {flow.target}" title="{html.escape(title)}" '
        f'style="position:absolute;left:{plain(share * flow.column)}%;width:{plain(share)}%;'
        f"top:{plain(top)}px;height:{plain(max(high) - top)}px;background:{colour};"
        f'clip-path:polygon({outline})"></div>'
    )


def _curve(left: float, right: float) -> list[tuple[float, float]]:
    """Go from one height to another, level at both ends; across in per cent."""
    places = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        rise = t * t * (3 - 2 * t)
        # A cubic curve whose two handles lie half way across.
        places.append((100 * (1.5 * t * (1 - t) + t**3), left + (right - left) * rise))
    return places


def _rectangle(
    column: int, last: int, group: int, block: _Block, title: str, theme: FigureTheme
) -> str:
    told = html.escape(f"{title}: {block.name}\n{block.size}")
    share = column / last
    return (
        f'<div data-group="{column} {group}" title="{told}" style="position:absolute;'
        f"left:calc({plain(100 * share)}% - {plain(_BLOCK * share)}px);width:{_BLOCK}px;"
        f"top:{plain(block.top)}px;height:{plain(max(block.height, 1))}px;"
        f'background:{group_style(group, theme).colour}"></div>'
    )


def _labels(column: int, last: int, blocks: Mapping[int, _Block], theme: FigureTheme) -> str:
    """Write each group's symbol and name beside its block, where there is room for them."""
    middles = [block.top + block.height / 2 for block in blocks.values()]
    sizes = [block.size for block in blocks.values()]
    named = _apart(middles, sizes, [], _LINE)
    signed = _apart(middles, sizes, named, _SIGN)
    # The names of the last column stand before their blocks, and share the room of the bands.
    halved = 2 if column >= last - 1 else 1
    side = "right" if column == last else "left"
    share = 0 if column == last else 100 * column / last
    from_edge = _BLOCK * (1 - share / 100) + 6
    written = []
    for place, (group, block) in enumerate(blocks.items()):
        if place not in named and place not in signed:
            continue
        text = f"{_sign(group)} {block.name}" if place in named else _sign(group)
        written.append(
            f'<span data-name="{column} {group}" style="position:absolute;pointer-events:none;'
            f"{side}:calc({plain(share)}% + {plain(from_edge)}px);"
            f"top:{plain(middles[place] - _LINE / 2)}px;line-height:{_LINE}px;"
            f"max-width:calc({plain(100 / last / halved)}% - {_BLOCK + 12}px);overflow:hidden;"
            f"text-overflow:ellipsis;white-space:nowrap;"
            f'text-shadow:{_halo(theme)}">{html.escape(text)}</span>'
        )
    return "".join(written)


def _apart(
    middles: Sequence[float], sizes: Sequence[int], taken: Sequence[int], line: float
) -> list[int]:
    """Choose the blocks that can have a line of their own; the larger go first."""
    chosen: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place], place)):
        if place in taken:
            continue
        if all(abs(middles[place] - middles[other]) >= line for other in (*taken, *chosen)):
            chosen.append(place)
    return chosen


def _heading(title: str, column: int, last: int) -> str:
    share = column / last
    return (
        f'<b style="position:absolute;top:0;font-size:14px;left:{plain(100 * share)}%;'
        f'transform:translateX({plain(-100 * share)}%)">{html.escape(title)}</b>'
    )


def _halo(theme: FigureTheme) -> str:
    return ",".join(f"{x}px {y}px 3px {theme.page}" for x in (-1, 1) for y in (-1, 1))


def _sign(group: int) -> str:
    return group_style(group).glyph
