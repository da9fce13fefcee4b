"""How stable each number of groups is, as a line."""

import plotly.graph_objects as go

from subclust.core.records import StabilityCurve
from subclust.figures.bars import dress
from subclust.figures.palette import COLOURS, LIGHT, FigureTheme


def stability_line(
    curve: StabilityCurve, *, shown: int | None = None, theme: FigureTheme = LIGHT
) -> go.Figure:
    """Draw a stability curve, with the number that it suggests and the one that is shown.

    Parameters
    ----------
    curve : StabilityCurve
    shown : int, optional
        Number of groups on the page; ringed.
    theme : FigureTheme

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
