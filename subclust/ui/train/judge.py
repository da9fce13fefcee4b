"""Before and after: how a trained model groups held-out queries beside what it is to replace."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from subclust.figures import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.judging.record import Judgement, Role
from subclust.judging.verdict import say_verdict, share
from subclust.ui.components.theme import figure_theme
from subclust.ui.i18n.language import N_, _, _n, number, said
from subclust.ui.train.settings import in_words

_CONFIG = {"displayModeBar": False}

VERDICTS: Mapping[str, tuple[str, str]] = {
    "better": ("▲", N_("It groups better")),
    "unclear": ("◆", N_("It cannot be told yet")),
    "worse": ("▼", N_("It groups worse")),
}
"""Of each verdict: its mark, and its words."""

ROLES: Mapping[str, str] = {
    "new": N_("after: {name}"),
    "base": N_("before: {name}"),
    "default": N_("in use now: {name}"),
    "baseline": N_("centred cosine, which learns nothing"),
}

MEASURE_WORDS: Mapping[str, str] = {
    "ari": N_("ARI, true number of groups"),
    "ami": N_("AMI, true number of groups"),
    "auto_ari": N_("ARI, automatic number"),
    "auto_ami": N_("AMI, automatic number"),
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
        f"</span> {words}</p><p class='sc-said'>{html.escape(verdict_sentence(judgement))}</p>"
    )
    if sentence := automatic_words(judgement):
        st.html(f"<p class='sc-said'>{html.escape(sentence)}</p>")
    if judgement.notes:
        notes = [in_words(said(note)) for note in judgement.notes]
        items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
        st.html(f"<ul class='sc-notes'>{items}</ul>")
    st.html(scores_table(judgement))
    told = _(
        "ARI and AMI say how well groups agree with the labels: 1 is perfect agreement, 0 what "
        "chance would give."
    )
    st.html(f"<p class='sc-note'>{told}</p>")
    _draw_queries(judgement, job)


def verdict_sentence(judgement: Judgement) -> str:
    """Return the verdict with its figures in the visitor's language."""
    row = judgement.comparison()
    if row is None:
        return said(judgement.sentence)
    return said(
        say_verdict(
            row,
            new=judgement.checkpoint,
            other=judgement.base,
            part=judgement.part,
            n_queries=judgement.n_queries,
            needed=judgement.queries_needed,
        )
    )


def verdict_words(judgement: Judgement) -> tuple[str, str]:
    """Return the mark and the words of a verdict; equal groups are said to be equal."""
    row = judgement.comparison()
    if row is not None and judgement.n_queries and not row.helps + row.hurts:
        return "◆", _("It groups as before")
    mark, words = VERDICTS[judgement.verdict]
    return mark, _(words)


def automatic_words(judgement: Judgement) -> str | None:
    """Return where the verdict is another one if the method chooses the number of groups itself.

    In Explore it does, unless somebody asks for a number.
    """
    row = judgement.comparison("base", "auto_ari")
    if row is None or row.verdict in ("unclear", judgement.verdict):
        return None
    told = (
        _(
            "Where it chooses the number of groups itself, as Explore does, it groups better than "
            "before: the adjusted Rand index changes by {change}."
        )
        if row.verdict == "better"
        else _(
            "Where it chooses the number of groups itself, as Explore does, it groups worse than "
            "before: the adjusted Rand index changes by {change}."
        )
    )
    return told.format(change=_signed(row.mean_difference))


