"""The parts of the Benchmarks page."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from subclust.benchmarks.report import METRICS, as_csv, metric_name, report_files, short_name
from subclust.figures import helps_hurts_bars, sorted_by_difference, subject_bars
from subclust.settings import Settings
from subclust.ui.benchmark_words import p_in_words, said
from subclust.ui.language import N_, _, _n, number
from subclust.ui.reports import measured, query_scores, runs, subject_scores
from subclust.ui.theme import figure_theme

_CONFIG = {"displayModeBar": False}

_GRANULARITY = {
    "flat": N_("Flat: the subtopics are those of the top level."),
    "hierarchical": N_("Hierarchical: every part of a subtopic is a subtopic of its own."),
}


def draw_sentences(sentences: Sequence[str], column: Mapping[str, Any]) -> None:
    """Draw what a column shows in sentences, and what its words mean."""
    metric = column["metric"]
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    meaning = METRICS.get(metric, ("", ""))[1]
    explained = f"{said(metric_name(metric))}: {said(meaning)}. " if meaning else ""
    explained += _(_GRANULARITY[column["granularity"]])
    st.html(
        f"<ul class='sc-reading'>{items}</ul><p class='sc-note'>"
        f"{html.escape(explained[:1].upper() + explained[1:])}</p>"
    )


def draw_legend(table: Mapping[str, Any], at: int, report: Mapping[str, Any]) -> None:
    """Say what the marks mean, and where our data differ from the paper's."""
    column = table["columns"][at]
    dataset = next(one for one in report["datasets"] if one["name"] == column["dataset"])
    if column["n_queries"] == 1:
        told = _(
            "★: {reference}, which the others are held against. Each value is of one whole "
            "collection, so nothing is tested. Not run: there is no result of ours yet."
        ).format(reference=said(table["reference"]))
    else:
        told = _tested(table, column)
    st.html(f"<p class='sc-note' style='max-width:62rem'>{html.escape(told)}</p>")
    with st.expander(_("Where the paper's data and ours differ")):
        st.write(said(dataset["difference"]))
        st.write(said(report["difference"]))


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


def draw_downloads(report: Mapping[str, Any]) -> None:
    """Offer the whole report as CSV, JSON and Markdown."""
    name = report["paper"]["name"]
    files = report_files(report)
    with st.container(horizontal=True, vertical_alignment="center", key="downloads", gap="small"):
        told = html.escape(_("Take the whole report with you:"))
        st.html(f"<span class='sc-note'>{told}</span>", width="content")
        for label, text, ending, mime in (
            ("CSV", as_csv(report), "csv", "text/csv"),
            ("JSON", files[f"{name}.json"], "json", "application/json"),
            ("Markdown", files[f"{name}.md"], "md", "text/markdown"),
        ):
            st.download_button(
                label,
                text,
                file_name=f"subclust-{name}.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"download-{ending}",
                help=_("Every table of the paper beside ours, as {format}").format(format=label),
            )


def draw_query_by_query(table: Mapping[str, Any], at: int, default: str | None) -> None:
    """Draw the helps and hurts of any two methods in the column, and the same as a table."""
    column = table["columns"][at]
    folders = measured(table, at)
    if len(folders) < 2:
        told = _("Fewer than two methods were run on {data} yet.")
        st.caption(told.format(data=said(column["task_label"])))
        return
    labels = list(folders)
    ours = next((label for label in labels if folders[label] == default), labels[0])
    reference = table["reference"] if table["reference"] in folders else labels[-1]
    with st.container(horizontal=True, key="pair"):
        first = st.selectbox(
            _("Method"),
            labels,
            index=labels.index(ours),
            format_func=said,
            key="first",
            width=260,
        )
        second = st.selectbox(
            _("Compared with"),
            labels,
            index=labels.index(reference),
            format_func=said,
            key="second",
            width=260,
        )
    names = said(first), said(second)
    scores = query_scores(column, folders[first], folders[second])
    short = short_name(column["metric"])
    wins = sum(score.difference > 0 for score in scores)
    losses = sum(score.difference < 0 for score in scores)
    st.caption(
        _(
            "One bar a query of {data}, from the greatest help to the greatest hurt; its height is "
            "the difference in {metric}. Point at a bar to see the query."
        ).format(data=said(column["task_label"]), metric=short)
    )
    st.plotly_chart(
        helps_hurts_bars(scores, *names, theme=figure_theme()),
        theme=None,
        config=_CONFIG,
        key="helps-hurts",
        alt=_(
            "{first} is better than {second} on {wins} of {all} queries and worse on {losses}. The "
            "table below lists the same."
        ).format(
            first=names[0], second=names[1], wins=wins, all=number(len(scores)), losses=losses
        ),
    )
    columns = names[0], f"{names[1]} ", _("Difference")
    with st.expander(_("The same as a table")):
        rows = [
            {
                _("Query"): score.query,
                columns[0]: score.first,
                columns[1]: score.second,
                columns[2]: score.difference,
            }
            for score in sorted_by_difference(scores)
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key="helps-hurts-table",
            alt=_("{metric} of each query under {first} and {second}").format(
                metric=short, first=names[0], second=names[1]
            ),
            column_config={name: st.column_config.NumberColumn(format="%.3f") for name in columns},
        )


