"""Columns against the labels that the library has, for these hits and over many questions."""

from typing import Any

import pandas as pd
import streamlit as st

from subclust.comparison import LETTERS, Comparison, OverQueries, QueryResult, score_query, sum_up
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.figures.bars import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.ui import state
from subclust.ui.compare.answer import open_pipelines
from subclust.ui.compare.panels import column_title, difference_sentence
from subclust.ui.compare.view import CompareView
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.resources import served_model
from subclust.ui.components.words import EXAMPLES, plain
from subclust.ui.i18n.language import _, _n

MAX_QUESTIONS = 60
"""So many are compared at once; more take minutes and belong to the command line."""

_CONFIG = {"displayModeBar": False, "scrollZoom": False}


def draw_gold(found: Comparison) -> None:
    """Draw each column's scores against the labels of the hits."""
    if found.gold[0] is None:
        st.info(
            _(
                "These passages have no labels, or all the same one, so there is nothing to "
                "compare the groups with; import documents with labels to see it."
            )
        )
        return
    known = [gold for gold in found.gold if gold is not None]
    st.caption(
        _(
            "The labels say where a passage stands in its document: {labels} different ones on "
            "{passages} of these passages. They are one way to divide the subject, not the only "
            "right one."
        ).format(labels=known[0].n_labels, passages=known[0].n_passages)
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Column"): f"{LETTERS[place]}: {column_title(found, place)}",
                    "ARI": gold.ari,
                    "AMI": gold.ami,
                    "NMI": gold.nmi,
                    "B³ F1": gold.bcubed_f1,
                    _("Groups"): found.maps[place].n_clusters,
                }
                for place, gold in enumerate(known)
            ]
        ),
        hide_index=True,
        key="compare-gold",
        alt=_("Scores of each column against the labels"),
        column_config=_decimals("ARI", "AMI", "NMI", "B³ F1"),
    )


def draw_over_questions(view: CompareView, found: Comparison, settings: Settings) -> None:
    """Draw the questions, and what comes out over all of them once it was asked for."""
    if state.COMPARE_QUESTIONS not in st.session_state:
        st.session_state[state.COMPARE_QUESTIONS] = "\n".join(EXAMPLES)
    st.subheader(_("Over many questions"), anchor=False)
    st.text_area(
        _("Questions, one a line"),
        key=state.COMPARE_QUESTIONS,
        height=150,
        help=_(
            "One question shows what differs, not which column is better. It takes at least "
            "six questions to tell a difference from chance."
        ),
    )
    lines = map(str.strip, st.session_state[state.COMPARE_QUESTIONS].splitlines())
    asked = tuple(dict.fromkeys(filter(None, lines)))
    served = tuple(served_model(settings, one.method, one.checkpoint) for one in view.columns)
    wanted = (view.library, view.columns, served, asked)
    known = st.session_state.get(state.COMPARE_RESULTS)
    if st.button(_("Compare over these questions"), key="compare-over", disabled=not asked):
        known = (wanted, _measure(view, asked, settings))
        st.session_state[state.COMPARE_RESULTS] = known
    if known and known[0] == wanted:
        _draw_over(found, known[1])


def _measure(view: CompareView, asked: tuple[str, ...], settings: Settings) -> OverQueries:
    """Group the hits of each question in each way; the run can be stopped after each question."""
    if len(asked) > MAX_QUESTIONS:
        raise InputError(
            _("This page compares at most {count} questions. Remove some.").format(
                count=MAX_QUESTIONS
            )
        )
    pipelines = open_pipelines(settings, view)
    results: list[QueryResult] = []
    passed_over: list[str] = []
    bar = st.progress(0.0, text=_("Grouping the passages of each question"))
    for done, question in enumerate(asked, 1):
        result = score_query(question, view.columns, pipelines)
        if result is None:
            passed_over.append(question)
        else:
            results.append(result)
        bar.progress(done / len(asked), text=question)
    bar.empty()
    return sum_up(results, passed_over)


def _draw_over(found: Comparison, over: OverQueries) -> None:
    for difference in over.differences:
        st.markdown(plain(difference_sentence(difference, len(over.results))))
    if over.passed_over:
        st.caption(_("Without labels: {questions}").format(questions="; ".join(over.passed_over)))
    letters = LETTERS[: len(over.means)]
    for difference in over.differences:
        place = difference.column
        scores = [
            QueryScores(one.query, one.scores[place].ari, one.scores[0].ari) for one in over.results
        ]
        title, base = column_title(found, place), column_title(found, 0)
        st.plotly_chart(
            helps_hurts_bars(
                scores, f"{letters[place]}: {title}", f"A: {base}", theme=figure_theme(), height=300
            ),
            key=f"compare-helps-{letters[place]}",
            theme=None,
            config=_CONFIG,
            alt=_(
                "{letter} is better than A on {wins} and worse on {losses}. The table below lists "
                "the same."
            ).format(
                letter=letters[place],
                wins=_n("{count} question", "{count} questions", difference.helps.wins),
                losses=_n("{count} question", "{count} questions", difference.helps.losses),
            ),
        )
    st.dataframe(
        _over_frame(over),
        hide_index=True,
        key="compare-over-table",
        alt=_("Adjusted Rand index of each question in each column"),
        column_config=_decimals(*letters, *(f"{letter} − A" for letter in letters[1:])),
    )


def _over_frame(over: OverQueries) -> pd.DataFrame:
    """List the questions, those first that the second column helps most, the mean last."""
    order = sorted_by_difference(
        [QueryScores(one.query, one.scores[1].ari, one.scores[0].ari) for one in over.results]
    )
    of = {one.query: [score.ari for score in one.scores] for one in over.results}
    rows = [(score.query, of[score.query]) for score in order]
    rows.append((_("Mean"), list(over.means)))
    return pd.DataFrame(
        [
            {
                _("Question"): query,
                **dict(zip(LETTERS, values, strict=False)),
                **{
                    f"{letter} − A": value - values[0]
                    for letter, value in zip(LETTERS[1:], values[1:], strict=False)
                },
            }
            for query, values in rows
        ]
    )


def _decimals(*names: str) -> Any:
    return {name: st.column_config.NumberColumn(format="%.3f") for name in names}
