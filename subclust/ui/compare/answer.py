"""From what is to be compared to the comparison, and the comparison as files."""

import json
from io import BytesIO
from typing import Any

import pandas as pd
import streamlit as st

from subclust.comparison import LETTERS, Column, Comparison, compare
from subclust.core.exceptions import InputError
from subclust.core.records import Query, Ranking, SubtopicMap
from subclust.core.settings import Settings
from subclust.exports.tables import harmless
from subclust.pipeline.query import SubtopicPipeline
from subclust.ui import state
from subclust.ui.compare.view import CompareView
from subclust.ui.components.resources import ServedModel, open_pipeline, served_model
from subclust.ui.components.words import in_visitors_language
from subclust.ui.explore.search import reading_bar
from subclust.ui.i18n.language import _, language

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
        raise InputError(_("Type a question or a few words to look for, then press Enter."))
    served = [served_model(settings, one.method, one.checkpoint) for one in view.columns]
    key = (view.grouping(), tuple(served), language())
    known = st.session_state.get(state.COMPARISON)
    # The bar has its place in every run, so that nothing below it is made anew and loses the focus.
    with reading_bar() as progress:
        if known and known[0] == key:
            kept: Comparison = known[1]
            return kept
        pipelines = open_pipelines(settings, view)
        ranking = _ranking(pipelines[0], view)
        maps = [
            _grouped(ranking, column, pipeline, model, progress)
            for column, pipeline, model in zip(view.columns, pipelines, served, strict=True)
        ]
    found = compare(ranking, view.columns, [in_visitors_language(one) for one in maps])
    st.session_state[state.COMPARISON] = (key, found)
    return found


def open_pipelines(settings: Settings, view: CompareView) -> list[SubtopicPipeline]:
    """Open the library once for each column, with its method and model.

    Raises
    ------
    SubclustError
        If a method, a model or the library cannot be had.
    """
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
    with st.container(horizontal=True, key="compare-take"):
        st.download_button(
            _("Passages as CSV"),
            lambda: passages_csv(found),
            "comparison.csv",
            "text/csv",
            on_click="ignore",
            key="compare-csv",
        )
        st.download_button(
            _("Workbook (XLSX)"),
            lambda: workbook(found),
            "comparison.xlsx",
            _XLSX,
            on_click="ignore",
            key="compare-xlsx",
        )
        st.download_button(
            _("Everything as JSON"),
            lambda: json.dumps(found.to_dict(), ensure_ascii=False, indent=1),
            "comparison.json",
            "application/json",
            on_click="ignore",
            key="compare-json",
        )


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


def _agreement_frame(found: Comparison) -> pd.DataFrame:
    """List how far each two columns agree."""
    return pd.DataFrame(
        [{**pair, "columns": "-".join(pair["columns"])} for pair in found.to_dict()["pairs"]]
    )


def passages_csv(found: Comparison) -> bytes:
    """Write `_passages_frame` as CSV that spreadsheets read as UTF-8 and never as formulas."""
    return bytes(_harmless(_passages_frame(found)).to_csv(index=False).encode("utf-8-sig"))


def workbook(found: Comparison) -> bytes:
    """Write passages and agreement as the sheets of a workbook."""
    buffer = BytesIO()
    with pd.ExcelWriter(buffer, engine="openpyxl") as writer:
        _harmless(_passages_frame(found)).to_excel(writer, sheet_name="passages", index=False)
        _agreement_frame(found).to_excel(writer, sheet_name="agreement", index=False)
    return buffer.getvalue()


def _harmless(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)