def draw_subjects(figure: Mapping[str, Any]) -> None:
    """Draw a figure of subjects with errors, or say that it was not run."""
    first, second = (said(series["label"]) for series in figure["series"])
    caption = said(figure["caption"])
    if figure["ours"] is None:
        told = _("{first} against {second} was not run here yet.")
        st.caption(f"{caption} {told.format(first=first, second=second)}")
        return
    told = _("{first} is better on {won} of {all} subjects.")
    counts = {"won": figure["ours"]["n_won"], "all": figure["ours"]["n_queries"]}
    st.caption(f"{caption} {told.format(first=first, **counts)}")
    series = subject_scores(figure)
    short = short_name(figure["metric"])
    st.plotly_chart(
        subject_bars(series, metric=short, theme=figure_theme()),
        theme=None,
        config=_CONFIG,
        key=f"chart-{figure['name']}",
        alt=_(
            "{metric} by subject for {first} and {second}. The table below lists the same."
        ).format(metric=short, first=first, second=second),
    )
    with st.expander(_("The same as a table")):
        frame = pd.DataFrame({_("Subject"): [score.subject for score in series[0][1]]})
        for label, scores in series:
            frame[label] = [
                f"{number(score.mean, 3)} ± {number(score.stderr, 3)}" for score in scores
            ]
        st.dataframe(frame, hide_index=True, key=f"table-{figure['name']}")


def draw_ablation(ablation: Mapping[str, Any]) -> None:
    """Draw how a method does when something is taken from it."""
    st.caption(said(ablation["caption"]))
    short = short_name(ablation["metric"])
    rows = []
    for row in ablation["rows"]:
        shown = {
            _("Method"): said(row["label"]),
            _("Data"): said(row["task_label"]),
            _("{metric}, as it is").format(metric=short): row["whole"]["mean"],
        }
        for variant in ablation["variants"]:
            found = row["variants"].get(variant)
            name = said(variant.replace("-", " "))
            mean, p = _("with {change}").format(change=name), f"p, {name}"
            shown[mean] = found["mean"] if found else None
            shown[p] = p_in_words(found["test"]["p_corrected"]) if found else None
        rows.append(shown)
    frame = pd.DataFrame(rows)
    numbers = frame.select_dtypes("number").columns
    st.dataframe(
        frame,
        hide_index=True,
        key=f"ablation-{ablation['name']}",
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in numbers},
    )


def draw_runs(report: Mapping[str, Any], column: Mapping[str, Any], settings: Settings) -> None:
    """Draw seed, commit, versions, device, seconds and recipe of each result in a column."""
    st.caption(
        _(
            "Each result on {data}. Seconds are those of grouping alone; texts were encoded before."
        ).format(data=said(column["task_label"]))
    )
    st.dataframe(
        pd.DataFrame(runs(report, column, settings)),
        hide_index=True,
        key="runs",
        column_config={_("Seconds"): st.column_config.NumberColumn(format="%.2f")},
    )


def draw_paper(report: Mapping[str, Any]) -> None:
    """Draw what the paper says in words, and its tables of data."""
    paper = report["paper"]
    st.markdown(f"{paper['citation']} [{paper['url']}]({paper['url']})")
    quoted = [(one["text"], one["where"]) for one in report["statements"]]
    quoted += [(text, figure["label"]) for figure in report["figures"] for text in figure["says"]]
    items = "".join(
        f"<li><q lang='en'>{html.escape(text)}</q> <i>({html.escape(said(where))})</i></li>"
        for text, where in quoted
    )
    st.html(f"<ul>{items}</ul>")
    for one in report["statistics"]:
        st.caption(f"{said(one['label'])}. {said(one['caption'])}")
        st.dataframe(
            pd.DataFrame(one["rows"], columns=one["columns"]),
            hide_index=True,
            key=f"statistics-{one['label']}",
        )
