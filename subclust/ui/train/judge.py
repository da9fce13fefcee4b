"""Before and after: how a trained model groups held-out queries beside the model before it."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.figures.bars import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.figures.palette import group_style
from subclust.figures.placed import PlacedMap, placed_maps
from subclust.jobs.store import option
from subclust.jobs.view import JobView
from subclust.judging.maps import JudgedMap, JudgementMaps, judged_on, judgement_maps
from subclust.judging.record import Comparison, Judgement, Role
from subclust.judging.verdict import FEWEST_QUERIES, say_verdict, share
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.markup import draw_plain_table, draw_verdict
from subclust.ui.components.resources import shared_encoder
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import N_, _, _n, number, said
from subclust.ui.train.choose import in_words

_CONFIG = {"displayModeBar": False}

_VERDICTS: Mapping[str, tuple[str, str]] = {
    "better": ("▲", N_("It groups better")),
    "unclear": ("◆", N_("Not clear yet")),
    "worse": ("▼", N_("It groups worse")),
}

_ROLES: Mapping[str, str] = {
    "new": N_("after: {name}"),
    "base": N_("before: {name}"),
    "default": N_("in use now: {name}"),
    "baseline": N_("centred cosine, which is not trained"),
}

_MEASURES: Mapping[str, str] = {
    "ari": N_("ARI, true number of groups"),
    "ami": N_("AMI, true number of groups"),
    "auto_ari": N_("ARI, automatic number"),
    "auto_ami": N_("AMI, automatic number"),
}

_NAMED = 3


def draw_judgement(judgement: Judgement, job: str) -> None:
    """Draw the verdict, the scores of all, and the differences by query."""
    mark, words = _verdict_words(judgement)
    draw_verdict(words, f"sc-judged-{judgement.verdict}", mark)
    st.markdown(plain(_verdict_sentence(judgement)))
    if sentence := _automatic_words(judgement):
        st.markdown(plain(sentence))
    if judgement.notes:
        notes = [in_words(said(note)) for note in judgement.notes]
        st.caption(plain("\n\n".join(notes)))
    draw_plain_table(*_scores_table(judgement), _("Scores on held-out questions"))
    told = _(
        "ARI and AMI measure how well the groups agree with the labels: 1 is perfect agreement, 0 "
        "is chance."
    )
    st.caption(told)
    _draw_queries(judgement, job)


def _verdict_sentence(judgement: Judgement) -> str:
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


def _verdict_words(judgement: Judgement) -> tuple[str, str]:
    """Return the mark and the words of a verdict."""
    row = judgement.comparison()
    enough = judgement.n_queries >= FEWEST_QUERIES
    if row is not None and enough and not row.helps + row.hurts:
        return "◆", _("It groups as before")
    mark, words = _VERDICTS[judgement.verdict]
    return mark, _(words)


def _automatic_words(judgement: Judgement) -> str | None:
    """Return the verdict for the automatic number of groups, where it is another one.

    Explore uses the automatic number by default.
    """
    row = judgement.comparison("base", "auto_ari")
    if row is None or row.verdict in ("unclear", judgement.verdict):
        return None
    told = (
        _(
            "With the automatic number of groups, as in Explore, it groups better than before: the "
            "adjusted Rand index changes by {change}."
        )
        if row.verdict == "better"
        else _(
            "With the automatic number of groups, as in Explore, it groups worse than before: the "
            "adjusted Rand index changes by {change}."
        )
    )
    return told.format(change=_signed(row.mean_difference))


def _scores_table(judgement: Judgement) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of a table of the mean scores, the new model first."""
    measures = [name for name in _MEASURES if any(name in m.means for m in judgement.methods)]
    rows = [
        [_role_label(judgement, one.role), *(_number(one.means.get(name)) for name in measures)]
        for one in judgement.methods
    ]
    title = _n(
        "Mean over {count} held-out question",
        "Mean over {count} held-out questions",
        judgement.n_queries,
    )
    return [title, *(_(_MEASURES[name]) for name in measures)], rows


