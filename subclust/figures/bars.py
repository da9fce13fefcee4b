"""What bar charts share: the look of a series, axes and background."""

import plotly.graph_objects as go

from subclust.figures.palette import FigureTheme, blend, group_style
from subclust.figures.scatter import FONT

_STRIPES = ("", "/", "x", "-", "\\", "+", ".")


def series_style(number: int, theme: FigureTheme, *, striped: bool) -> dict[str, object]:
    """Return the fill of a series: a colour, and for all but the first one stripes.

    Parameters
    ----------
    number : int
        Of the series, from 0.
    theme : FigureTheme
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


def frame_panels(figure: go.Figure, theme: FigureTheme) -> None:
    """Draw a frame around each panel in place of axes, as maps have it."""
    frame = {
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "mirror": True,
        "linecolor": blend(theme.muted, theme.page, 0.5),
        "title": "",
        "fixedrange": True,
    }
    figure.update_xaxes(**frame)
    figure.update_yaxes(**frame)


def name_above(figure: go.Figure, text: str, theme: FigureTheme) -> None:
    """Write what the upright axis shows above its upper end, where it is read first."""
    figure.add_annotation(
        text=text,
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=4,
        showarrow=False,
        font={"color": theme.muted, "size": 13},
    )


def dress(figure: go.Figure, theme: FigureTheme, height: int) -> None:
    """Give a bar chart the page's colours; its background stays transparent."""
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
        showlegend=False,
        separators=theme.separators,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "color": theme.text, "size": 13},
        hoverlabel={
            "bgcolor": theme.page,
            "bordercolor": theme.muted,
            "align": "left",
            "font": {"family": FONT, "color": theme.text, "size": 13},
        },
        hovermode="closest",
        dragmode=False,
        xaxis=axis,
        yaxis=axis,
    )
