"""The parts of the Benchmarks page."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from subclust.benchmarks.report import METRICS, as_csv, metric_name, report_files, short_name
from subclust.figures import helps_hurts_bars, sorted_by_difference, subject_bars
from subclust.settings import Settings
from subclust.ui.published_table import p_in_words
from subclust.ui.reports import measured, query_scores, runs, subject_scores
from subclust.ui.theme import figure_theme
from subclust.ui.words import counted

_CONFIG = {"displayModeBar": False}

_GRANULARITY = {
    "flat": "Flat: the subtopics are those of the top level.",
    "hierarchical": "Hierarchical: every part of a subtopic is a subtopic of its own.",
}


def draw_sentences(sentences: Sequence[str], column: Mapping[str, Any]) -> None:
    """Draw what a column shows in sentences, and what its words mean."""
    metric = column["metric"]
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    meaning = METRICS.get(metric, ("", ""))[1]
    explained = f"{metric_name(metric)}: {meaning}. " if meaning else ""
    explained += _GRANULARITY[column["granularity"]]
    st.html(
        f"<ul class='sc-reading'>{items}</ul><p class='sc-note'>"
        f"{html.escape(explained[:1].upper() + explained[1:])}</p>"
    )


def draw_legend(table: Mapping[str, Any], at: int, report: Mapping[str, Any]) -> None:
    """Say what the marks mean, and where our data differ from the paper's."""
    column = table["columns"][at]
    dataset = next(one for one in report["datasets"] if one["name"] == column["dataset"])
    st.html(
        "<p class='sc-note' style='max-width:62rem'>▲ and ▼: significantly above and below "
        f"{html.escape(table['reference'])} (★), by a paired t-test at {table['alpha']:g} with "
        f"Bonferroni's correction (here for {counted(column['n_comparisons'], 'test')}); the marks "
        "of published values are the paper's. Better and worse: queries on which a method is above "
        "or below the reference. Not run: there is no result of ours yet.</p>"
    )
    with st.expander("Where the paper's data and ours differ"):
        st.write(dataset["difference"])
        st.write(report["difference"])


def draw_downloads(report: Mapping[str, Any]) -> None:
    """Offer the whole report as CSV, JSON and Markdown."""
    name = report["paper"]["name"]
    files = report_files(report)
    with st.container(horizontal=True, vertical_alignment="center", key="downloads", gap="small"):
        st.html("<span class='sc-note'>Take the whole report with you:</span>", width="content")
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
                help=f"Every table of the paper beside ours, as {label}",
            )


def draw_query_by_query(table: Mapping[str, Any], at: int, default: str | None) -> None:
    """Draw the helps and hurts of any two methods in the column, and the same as a table."""
    column = table["columns"][at]
    folders = measured(table, at)
    if len(folders) < 2:
        st.caption(f"Fewer than two methods were run on {column['task_label']} yet.")
        return
    labels = list(folders)
    ours = next((label for label in labels if folders[label] == default), labels[0])
    reference = table["reference"] if table["reference"] in folders else labels[-1]
    with st.container(horizontal=True, key="pair"):
        first = st.selectbox("Method", labels, index=labels.index(ours), key="first", width=260)
        second = st.selectbox(
            "Compared with", labels, index=labels.index(reference), key="second", width=260
        )
    scores = query_scores(column, folders[first], folders[second])
    short = short_name(column["metric"])
    wins = sum(score.difference > 0 for score in scores)
    losses = sum(score.difference < 0 for score in scores)
    st.caption(
        f"One bar a query of {column['task_label']}, from the greatest help to the greatest hurt; "
        f"its height is the difference in {short}. Point at a bar to see the query."
    )
    st.plotly_chart(
        helps_hurts_bars(scores, first, second, theme=figure_theme()),
        theme=None,
        config=_CONFIG,
        key="helps-hurts",
        alt=f"{first} is better than {second} on {wins} of {len(scores)} queries "
        f"and worse on {losses}. The table below lists the same.",
    )
    with st.expander("The same as a table"):
        rows = [
            {
                "Query": score.query,
                first: score.first,
                f"{second} ": score.second,
                "Difference": score.difference,
            }
            for score in sorted_by_difference(scores)
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key="helps-hurts-table",
            alt=f"{short} of each query under {first} and {second}",
            column_config={
                name: st.column_config.NumberColumn(format="%.3f")
                for name in (first, f"{second} ", "Difference")
            },
        )


def draw_subjects(figure: Mapping[str, Any]) -> None:
    """Draw a figure of subjects with errors, or say that it was not run."""
    first, second = (series["label"] for series in figure["series"])
    if figure["ours"] is None:
        st.caption(f"{figure['caption']} {first} against {second} was not run here yet.")
        return
    st.caption(
        f"{figure['caption']} {first} is better on {figure['ours']['n_won']} of "
        f"{figure['ours']['n_queries']} subjects."
    )
    series = subject_scores(figure)
    short = short_name(figure["metric"])
    st.plotly_chart(
        subject_bars(series, metric=short, theme=figure_theme()),
        theme=None,
        config=_CONFIG,
        key=f"chart-{figure['name']}",
        alt=f"{short} by subject for {first} and {second}. The table below lists the same.",
    )
    with st.expander("The same as a table"):
        frame = pd.DataFrame({"Subject": [score.subject for score in series[0][1]]})
        for label, scores in series:
            frame[label] = [f"{score.mean:.3f} ± {score.stderr:.3f}" for score in scores]
        st.dataframe(frame, hide_index=True, key=f"table-{figure['name']}")


def draw_ablation(ablation: Mapping[str, Any]) -> None:
    """Draw how a method does when something is taken from it."""
    st.caption(ablation["caption"])
    short = short_name(ablation["metric"])
    rows = []
    for row in ablation["rows"]:
        shown = {
            "Method": row["label"],
            "Data": row["task_label"],
            f"{short}, as it is": row["whole"]["mean"],
        }
        for variant in ablation["variants"]:
            found = row["variants"].get(variant)
            name = variant.replace("-", " ")
            shown[f"with {name}"] = found["mean"] if found else None
            shown[f"p, {name}"] = p_in_words(found["test"]["p_corrected"]) if found else None
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
        f"Each result on {column['task_label']}, as 'python -m subclust bench {column['task']} "
        "--save' told it. Seconds are those of grouping alone; texts were encoded before."
    )
    st.dataframe(
        pd.DataFrame(runs(report, column, settings)),
        hide_index=True,
        key="runs",
        column_config={"Seconds": st.column_config.NumberColumn(format="%.2f")},
    )


def draw_paper(report: Mapping[str, Any]) -> None:
    """Draw what the paper says in words, and its tables of data."""
    paper = report["paper"]
    st.markdown(f"{paper['citation']} [{paper['url']}]({paper['url']})")
    said = [(one["text"], one["where"]) for one in report["statements"]]
    said += [(text, figure["label"]) for figure in report["figures"] for text in figure["says"]]
    items = "".join(f"<li>{html.escape(t)} <i>({html.escape(w)})</i></li>" for t, w in said)
    st.html(f"<ul>{items}</ul>")
    for one in report["statistics"]:
        st.caption(f"{one['label']}. {one['caption']}")
        st.dataframe(
            pd.DataFrame(one["rows"], columns=one["columns"]),
            hide_index=True,
            key=f"statistics-{one['label']}",
        )