def _role_label(judgement: Judgement, role: Role) -> str:
    """Return a method's label: "After: qs3m/mine", "Before: qs3m/wikipedia-title"."""
    method = judgement.method(role)
    text = _(_ROLES[role]).format(name=method.name if method else "")
    return text[:1].upper() + text[1:]


def _compared_scores(judgement: Judgement, against: Role, measure: str) -> list[QueryScores]:
    """Pair the scores of the new model and another, query by query."""
    rows = []
    for query in judgement.queries:
        new = query.scores["new"].get(measure)
        other = query.scores.get(against, {}).get(measure)
        if new is not None and other is not None:
            rows.append(QueryScores(query.query, new, other))
    return rows


def _named_changes(scores: list[QueryScores]) -> tuple[list[str], list[str]]:
    """Return the queries that improved and got worse most, up to three each, with the change."""
    ranked = sorted_by_difference(scores)
    helped = [one for one in ranked if one.difference > 0][:_NAMED]
    hurt = [one for one in reversed(ranked) if one.difference < 0][:_NAMED]
    return [_change(one) for one in helped], [_change(one) for one in hurt]


@st.fragment  # another comparison draws this part again, not the page
def _draw_queries(judgement: Judgement, job: str) -> None:
    st.subheader(_("Question by question"), anchor=False)
    others = [method.role for method in judgement.methods if method.role != "new"]
    measures = [name for name in _MEASURES if _compared_scores(judgement, others[0], name)]
    with st.container(horizontal=True):
        against = st.selectbox(
            _("Compared with"),
            others,
            format_func=lambda role: _role_label(judgement, role),
            key=f"judge-against-{job}",
            width=320,
        )
        measure = st.selectbox(
            _("Measure"),
            measures,
            format_func=lambda name: _(_MEASURES[name]),
            key=f"judge-measure-{job}",
            width=260,
        )
    scores = _compared_scores(judgement, against, measure)
    row = judgement.comparison(against, measure)
    if row is not None:
        st.markdown(plain(_interval_in_words(row)))
    helped, hurt = _named_changes(scores)
    for title, names in ((_("Improved most"), helped), (_("Got worse most"), hurt)):
        if names:
            st.caption(f"**{title}:** {plain('; '.join(names))}")
    if any(one.difference for one in scores):  # equal ones have no bars
        _draw_bars(scores, _role_label(judgement, against).split(":")[0].lower(), job)
    with st.expander(_("All questions as a table"), key=f"judge-queries-{job}"):
        st.dataframe(
            pd.DataFrame(_query_rows(scores)),
            hide_index=True,
            key=f"judge-table-{job}",
            alt=_("All held-out questions with their scores before and after"),
            column_config={
                name: st.column_config.NumberColumn(format="%.3f")
                for name in (_("After"), _("Before"), _("Difference"))
            },
        )


def _draw_bars(scores: Sequence[QueryScores], second: str, job: str) -> None:
    bars = helps_hurts_bars(scores, _("after"), second, theme=figure_theme(), height=260)
    st.plotly_chart(
        _with_air(bars, scores),
        theme=None,
        config=_CONFIG,
        key=f"judge-bars-{job}",
        alt=_(
            "One bar per question: {helps} better, {hurts} worse. The table below names each "
            "question."
        ).format(
            helps=sum(one.difference > 0 for one in scores),
            hurts=sum(one.difference < 0 for one in scores),
        ),
    )


def _with_air(figure: go.Figure, scores: Sequence[QueryScores]) -> go.Figure:
    """Leave room above and below the bars for the words there."""
    differences = [0.0, *(one.difference for one in scores)]
    low, high = min(differences), max(differences)
    air = max(0.25 * (high - low), 0.02)
    return figure.update_yaxes(range=[low - air, high + air])


def _query_rows(scores: list[QueryScores]) -> list[dict[str, Any]]:
    """Return the queries as rows of a table, from the best change to the worst."""
    return [
        {
            _("Question"): one.query,
            _("After"): one.first,
            _("Before"): one.second,
            _("Difference"): one.difference,
        }
        for one in sorted_by_difference(scores)
    ]


