"""The comparison that is shown: made, scored against labels, and exported."""

import json
from datetime import date
from functools import partial
from io import BytesIO
from typing import Any

import pandas as pd
import streamlit as st

from subclust.comparison import (
    LETTERS,
    Column,
    Comparison,
    OverQueries,
    QueryResult,
    compare,
    score_query,
    sum_up,
)
from subclust.core.exceptions import InputError
from subclust.core.records import Query, Ranking, SubtopicMap
from subclust.core.settings import Settings
from subclust.exports.tables import harmless
from subclust.figures.bars import QueryScores, helps_hurts_bars, sorted_by_difference
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.served import ServedModel, served_model
from subclust.ui import state
from subclust.ui.compare.panels import column_title, difference_sentence
from subclust.ui.compare.view import CompareView
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.resources import library_name, open_pipeline
from subclust.ui.components.words import (
    CONTEXTS,
    EXAMPLES,
    file_name,
    in_visitors_language,
    method_label,
    plain,
)
from subclust.ui.explore.search import reading_bar
from subclust.ui.i18n.language import _, _n, language, number

_KEPT = 12
"""Columns that are kept for a visitor."""


def compared(settings: Settings, view: CompareView) -> Comparison:
    """Retrieve once, group in each way, and set the groups side by side.

    Raises
    ------
    SubclustError
        One of its children; its sentence is for the visitor.
    """
    if not view.query.strip():
        raise InputError(_("Type a question or a few words to look for."))
    served = [served_model(settings, one.method, one.checkpoint) for one in view.columns]
    # With the language, because the other passages carry a translated name.
    key = (view.grouping(), tuple(served), language())
    known = st.session_state.get(state.COMPARISON)
    # The bar has its place in every run, so that nothing below it is made anew and loses the focus.
    with reading_bar() as progress:
        if known and known[0] == key:
            kept: Comparison = known[1]
            return kept
        pipelines = _open_pipelines(settings, view)
        ranking = _ranking(pipelines[0], view)
        maps = [
            _grouped(ranking, column, pipeline, model, progress)
            for column, pipeline, model in zip(view.columns, pipelines, served, strict=True)
        ]
    found = compare(ranking, view.columns, [in_visitors_language(one) for one in maps])
    st.session_state[state.COMPARISON] = (key, found)
    return found


def _open_pipelines(settings: Settings, view: CompareView) -> list[SubtopicPipeline]:
    """Open the library once for each column, with its method and model."""
    return [
        open_pipeline(settings, view.library, column.method, column.checkpoint)
        for column in view.columns
    ]


def _ranking(pipeline: SubtopicPipeline, view: CompareView) -> Ranking:
    key = (view.library, view.query.strip(), view.top_k, pipeline.retriever.encoder.revision)
    known = st.session_state.get(state.COMPARE_RANKING)
    if known and known[0] == key:
        kept: Ranking = known[1]
        return kept
    ranking = pipeline.retrieve(Query(view.query.strip()), top_k=view.top_k)
    st.session_state[state.COMPARE_RANKING] = (key, ranking)
    st.session_state[state.COMPARE_GROUPINGS] = {}
    return ranking


def _grouped(
    ranking: Ranking,
    column: Column,
    pipeline: SubtopicPipeline,
    model: ServedModel,
    progress: Any,
) -> SubtopicMap:
    """Group the hits in one way, or take what was grouped so before."""
    known: dict[tuple[Column, ServedModel], SubtopicMap]
    known = st.session_state.setdefault(state.COMPARE_GROUPINGS, {})
    key = (column, model)
    if key not in known:
        made = pipeline.group(
            ranking,
            column.asked(ranking.query.text),
            n_clusters=column.n_clusters,
            progress=progress,
        )
        if len(known) >= _KEPT:
            known.pop(next(iter(known)))
        known[key] = made
    return known[key]


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def draw_downloads(found: Comparison) -> None:
    """Draw the downloads; a file is made when its button is pressed."""
    st.header(_("Export the comparison"), anchor=False)
    about = _about(found)  # here, since a file that is made later knows no visitor's language
    # on_click="ignore": a rerun would disable the pressed button, and the browser drops the focus
    # of a disabled button.
    with st.container(horizontal=True, key="compare-take"):
        for label, make, ending, mime in (
            (_("Passages as CSV"), partial(_passages_csv, found), "csv", "text/csv"),
            ("Excel", partial(_workbook, found, about), "xlsx", _XLSX),
            (_("Everything as JSON"), partial(_everything, found), "json", "application/json"),
        ):
            st.download_button(
                label,
                make,
                f"comparison-{file_name(found.ranking.query.text, f'.{ending}')}",
                mime,
                on_click="ignore",
                key=f"compare-{ending}",
            )


