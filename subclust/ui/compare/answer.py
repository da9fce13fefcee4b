"""From what is to be compared to the comparison; a column that is known is not grouped again."""

from typing import Any

import streamlit as st

from subclust.comparison import Column, Comparison, compare
from subclust.core.exceptions import InputError
from subclust.core.records import Query, Ranking, SubtopicMap
from subclust.core.settings import Settings
from subclust.pipeline.query import SubtopicPipeline
from subclust.ui import state
from subclust.ui.compare.view import CompareView
from subclust.ui.components.resources import ServedModel, open_pipeline, served_model
from subclust.ui.explore.other_passages import in_visitors_language
from subclust.ui.explore.reading import reading_bar
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