def _interval_in_words(row: Comparison) -> str:
    """Return a comparison with its confidence interval in words."""
    if not row.helps + row.hurts:
        return _n(
            "{count} question is grouped as well as before.",
            "All {count} questions are grouped as well as before.",
            row.ties,
        )
    all_of_them = row.helps + row.ties + row.hurts
    counts = _("{helps} better and {hurts} worse of {queries}").format(
        helps=row.helps,
        hurts=row.hurts,
        queries=_n("{count} question", "{count} questions", all_of_them),
    )
    if row.low is None or row.high is None:
        told = _("{counts}; so few questions say nothing about others.")
        return told.format(counts=counts)
    return _(
        "{counts}. The mean score changes by {mean}; with {level} confidence, it changes by {low} "
        "to {high} on other questions like these."
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


@st.fragment  # another query draws these maps again, not the page
def draw_maps(settings: Settings, judgement: Judgement, view: JobView) -> None:
    """Draw the choice of a held-out query, and its two maps side by side."""
    st.subheader(_("One question before and after"), anchor=False)
    queries = [query for query, _change in judgement.changes()]
    chosen = st.selectbox(
        _("Held-out question"),
        queries,
        index=None,
        placeholder=_("Choose a question to see its maps"),
        key=f"judge-query-{view.job.id}",
        width=460,
    )
    if chosen is None:
        return
    try:
        with st.spinner(_("Drawing the maps …")):
            maps = _maps(view.job.id, view.job.created, chosen, "base", settings, judgement, view)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    for at, (one, place) in enumerate(
        zip((maps.before, maps.after), st.columns(2, gap="medium"), strict=True)
    ):
        when = _("Before") if at == 0 else _("After")
        with place:
            st.plotly_chart(
                placed_maps(
                    [_placed(one, when)], maps.gold, maps.subtopics, ids=maps.ids,
                    theme=figure_theme(),
                ),
                theme=None,
                config=_CONFIG,
                key=f"judge-map-{at}-{view.job.id}",
                alt=_("{when}: the passages of {query}, ARI {ari}.").format(
                    when=when, query=chosen, ari=number(one.ari, 2)
                ),
            )  # fmt: skip
    st.html(_legend(maps))
    told = _(
        "Colour and shape show your labels. A filled mark is in the group that matches its label, "
        "a hollow one is not. The closer two marks, the more similar they are to that model."
    )
    st.caption(told)


def _placed(one: JudgedMap, when: str) -> PlacedMap:
    return PlacedMap(
        f"{when}: {one.name}",
        one.ari,
        tuple(x for x, _y in one.coordinates),
        tuple(y for _x, y in one.coordinates),
        one.groups,
    )


def _legend(maps: JudgementMaps) -> str:
    """Write the labels with their symbols and colours."""
    items = []
    for place, name in enumerate(maps.subtopics):
        style = group_style(place, figure_theme())
        items.append(
            f"<li><span aria-hidden='true' style='color:{style.outline}'>{style.glyph}</span> "
            f"{html.escape(name)} <i>{maps.gold.count(place)}</i></li>"
        )
    return f"<ul class='sc-symbols'>{''.join(items)}</ul>"


# A job's id follows from its model's name and may return; `created` tells both jobs apart.
@st.cache_data(max_entries=64, show_spinner=False)
def _maps(
    job: str,
    created: float | None,
    query: str,
    against: Role,
    _settings: Settings,
    _judgement: Judgement,
    _view: JobView,
) -> JudgementMaps:
    words = (option(_view.job.argv, name) for name in ("--data", "--validation"))
    data = [word for word in words if word]
    instances = judged_on(_judgement, data, _settings)
    return judgement_maps(
        _judgement,
        query,
        instances,
        settings=_settings,
        against=against,
        encoder=shared_encoder(_settings),
    )
