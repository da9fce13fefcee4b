"""A few subjects, each with one bar a method and its standard error."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from subclust.figures.bars import dress, series_style
from subclust.figures.palette import LIGHT, FigureTheme
from subclust.figures.wrapping import as_html, lines


@dataclass(frozen=True)
class SubjectScore:
    """A method on one subject: mean and standard error over the runs."""

    subject: str
    mean: float
    stderr: float


def subject_bars(
    series: Sequence[tuple[str, Sequence[SubjectScore]]],
    *,
    metric: str = "ARI",
    theme: FigureTheme = LIGHT,
) -> go.Figure:
    """Draw horizontal bars, grouped by subject.

    Source: Kashyapi and Dietz, JCDL 2022, figure 4.

    Parameters
    ----------
    series : sequence of (str, sequence of SubjectScore)
        A method's label and its scores, the same subjects in the same order for each.
    metric : str
        What is measured, for the axis.
    theme : FigureTheme

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a method, told apart by colour and stripes; the first subject is on top, and
        within each the first method.
    """
    figure = go.Figure()
    n_subjects = max((len(scores) for _, scores in series), default=0)
    for number, (label, scores) in enumerate(series):
        figure.add_trace(
            go.Bar(
                name=html.escape(label),
                orientation="h",
                x=[score.mean for score in scores],
                y=[as_html(lines(score.subject, 18)) for score in scores],
                error_x={
                    "type": "data",
                    "array": [score.stderr for score in scores],
                    "color": theme.text,
                    "thickness": 1.4,
                    "width": 4,
                },
                customdata=[[html.escape(score.subject), score.stderr] for score in scores],
                hovertemplate=f"<b>%{{customdata[0]}}</b><br>{html.escape(label)} "
                "%{x:.3f} ± %{customdata[1]:.3f}<extra></extra>",
                marker=series_style(number, theme, striped=True),
            )
        )
    dress(figure, theme, height=90 + n_subjects * (22 * len(series) + 18))
    figure.update_layout(
        barmode="group",
        bargap=0.25,
        bargroupgap=0.08,
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 13}},
    )
    figure.update_xaxes(title=metric, showgrid=True)
    figure.update_yaxes(autorange="reversed", showgrid=False, title="")
    return figure
