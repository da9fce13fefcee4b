"""Where the passages of one grouping's groups go in the next: an alluvial diagram."""

import html
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from subclust.figures.palette import LIGHT, FigureTheme, group_style, translucent
from subclust.figures.scatter import FONT
from subclust.figures.wrapping import excerpt
from subclust.records import OTHER_PASSAGES, SubtopicMap

_NAME = 34
"""Characters of a group's name beside its block."""

_GAP = 0.03
"""Share of the height between two blocks of a column, unless there are too many."""

_LINE = 16
"""Pixels that a name takes from top to bottom."""

_MARGINS = {"l": 4, "r": 4, "t": 34, "b": 8}

_EDGE = 1e-3
"""Plotly takes no place of exactly 0 or 1."""


def alluvial(
    maps: Sequence[SubtopicMap],
    titles: Sequence[str],
    *,
    marked: Sequence[str] = (),
    theme: FigureTheme = LIGHT,
    height: int = 420,
) -> go.Figure:
    """Draw a block a group, column by column, and a band a flow of passages between two blocks.

    Parameters
    ----------
    maps : sequence of SubtopicMap
        Over the same passages; groups that belong together have the same id.
    titles : sequence of str
        Of the columns.
    marked : sequence of str
        Ids of passages; bands that hold none of them step back. Empty: all are alike.
    theme : FigureTheme
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        One Sankey trace. ``node.customdata`` is (column, group id, passages), ``link.customdata``
        is (column, source group id, target group id, passages, the two names). A block has its
        group's colour, and its label the group's symbol; where names would cover each other, those
        of the smaller blocks are told at the pointer alone.
    """
    groupings = [_groups(one) for one in maps]
    nodes: dict[tuple[int, int], int] = {}
    labels, hovers, colours, x, y, told = [], [], [], [], [], []
    names: dict[tuple[int, int], str] = {}
    n_pixels = height - _MARGINS["t"] - _MARGINS["b"]
    for column, one in enumerate(maps):
        ordered = sorted(one.subtopics, key=lambda group: (group.id == OTHER_PASSAGES, group.id))
        n_passages = sum(group.size for group in ordered) or 1
        # All gaps of a column together take at most four fifths, so that forty groups fit, too.
        gap = min(_GAP, 0.8 / max(len(ordered) - 1, 1))
        scale = (1 - gap * (len(ordered) - 1)) / n_passages
        above = 0.0
        middles = []
        for group in ordered:
            middles.append(above + group.size * scale / 2)
            above += group.size * scale + gap
        legible = _legible(middles, [group.size for group in ordered], _LINE / n_pixels)
        for group, middle, is_legible in zip(ordered, middles, legible, strict=True):
            style = group_style(group.id, theme)
            nodes[column, group.id] = len(nodes)
            name = html.escape(excerpt(group.name, _NAME), quote=False)
            names[column, group.id] = f"{style.glyph} {name}"
            labels.append(names[column, group.id] if is_legible else style.glyph)
            hovers.append(f"{html.escape(titles[column])}: {html.escape(group.name)}")
            colours.append(style.colour)
            told.append([column, group.id, group.size])
            x.append(_inside(column / max(len(maps) - 1, 1)))
            y.append(_inside(middle))
    flows = _flows(groupings)
    kept = set(marked)
    figure = go.Figure(
        go.Sankey(
            arrangement="fixed",
            node={
                "label": labels,
                "x": x,
                "y": y,
                "color": colours,
                "customdata": [[*one, hover] for one, hover in zip(told, hovers, strict=True)],
                "thickness": 16,
                "pad": 8,
                "line": {"width": 1, "color": theme.page},
                "hovertemplate": "%{customdata[3]}<br>%{customdata[2]}<extra></extra>",
            },
            link={
                "source": [nodes[column, source] for column, source, _ in flows],
                "target": [nodes[column + 1, target] for column, _, target in flows],
                "value": [len(ids) for ids in flows.values()],
                "color": [
                    translucent(
                        group_style(source, theme).colour, 0.5 if not kept or kept & ids else 0.1
                    )
                    for (_, source, _), ids in flows.items()
                ],
                "customdata": [
                    [*flow, len(ids), names[flow[0], flow[1]], names[flow[0] + 1, flow[2]]]
                    for flow, ids in flows.items()
                ],
                "hovertemplate": "%{customdata[4]} → %{customdata[5]}<br>%{customdata[3]}"
                "<extra></extra>",
            },
        )
    )
    figure.update_layout(
        height=height,
        margin=_MARGINS,
        paper_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "color": theme.text, "size": 13},
        annotations=[
            _heading(title, column, len(titles), theme) for column, title in enumerate(titles)
        ],
        hoverlabel={
            "bgcolor": theme.page,
            "bordercolor": theme.muted,
            "align": "left",
            "font": {"family": FONT, "color": theme.text, "size": 13},
        },
    )
    return figure


def _legible(middles: Sequence[float], sizes: Sequence[int], line: float) -> list[bool]:
    """Choose the blocks whose names have a line of their own; the larger go first."""
    chosen: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place], place)):
        if all(abs(middles[place] - middles[other]) >= line for other in chosen):
            chosen.append(place)
    return [place in chosen for place in range(len(sizes))]


def _groups(one: SubtopicMap) -> dict[str, int]:
    return {member.passage.id: group.id for group in one.subtopics for member in group.passages}


def _flows(groupings: Sequence[Mapping[str, int]]) -> dict[tuple[int, int, int], set[str]]:
    """Collect the passages of each (column, group there, group in the next column)."""
    found: dict[tuple[int, int, int], set[str]] = {}
    for column, (first, second) in enumerate(zip(groupings, groupings[1:], strict=False)):
        for passage_id in first.keys() & second.keys():
            flow = (column, first[passage_id], second[passage_id])
            found.setdefault(flow, set()).add(passage_id)
    return dict(sorted(found.items()))


def _heading(title: str, column: int, n_columns: int, theme: FigureTheme) -> dict[str, object]:
    last = column == n_columns - 1
    return {
        "text": f"<b>{html.escape(title, quote=False)}</b>",
        "x": column / max(n_columns - 1, 1),
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "yshift": 28,
        "xanchor": "left" if column == 0 else "right" if last else "center",
        "yanchor": "top",
        "showarrow": False,
        "font": {"color": theme.text, "size": 14},
    }


def _inside(place: float) -> float:
    return min(max(place, _EDGE), 1 - _EDGE)