def scores_table(judgement: Judgement) -> str:
    """Write the mean scores of each method as a table, the new model first."""
    measures = [name for name in MEASURE_WORDS if any(name in m.means for m in judgement.methods)]
    head = "".join(f"<th scope='col'>{_(MEASURE_WORDS[name])}</th>" for name in measures)
    rows = []
    for method in judgement.methods:
        cells = "".join(f"<td>{_number(method.means.get(name))}</td>" for name in measures)
        label = html.escape(role_label(judgement, method.role))
        rows.append(f"<tr><th scope='row'>{label}</th>{cells}</tr>")
    title = _n(
        "Mean over {count} held-out query",
        "Mean over {count} held-out queries",
        judgement.n_queries,
    )
    name = html.escape(_("Scores on held-out queries"), quote=True)
    return (
        f"<div class='sc-scroll' tabindex='0' role='region' aria-label='{name}'>"
        f"<table class='sc-scores'><caption>{title}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def role_label(judgement: Judgement, role: Role) -> str:
    """Name a method for people: "After: qs3m/mine", "Before: qs3m/wikipedia-title"."""
    method = judgement.method(role)
    text = _(ROLES[role]).format(name=method.name if method else "")
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
    st.html(f"<h4 class='sc-part'>{_('Query by query')}</h4>")
    others = [method.role for method in judgement.methods if method.role != "new"]
    measures = [name for name in MEASURE_WORDS if compared_scores(judgement, others[0], name)]
    with st.container(horizontal=True):
        against = st.selectbox(
            _("Compared with"),
            others,
            format_func=lambda role: role_label(judgement, role),
            key=f"judge-against-{job}",
            width=320,
        )
        measure = st.selectbox(
            _("Measure"),
            measures,
            format_func=lambda name: _(MEASURE_WORDS[name]),
            key=f"judge-measure-{job}",
            width=260,
        )
    scores = compared_scores(judgement, against, measure)
    row = judgement.comparison(against, measure)
    if row is not None:
        st.html(f"<p class='sc-said'>{html.escape(interval_in_words(row))}</p>")
    helped, hurt = named_changes(scores)
    for title, names in ((_("Helped most"), helped), (_("Hurt most"), hurt)):
        if names:
            st.html(f"<p class='sc-note'><b>{title}:</b> {html.escape('; '.join(names))}</p>")
    if any(one.difference for one in scores):  # of equal ones there is no bar to see
        _draw_bars(scores, role_label(judgement, against).split(":")[0].lower(), job)
    with st.expander(_("Every query in a table"), key=f"judge-queries-{job}"):
        st.dataframe(
            pd.DataFrame(query_rows(scores)),
            hide_index=True,
            key=f"judge-table-{job}",
            alt=_("Every held-out query with its scores before and after"),
            column_config={
                name: st.column_config.NumberColumn(format="%.3f")
                for name in (_("After"), _("Before"), _("Difference"))
            },
        )


def _draw_bars(scores: Sequence[QueryScores], second: str, job: str) -> None:
    bars = helps_hurts_bars(scores, _("after"), second, theme=figure_theme(), height=260)
    st.plotly_chart(
        with_air(bars, scores),
        theme=None,
        config=_CONFIG,
        key=f"judge-bars-{job}",
        alt=_(
            "One bar a query: helps {helps}, hurts {hurts}. The table below names each query."
        ).format(
            helps=sum(one.difference > 0 for one in scores),
            hurts=sum(one.difference < 0 for one in scores),
        ),
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
            _("Query"): one.query,
            _("After"): one.first,
            _("Before"): one.second,
            _("Difference"): one.difference,
        }
        for one in sorted_by_difference(scores)
    ]


def interval_in_words(row: Any) -> str:
    """Say a comparison with its interval in plain words.

    Parameters
    ----------
    row : Comparison
    """
    if not row.helps + row.hurts:
        return _n(
            "All {count} query are grouped as well as before.",
            "All {count} queries are grouped as well as before.",
            row.ties,
        )
    all_of_them = row.helps + row.ties + row.hurts
    counts = _("It helps {helps} and hurts {hurts} of {queries}").format(
        helps=row.helps,
        hurts=row.hurts,
        queries=_n("{count} query", "{count} queries", all_of_them),
    )
    if row.low is None or row.high is None:
        told = _("{counts}; with so few queries nothing can be said of others.")
        return told.format(counts=counts)
    return _(
        "{counts}. On average the score changes by {mean}; on other queries like these it would, "
        "with {level} confidence, change by between {low} and {high}."
    ).format(
        counts=counts,
        mean=_signed(row.mean_difference),
        level=said(share(row.level)),
        low=_signed(row.low),
        high=_signed(row.high),
    )


def _change(one: QueryScores) -> str:
    return f"{one.query} ({_signed(one.difference)})"


def _signed(value: float) -> str:
    if abs(value) < 0.005:
        return number(0.0, 2)
    return ("+" if value > 0 else "−") + number(abs(value), 2)


def _number(value: float | None) -> str:
    if value is None:
        return _("not measured")
    return number(value, 3).replace("-", "−")
