"""Query by query, where one method helps and where it hurts against another."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from subclust.figures import words
from subclust.figures.bars import dress, series_style
from subclust.figures.palette import LIGHT, FigureTheme, translucent

TIE = 1e-9
"""Differences this small are rounding, not results."""

# With more bars than this each is too thin for stripes to be seen as such.
_STRIPED = 150


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
    theme : FigureTheme
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
        members = [(at, one) for at, one in enumerate(ranked, 1) if sign * one.difference > TIE]
        figure.add_trace(
            go.Bar(
                name=name,
                x=[at for at, _ in members],
                y=[one.difference for _, one in members],
                customdata=[[html.escape(one.query), one.first, one.second] for _, one in members],
                hovertemplate="<b>%{customdata[0]}</b><br>"
                f"{html.escape(first)} %{{customdata[1]:.3f}}<br>"
                f"{html.escape(second)} %{{customdata[2]:.3f}}<br>"
                f"{theme.say(words.DIFFERENCE).format(value='%{y:+.3f}')}<extra></extra>",
                marker=series_style(number, theme, striped=len(ranked) <= _STRIPED),
                width=0.8 if len(ranked) <= _STRIPED else 1.0,
            )
        )
        figure.add_annotation(
            name=name,
            text=theme.say(words.BETTER_ON).format(
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
