"""Before and after: how a trained model groups held-out queries beside what it is to replace."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from subclust.benchmarks.judgement_record import Judgement, Role
from subclust.figures import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.ui.theme import figure_theme
from subclust.ui.train_settings import in_words
from subclust.ui.words import counted

_CONFIG = {"displayModeBar": False}

VERDICTS: Mapping[str, tuple[str, str]] = {
    "better": ("▲", "It groups better"),
    "unclear": ("◆", "It cannot be told yet"),
    "worse": ("▼", "It groups worse"),
}
"""Of each verdict: its mark, and its words."""

ROLES: Mapping[str, str] = {
    "new": "after: {name}",
    "base": "before: {name}",
    "default": "in use now: {name}",
    "baseline": "centred cosine, which learns nothing",
}

MEASURE_WORDS: Mapping[str, str] = {
    "ari": "ARI, true number of groups",
    "ami": "AMI, true number of groups",
    "auto_ari": "ARI, automatic number",
    "auto_ami": "AMI, automatic number",
}

_NAMED = 3


def draw_judgement(judgement: Judgement, job: str) -> None:
    """Draw the verdict, the scores of all, and helps and hurts by query.

    Parameters
    ----------
    judgement : Judgement
    job : str
        Id of the job, for the names of the widgets.
    """
    mark, words = verdict_words(judgement)
    st.html(
        f"<p class='sc-verdict sc-judged-{judgement.verdict}'><span aria-hidden='true'>{mark}"
        f"</span> {words}</p><p class='sc-said'>{html.escape(judgement.sentence)}</p>"
    )
    if sentence := automatic_words(judgement):
        st.html(f"<p class='sc-said'>{html.escape(sentence)}</p>")
    if judgement.notes:
        items = "".join(f"<li>{html.escape(in_words(note))}</li>" for note in judgement.notes)
        st.html(f"<ul class='sc-notes'>{items}</ul>")
    st.html(scores_table(judgement))
    st.html(
        "<p class='sc-note'>ARI and AMI say how well groups agree with the labels: 1 is perfect "
        "agreement, 0 what chance would give.</p>"
    )
    _draw_queries(judgement, job)


def verdict_words(judgement: Judgement) -> tuple[str, str]:
    """Give the mark and the words of a verdict; equal groups are said to be equal."""
    row = judgement.comparison()
    if row is not None and judgement.n_queries and not row.helps + row.hurts:
        return "◆", "It groups as before"
    return VERDICTS[judgement.verdict]


def automatic_words(judgement: Judgement) -> str | None:
    """Say where the verdict is another one if the method chooses the number of groups itself.

    In Explore it does, unless somebody asks for a number.
    """
    row = judgement.comparison("base", "auto_ari")
    if row is None or row.verdict in ("unclear", judgement.verdict):
        return None
    return (
        f"Where it chooses the number of groups itself, as Explore does, it groups {row.verdict} "
        f"than before: the adjusted Rand index changes by {_signed(row.mean_difference)}."
    )


def scores_table(judgement: Judgement) -> str:
    """Write the mean scores of each method as a table, the new model first."""
    measures = [name for name in MEASURE_WORDS if any(name in m.means for m in judgement.methods)]
    head = "".join(f"<th scope='col'>{MEASURE_WORDS[name]}</th>" for name in measures)
    rows = []
    for method in judgement.methods:
        cells = "".join(f"<td>{_number(method.means.get(name))}</td>" for name in measures)
        label = html.escape(role_label(judgement, method.role))
        rows.append(f"<tr><th scope='row'>{label}</th>{cells}</tr>")
    return (
        "<div class='sc-scroll' tabindex='0' role='region' aria-label='Scores on held-out queries'>"
        "<table class='sc-scores'><caption>Mean over "
        f"{counted(judgement.n_queries, 'held-out query')}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def role_label(judgement: Judgement, role: Role) -> str:
    """Name a method for people: "After: qs3m/mine", "Before: qs3m/wikipedia-title"."""
    method = judgement.method(role)
    text = ROLES[role].format(name=method.name if method else "")
    return text[:1].upper() + text[1:]


def compared_scores(judgement: Judgement, against: Role, measure: str) -> list[QueryScores]:
    """Pair the scores of the new model and another query by query, where both have one."""
    rows = []
    for query in judgement.queries:
        new = query.scores["new"].get(measure)
        other = query.scores.get(against, {}).get(measure)
        if new is not None and other is not None:
            rows.append(QueryScores(query.query, new, other))
    return rows


def named_changes(scores: list[QueryScores]) -> tuple[list[str], list[str]]:
    """Name the queries that were helped most and hurt most, up to three of each, with by how much.

    Returns
    -------
    tuple of two lists of str
        Such as ``"history of tea (+0.31)"``.
    """
    ranked = sorted_by_difference(scores)
    helped = [one for one in ranked if one.difference > 0][:_NAMED]
    hurt = [one for one in reversed(ranked) if one.difference < 0][:_NAMED]
    return [_change(one) for one in helped], [_change(one) for one in hurt]


@st.fragment  # Another comparison draws this part again, and not the page.
def _draw_queries(judgement: Judgement, job: str) -> None:
    st.html("<h4 class='sc-part'>Query by query</h4>")
    others = [method.role for method in judgement.methods if method.role != "new"]
    measures = [name for name in MEASURE_WORDS if compared_scores(judgement, others[0], name)]
    with st.container(horizontal=True):
        against = st.selectbox(
            "Compared with",
            others,
            format_func=lambda role: role_label(judgement, role),
            key=f"judge-against-{job}",
            width=320,
        )
        measure = st.selectbox(
            "Measure",
            measures,
            format_func=MEASURE_WORDS.__getitem__,
            key=f"judge-measure-{job}",
            width=260,
        )
    scores = compared_scores(judgement, against, measure)
    row = judgement.comparison(against, measure)
    if row is not None:
        st.html(f"<p class='sc-said'>{html.escape(interval_in_words(row))}</p>")
    helped, hurt = named_changes(scores)
    for title, names in (("Helped most", helped), ("Hurt most", hurt)):
        if names:
            st.html(f"<p class='sc-note'><b>{title}:</b> {html.escape('; '.join(names))}</p>")
    if any(one.difference for one in scores):  # of equal ones there is no bar to see
        _draw_bars(scores, role_label(judgement, against).split(":")[0].lower(), job)
    with st.expander("Every query in a table", key=f"judge-queries-{job}"):
        st.dataframe(
            pd.DataFrame(query_rows(scores)),
            hide_index=True,
            key=f"judge-table-{job}",
            alt="Every held-out query with its scores before and after",
            column_config={
                name: st.column_config.NumberColumn(format="%.3f")
                for name in ("After", "Before", "Difference")
            },
        )


def _draw_bars(scores: Sequence[QueryScores], second: str, job: str) -> None:
    bars = helps_hurts_bars(scores, "after", second, theme=figure_theme(), height=260)
    st.plotly_chart(
        with_air(bars, scores),
        theme=None,
        config=_CONFIG,
        key=f"judge-bars-{job}",
        alt=f"One bar a query: helps {len([1 for s in scores if s.difference > 0])}, hurts "
        f"{len([1 for s in scores if s.difference < 0])}. The table below names each query.",
    )


def with_air(figure: go.Figure, scores: Sequence[QueryScores]) -> go.Figure:
    """Leave room above and below the bars, so that the words there cover none of them."""
    differences = [0.0, *(one.difference for one in scores)]
    low, high = min(differences), max(differences)
    air = max(0.25 * (high - low), 0.02)
    return figure.update_yaxes(range=[low - air, high + air])


def query_rows(scores: list[QueryScores]) -> list[dict[str, Any]]:
    """List the queries for a table, from the most helped to the most hurt."""
    return [
        {
            "Query": one.query,
            "After": one.first,
            "Before": one.second,
            "Difference": one.difference,
        }
        for one in sorted_by_difference(scores)
    ]


def interval_in_words(row: Any) -> str:
    """Say a comparison with its interval in plain words.

    Parameters
    ----------
    row : Comparison
    """
    counts = f"It helps {row.helps} and hurts {row.hurts} of " + counted(
        row.helps + row.ties + row.hurts, "query"
    )
    if not row.helps + row.hurts:
        return f"All {counted(row.ties, 'query')} are grouped as well as before."
    if row.low is None or row.high is None:
        return f"{counts}; with so few queries nothing can be said of others."
    level = f"{row.level:.0%}"
    return (
        f"{counts}. On average the score changes by {_signed(row.mean_difference)}; on other "
        f"queries like these it would, with {level} confidence, change by between "
        f"{_signed(row.low)} and {_signed(row.high)}."
    )


def _change(one: QueryScores) -> str:
    return f"{one.query} ({_signed(one.difference)})"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.3f}".replace("-", "−")
