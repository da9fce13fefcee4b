"""Benchmarks: what the papers published, beside what was measured here."""

import streamlit as st

from subclust.benchmarks.report import read_column
from subclust.exceptions import SubclustError
from subclust.settings import Settings
from subclust.ui.address import asked
from subclust.ui.benchmark_figures import DRAWN, draw_figure, draw_search
from subclust.ui.benchmark_panels import (
    draw_ablation,
    draw_downloads,
    draw_legend,
    draw_paper,
    draw_query_by_query,
    draw_runs,
    draw_sentences,
    draw_subjects,
)
from subclust.ui.benchmark_style import draw_benchmark_style
from subclust.ui.benchmark_words import headed, place_of, said, telling
from subclust.ui.error_words import error_words
from subclust.ui.language import _
from subclust.ui.published_table import table_html
from subclust.ui.reports import open_report, published_papers
from subclust.ui.resources import default_method
from subclust.ui.style import draw_style

draw_style(st.context.theme.type)
draw_benchmark_style()
st.title(_("How well it groups"), anchor=False)
lead = _(
    "Every method is measured against a division that people made, such as the sections of an "
    "encyclopaedia, with the true number of groups given to all where a table does not say "
    "otherwise. What the papers published stands beside what was measured here."
)
st.html(f"<p class='sc-lead'>{lead}</p>")

try:
    settings = Settings.from_environment()
    papers = published_papers()
    with st.container(horizontal=True, key="choices"):
        name = st.selectbox(
            _("Paper"),
            papers,
            format_func=lambda paper: open_report(paper)["paper"]["label"],
            key="paper",
            bind="query-params",
            width=300,
        )
        report = open_report(name)
        tables = {table["name"]: table for table in report["tables"]}
        chosen = st.selectbox(
            _("Table"),
            list(tables),
            # An address may come from a visitor of another language.
            index=place_of(asked("table") or None, [one["label"] for one in report["tables"]]),
            format_func=lambda table: said(tables[table]["label"]),
            key="table",
            bind="query-params",
            width=140,
        )
        table = tables[chosen]
        columns = [column["name"] for column in table["columns"]]
        measure = st.selectbox(
            _("Measure"),
            columns,
            index=columns.index(table["main"]),
            format_func=lambda column: said(table["columns"][columns.index(column)]["label"]),
            key=f"measure-{name}-{chosen}",
            width=260,
        )
    default = default_method(settings)
    at = columns.index(measure)
    column = table["columns"][at]

    draw_sentences(read_column(table, at, default, telling()), column)
    heading = _("{table}: published and here").format(table=said(table["label"]))
    st.header(heading, anchor=False)
    st.caption(said(table["caption"]))
    st.html(table_html(table, at, default))
    draw_legend(table, at, report)
    draw_downloads(report)

    if table["columns"][at]["n_queries"] != 1:
        st.header(_("Query by query"), anchor=False)
        draw_query_by_query(table, at, default)

    for figure in report["figures"]:
        if figure["kind"] == "per-query":
            st.header(headed(figure["label"], figure["kind"]), anchor=False)
            draw_subjects(figure)
        elif figure["kind"] in DRAWN:
            st.header(headed(figure["label"], figure["kind"]), anchor=False)
            draw_figure(figure)
    for search in report["searches"]:
        st.header(headed(search["label"], "search"), anchor=False)
        draw_search(search)
    for ablation in report["ablations"]:
        if ablation["rows"]:
            st.header(said(ablation["label"]), anchor=False)
            draw_ablation(ablation)

    with st.expander(_("How these numbers were made")):
        draw_runs(report, column, settings)
    with st.expander(_("What the paper says")):
        draw_paper(report)
except SubclustError as error:
    st.warning(error_words(error))
