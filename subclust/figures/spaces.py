"""The passages of a query in the spaces of several methods, side by side."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from subclust.figures import words
from subclust.figures.bars import dress, frame_panels
from subclust.figures.palette import LIGHT, FigureTheme, GroupStyle, blend, group_style
from subclust.figures.wrapping import as_html, lines

# In three dimensions plotly has fewer symbols, and draws its "x" as a letter, which needs a font.
_IN_3D = {
    "triangle-up": ("diamond-open", "◇"),
    "star": ("circle-open", "○"),
    "triangle-down": ("square-open", "□"),
    "x": ("diamond", "◆"),
}


@dataclass(frozen=True)
class MethodSpace:
    """The passages of a query as one method sees them.

    Parameters
    ----------
    label : str
        Of the method.
    ari : float
        Of its groups, -1 to 1.
    coordinates : tuple of (float, float, float)
        Of each passage, along the three principal components.
    explained : tuple of float
        Share of the variance along each, 0 to 1.
    groups : tuple of int
        Into which the method divides the passages.
    """

    label: str
    ari: float
    coordinates: tuple[tuple[float, float, float], ...]
    explained: tuple[float, ...]
    groups: tuple[int, ...]


@dataclass(frozen=True)
class QuerySpaces:
    """A query in the spaces of several methods.

    Parameters
    ----------
    query : str
    subtopics : tuple of str
        Names of the gold subtopics.
    gold : tuple of int
        Of each passage, a place in `subtopics`.
    methods : tuple of MethodSpace
    """

    query: str
    subtopics: tuple[str, ...]
    gold: tuple[int, ...]
    methods: tuple[MethodSpace, ...]


def symbol_in_3d(style: GroupStyle) -> tuple[str, str]:
    """Give plotly's name of a group's symbol in three dimensions, and its character."""
    return _IN_3D.get(style.symbol, (style.symbol, style.glyph))


def spaces_in_2d(queries: Sequence[QuerySpaces], *, theme: FigureTheme = LIGHT) -> go.Figure:
    """Draw a panel for each query and method: one row a query, one column a method.

    Source: Kashyapi and Dietz, RepL4NLP 2021, figure 4.

    Parameters
    ----------
    queries : sequence of QuerySpaces
        With a single one, its name is left to the page around the figure.
    theme : FigureTheme

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a gold subtopic in each panel, told apart by colour and symbol; the first two
        components, both on one scale. ``customdata`` of a mark is (subtopic, group).
    """
    n_columns = max((len(one.methods) for one in queries), default=0)
    if not n_columns:
        return go.Figure()
    alone = len(queries) == 1
    panel, gap = (360, 50) if alone else (230, 88)
    height = len(queries) * (panel + gap)
    figure = make_subplots(
        rows=len(queries),
        cols=n_columns,
        subplot_titles=[_title(one, at, theme) for one in queries for at in range(n_columns)],
        horizontal_spacing=0.02,
        vertical_spacing=gap / (height - gap) if not alone else 0,
    )
    for row, one in enumerate(queries, start=1):
        for column, space in enumerate(one.methods, start=1):
            for trace in _traces(one, space, theme, size=11 if alone else 8):
                figure.add_trace(trace, row=row, col=column)
    dress(figure, theme, height)
    _square(figure, theme)
    figure.update_layout(margin={"l": 1, "r": 1, "t": gap, "b": 4})
    figure.update_annotations(font={"size": 14, "color": theme.text}, yshift=4)
    if not alone:
        _name_rows(figure, queries, theme)
    return figure


def spaces_in_3d(one: QuerySpaces, *, theme: FigureTheme = LIGHT, height: int = 460) -> go.Figure:
    """Draw one query in three components, the methods side by side; each can be turned.

    Parameters
    ----------
    one : QuerySpaces
    theme : FigureTheme
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        As of `spaces_in_2d`; the symbols are those of `symbol_in_3d`.
    """
    n_columns = len(one.methods)
    figure = make_subplots(
        rows=1,
        cols=n_columns,
        specs=[[{"type": "scene"}] * n_columns],
        subplot_titles=[_title(one, at, theme) for at in range(n_columns)],
        horizontal_spacing=0.01,
    )
    for column, space in enumerate(one.methods, start=1):
        for trace in _traces(one, space, theme, size=None):
            figure.add_trace(trace, row=1, col=column)
    dress(figure, theme, height)
    plain = {
        "showticklabels": False,
        "title": "",
        "showspikes": False,
        "backgroundcolor": "rgba(0,0,0,0)",
        "gridcolor": blend(theme.muted, theme.page, 0.7),
        "zerolinecolor": blend(theme.muted, theme.page, 0.4),
    }
    figure.update_scenes(
        xaxis=plain,
        yaxis=plain,
        zaxis=plain,
        aspectmode="data",
        camera={"eye": {"x": 1.25, "y": 1.25, "z": 0.85}},
        dragmode="orbit",
    )
    figure.update_layout(margin={"l": 0, "r": 0, "t": 50, "b": 4}, dragmode="orbit")
    figure.update_annotations(font={"size": 14, "color": theme.text})
    return figure


def _name_rows(figure: go.Figure, queries: Sequence[QuerySpaces], theme: FigureTheme) -> None:
    """Write each query above its row."""
    tops = sorted({axis.domain[1] for axis in figure.select_yaxes()}, reverse=True)
    for one, top in zip(queries, tops, strict=True):
        figure.add_annotation(
            text=f"<b>{html.escape(one.query)}</b>  "
            + theme.say(words.SPACES_ROW).format(
                passages=len(one.gold), subtopics=len(one.subtopics)
            ),
            x=0,
            y=top,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            yshift=46,
            showarrow=False,
            font={"size": 15, "color": theme.text},
        )


def _title(one: QuerySpaces, at: int, theme: FigureTheme) -> str:
    if at >= len(one.methods):
        return ""
    space = one.methods[at]
    return f"{as_html(lines(space.label, 22))}<br>ARI {theme.number(space.ari, 2)}"


def _traces(
    one: QuerySpaces, space: MethodSpace, theme: FigureTheme, *, size: int | None
) -> list[go.Scattergl | go.Scatter3d]:
    """Draw each gold subtopic: flat with marks of a size, in three dimensions without one."""
    traces = []
    for subtopic, name in enumerate(one.subtopics):
        style = group_style(subtopic, theme)
        members = [at for at, label in enumerate(one.gold) if label == subtopic]
        points = [space.coordinates[at] for at in members]
        shared = {
            "name": html.escape(name),
            "mode": "markers",
            "x": [point[0] for point in points],
            "y": [point[1] for point in points],
            "customdata": [[html.escape(name), space.groups[at] + 1] for at in members],
            "hovertemplate": "<b>%{customdata[0]}</b><br>"
            + theme.say(words.PUTS_INTO).format(
                method=html.escape(space.label), group="%{customdata[1]}"
            )
            + "<extra></extra>",
        }
        line = {"width": 1, "color": style.outline}
        if size is not None:
            marker = {"symbol": style.symbol, "size": size, "color": style.colour, "line": line}
            traces.append(go.Scattergl(**shared, marker=marker))
        else:
            symbol, _ = symbol_in_3d(style)
            marker = {"symbol": symbol, "size": 6, "color": style.colour, "line": line}
            traces.append(go.Scatter3d(**shared, z=[point[2] for point in points], marker=marker))
    return traces


def _square(figure: go.Figure, theme: FigureTheme) -> None:
    """Frame each panel, without ticks, and give both components one scale."""
    frame_panels(figure, theme)
    for number, axis in enumerate(figure.select_yaxes(), start=1):
        axis.scaleanchor = "x" if number == 1 else f"x{number}"
