"""Bar charts and lines of scores: by query, by number of groups."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from subclust.core.messages import N_
from subclust.core.records import StabilityCurve
from subclust.figures.palette import COLOURS, LIGHT, FigureTheme, blend, group_style, translucent

_BETTER_ON = N_("{method} better on {count}")
_STRIPES = ("", "/", "x", "-", "\\", "+", ".")
_TIE = 1e-9
"""Differences this small are rounding, not results."""
# With more bars than this each is too thin for stripes to be seen as such.
_STRIPED = 150


def _series_style(number: int, theme: FigureTheme, *, striped: bool) -> dict[str, object]:
    """Return the fill of a series: a colour, and for all but the first one stripes.

    Parameters
    ----------
    number : int
        Of the series, from 0.
    striped : bool
        Whether bars are wide enough for stripes.
    """
    style = group_style(number, theme)
    stripes = _STRIPES[number % len(_STRIPES)] if striped else ""
    return {
        "color": style.colour,
        "line": {"width": 1 if striped else 0, "color": style.outline},
        "pattern": {
            "shape": stripes,
            # Over the fill, not instead of it.
            "fillmode": "overlay",
            "fgcolor": theme.page,
            "fgopacity": 0.8,
            "size": 6,
            "solidity": 0.25,
        },
    }


def dress(figure: go.Figure, theme: FigureTheme, height: int) -> None:
    """Put the page's colours on a bar chart; its background stays transparent."""
    axis = {
        "color": theme.muted,
        "gridcolor": blend(theme.muted, theme.page, 0.75),
        "zeroline": True,
        "zerolinecolor": theme.text,
        "zerolinewidth": 1,
        "linecolor": theme.muted,
        "automargin": True,
        "fixedrange": True,
        "tickfont": {"color": theme.text, "size": 13},
        "title_font": {"color": theme.muted, "size": 13},
    }
    figure.update_layout(
        height=height,
        margin={"l": 0, "r": 4, "t": 8, "b": 0},
        **theme.layout(),
        dragmode=False,
        xaxis=axis,
        yaxis=axis,
    )


def stability_line(
    curve: StabilityCurve, *, shown: int | None = None, theme: FigureTheme = LIGHT
) -> go.Figure:
    """Draw a stability curve, with the number that it suggests and the one that is shown.

    Parameters
    ----------
    shown : int, optional
        Number of groups on the page; ringed.

    Returns
    -------
    plotly.graph_objects.Figure
        ``customdata`` of a point is its number of groups.
    """
    suggested = [number == curve.suggested for number in curve.n_clusters]
    figure = go.Figure(
        go.Scatter(
            x=list(curve.n_clusters),
            y=list(curve.stability),
            customdata=list(curve.n_clusters),
            mode="lines+markers",
            hovertemplate="%{x}: %{y:.2f}<extra></extra>",
            line={"width": 2, "color": COLOURS[0]},
            marker={
                "size": [14 if one else 7 for one in suggested],
                "symbol": ["star" if one else "circle" for one in suggested],
                "color": [COLOURS[1] if one else COLOURS[0] for one in suggested],
                "line": {
                    "width": [2 if number == shown else 0 for number in curve.n_clusters],
                    "color": theme.text,
                },
            },
        )
    )
    dress(figure, theme, 220)
    figure.update_layout(margin={"l": 36, "r": 8, "t": 8, "b": 32}, showlegend=False)
    figure.update_xaxes(dtick=2, showgrid=False)
    figure.update_yaxes(range=[min(0.0, *curve.stability, 0.0), 1.02], tickformat=".1f")
    return figure


@dataclass(frozen=True)
class QueryScores:
    """One query under two methods; higher scores are better."""

    query: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.first - self.second


def sorted_by_difference(scores: Sequence[QueryScores]) -> list[QueryScores]:
    """Order queries from the greatest help to the greatest hurt, equal ones by their text."""
    return sorted(scores, key=lambda one: (-one.difference, one.query))


def helps_hurts_bars(
    scores: Sequence[QueryScores],
    first: str,
    second: str,
    *,
    theme: FigureTheme = LIGHT,
    height: int = 380,
) -> go.Figure:
    """Draw one bar a query, sorted: up where the first method is better, down where the second is.

    Source: Kashyapi and Dietz, JCDL 2022, figure 3.

    Parameters
    ----------
    scores : sequence of QueryScores
        In any order.
    first, second : str
        Labels of the methods.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        Two traces, "helps" and "hurts" (equal ones stand with neither side, as gaps on the line).
        Helps and hurts differ by direction, colour and stripes. ``customdata`` of a bar is
        (query, first score, second score).
    """
    ranked = sorted_by_difference(scores)
    figure = go.Figure()
    sides = (
        ("helps", f"↑ {first}", 1),
        ("hurts", f"↓ {second}", -1),
    )
    for number, (name, better, sign) in enumerate(sides):
        members = [(at, one) for at, one in enumerate(ranked, 1) if sign * one.difference > _TIE]
        figure.add_trace(
            go.Bar(
                name=name,
                x=[at for at, _ in members],
                y=[one.difference for _, one in members],
                customdata=[[html.escape(one.query), one.first, one.second] for _, one in members],
                hovertemplate="<b>%{customdata[0]}</b><br>"
                f"{html.escape(first)} %{{customdata[1]:.3f}}<br>"
                f"{html.escape(second)} %{{customdata[2]:.3f}}<br>"
                f"{theme.say(N_('difference {value}')).format(value='%{y:+.3f}')}<extra></extra>",
                marker=_series_style(number, theme, striped=len(ranked) <= _STRIPED),
                width=0.8 if len(ranked) <= _STRIPED else 1.0,
            )
        )
        figure.add_annotation(
            name=name,
            text=theme.say(_BETTER_ON).format(
                method=html.escape(better), count=theme.number(len(members))
            ),
            showarrow=False,
            xref="paper",
            yref="paper",
            x=1.0 if name == "helps" else 0.0,
            y=1.0 if name == "helps" else 0.0,
            xanchor="right" if name == "helps" else "left",
            yanchor="top" if name == "helps" else "bottom",
            xshift=0 if name == "helps" else 8,
            bgcolor=translucent(theme.page, 0.8),
            font={"color": theme.text, "size": 14},
        )
    dress(figure, theme, height)
    figure.update_layout(bargap=0.0)
    figure.update_xaxes(
        range=[0.3, len(ranked) + 0.7], showticklabels=False, showgrid=False, showline=False
    )
    figure.update_yaxes(tickformat="+.2~f", showline=False)
    return figure