def _everything(found: Comparison) -> str:
    return json.dumps(found.to_dict(), ensure_ascii=False, indent=1)


def _passages_frame(found: Comparison) -> pd.DataFrame:
    """List every hit with its group in each column, the same groups under the same number.

    Returns
    -------
    DataFrame
        Columns ``rank``, ``id``, ``title``, and for each column ``A_group`` (the matched number, -1
        for other passages) and ``A_name``; then ``text``.
    """
    groups = [found.groups(place) for place in range(len(found.maps))]
    names = [found.names(place) for place in range(len(found.maps))]
    rows = []
    for hit in found.ranking.hits:
        row: dict[str, object] = {
            "rank": hit.rank,
            "id": hit.passage.id,
            "title": hit.passage.title,
        }
        for letter, of, name in zip(LETTERS, groups, names, strict=False):
            row[f"{letter}_group"] = of[hit.passage.id]
            row[f"{letter}_name"] = name[of[hit.passage.id]]
        rows.append(row | {"label": hit.passage.label or "", "text": hit.passage.text})
    return pd.DataFrame(rows)


def _passages_csv(found: Comparison) -> bytes:
    """Write `_passages_frame` as CSV that spreadsheets read as UTF-8 and never as formulas."""
    return bytes(_harmless(_passages_frame(found)).to_csv(index=False).encode("utf-8-sig"))


def _about(found: Comparison) -> list[tuple[str, str]]:
    """List what was compared, and what each column's letter stands for."""
    rows = [
        (_("Question"), found.ranking.query.text),
        (_("Library"), library_name(found.ranking.library)),
        (_("Made on"), date.today().isoformat()),
    ]
    for letter, column, one in zip(LETTERS, found.columns, found.maps, strict=False):
        groups = number(one.n_clusters)
        if column.n_clusters == "auto":
            groups += f" ({_('number automatic')})"
        own = one.query.text if one.query.text != found.ranking.query.text else ""
        told = {
            _("Method"): method_label(one.method),
            _("Model"): one.checkpoint,
            _("Groups"): groups,
            _("Groups follow"): _(CONTEXTS[column.context]),
            _("Question"): own,
            _("In more words"): one.query.description,
        }
        rows += [(f"{letter}: {name}", value) for name, value in told.items() if value]
    return rows


def _workbook(found: Comparison, about: list[tuple[str, str]]) -> bytes:
    """Write what was compared, passages and agreement as the sheets of a workbook."""
    pairs = [{**one, "columns": "-".join(one["columns"])} for one in found.to_dict()["pairs"]]
    buffer = BytesIO()
    with pd.ExcelWriter(buffer, engine="openpyxl") as writer:
        told = _harmless(pd.DataFrame(about))
        told.to_excel(writer, sheet_name="about", index=False, header=False)
        _harmless(_passages_frame(found)).to_excel(writer, sheet_name="passages", index=False)
        pd.DataFrame(pairs).to_excel(writer, sheet_name="agreement", index=False)
    return buffer.getvalue()


def _harmless(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)


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
            "The labels say where a passage is in its document: {labels} different ones on "
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
    pipelines = _open_pipelines(settings, view)
    results: list[QueryResult] = []
    passed_over: list[str] = []
    bar = st.progress(0.0, text=_("Grouping the passages of each question"))
    for done, question in enumerate(asked, 1):
        result = score_query(question, view.columns, pipelines)
        if result is None:
            passed_over.append(question)
        else:
            results.append(result)
        bar.progress(done / len(asked), text=plain(question))
    bar.empty()
    return sum_up(results, passed_over)


def _draw_over(found: Comparison, over: OverQueries) -> None:
    for difference in over.differences:
        st.markdown(plain(difference_sentence(difference, len(over.results))))
    if over.passed_over:
        told = _("Without labels: {questions}").format(questions="; ".join(over.passed_over))
        st.caption(plain(told))
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
