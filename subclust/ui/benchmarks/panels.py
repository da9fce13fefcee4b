"""The parts of the Benchmarks page."""

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.judging.metrics import METRICS, metric_name
from subclust.judging.published import as_csv
from subclust.ui.benchmarks.words import said, sentence_words
from subclust.ui.i18n.language import N_, _, _n, number

_GRANULARITY = {
    "flat": N_("Flat: the subtopics are those of the top level."),
    "hierarchical": N_("Hierarchical: every part of a subtopic is a subtopic of its own."),
}


def draw_sentences(column: Mapping[str, Any]) -> None:
    """Draw what a column shows in sentences, and what its words mean."""
    metric = column["metric"]
    items = "".join(
        f"<li>{html.escape(sentence_words(sentence))}</li>" for sentence in column["sentences"]
    )
    meaning = METRICS.get(metric, ("", ""))[1]
    explained = f"{said(metric_name(metric))}: {said(meaning)}. " if meaning else ""
    explained += _(_GRANULARITY[column["granularity"]])
    st.html(
        f"<ul class='sc-reading'>{items}</ul><p class='sc-note'>"
        f"{html.escape(explained[:1].upper() + explained[1:])}</p>"
    )


def draw_legend(paper: Mapping[str, Any], table: Mapping[str, Any], at: int) -> None:
    """Say what the marks mean, and where our data differ from the paper's."""
    column = table["columns"][at]
    if column["n_queries"] == 1:
        told = _(
            "★: {reference}, which the others are held against. Each value is of one whole "
            "collection, so nothing is tested. Not run: there is no result of ours yet."
        ).format(reference=said(table["reference"]))
    else:
        told = _tested(table, column)
    st.html(f"<p class='sc-note' style='max-width:62rem'>{html.escape(told)}</p>")
    with st.expander(_("Where the paper's data and ours differ")):
        st.write(said(column["difference"]))
        st.write(said(paper["difference"]))


def _tested(table: Mapping[str, Any], column: Mapping[str, Any]) -> str:
    return _(
        "▲ and ▼: significantly above and below {reference} (★), by a paired t-test at {alpha} "
        "with Bonferroni's correction (here for {tests}); the marks of published values are the "
        "paper's. Better and worse: queries on which a method is above or below the reference. "
        "Not run: there is no result of ours yet."
    ).format(
        reference=said(table["reference"]),
        alpha=number(table["alpha"], 2),
        tests=_n("{count} test", "{count} tests", column["n_comparisons"]),
    )


def draw_source(paper: Mapping[str, Any]) -> None:
    """Draw the paper that the tables are of, and offer all of them as CSV."""
    st.markdown(f"{paper['citation']} [{paper['url']}]({paper['url']})")
    st.download_button(
        _("All tables as CSV"),
        lambda: as_csv(paper).encode(),
        file_name=f"subclust-{paper['name']}.csv",
        mime="text/csv",
        on_click="ignore",
    )
