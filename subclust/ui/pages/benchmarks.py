"""Benchmarks: what the papers published, beside what was measured here."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.judging.published import read_published
from subclust.ui.components.address import asked
from subclust.ui.components.resources import default_method
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _
from subclust.ui.measured import (
    draw_at_a_glance,
    draw_legend,
    draw_sentences,
    draw_source,
    place_of,
    said,
    table_html,
)

st.title(_("How well it groups"), anchor=False)

try:
    papers = {paper["name"]: paper for paper in read_published()}
    default = default_method(Settings.from_environment())
    draw_at_a_glance(papers.values(), default)
    st.header(_("The papers' tables, published and measured here"), anchor=False)
    with st.container(horizontal=True, key="choices"):
        paper = papers[
            st.selectbox(
                _("Paper"),
                list(papers),
                format_func=lambda name: papers[name]["label"],
                key="paper",
                bind="query-params",
                width=300,
            )
        ]
        tables = {table["name"]: table for table in paper["tables"]}
        chosen = st.selectbox(
            _("Table"),
            list(tables),
            # An address may come from a visitor of another language.
            index=place_of(asked("table") or None, [one["label"] for one in paper["tables"]]),
            format_func=lambda table: said(tables[table]["label"]),
            key="table",
            bind="query-params",
            width=140,
        )
        table = tables[chosen]
        columns = {column["name"]: column for column in table["columns"]}
        measure = st.selectbox(
            _("Measure"),
            list(columns),
            index=list(columns).index(table["main"]),
            format_func=lambda column: said(columns[column]["label"]),
            key=f"measure-{paper['name']}-{chosen}",
            width=260,
        )
    at = list(columns).index(measure)

    draw_sentences(columns[measure])
    heading = _("{table}: published and here").format(table=said(table["label"]))
    st.subheader(heading, anchor=False)
    st.caption(said(table["caption"]))
    st.html(table_html(table, at, default))
    draw_legend(paper, table, at)
    draw_source(paper)
except SubclustError as error:
    st.warning(plain(error_words(error)))
