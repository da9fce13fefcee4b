"""Reports and results, read once and shared by all visitors."""

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.benchmarks.published import PUBLISHED_DIR, paper_names, read_paper
from subclust.benchmarks.report import REPORTS_DIR, build_report
from subclust.benchmarks.results import RESULTS_DIR
from subclust.benchmarks.saved import SavedResults
from subclust.checkpoints import CheckpointStore
from subclust.exceptions import SubclustError
from subclust.figures import QueryScores, SubjectScore
from subclust.settings import Settings
from subclust.ui.language import _

FIRST_PAPER = "qs3m"
"""The paper that the app's default method comes from."""


def published_papers() -> list[str]:
    """Name the papers whose tables can be shown, that of the default method first."""
    return sorted(paper_names(PUBLISHED_DIR), key=lambda name: (name != FIRST_PAPER, name))


def open_report(name: str) -> Mapping[str, Any]:
    """Give a paper's report: the one in git if it is of these results, otherwise a new one.

    Raises
    ------
    SubclustError
        If the paper or a result cannot be read.
    """
    paper = read_paper(PUBLISHED_DIR / f"{name}.toml")
    with st.spinner(_("Comparing the results …")):
        return _report(name, SavedResults(RESULTS_DIR).digest(paper.tasks, paper.measurements))


@st.cache_data(max_entries=8, show_spinner=False)
def _report(name: str, digest: str) -> dict[str, Any]:
    path = REPORTS_DIR / f"{name}.json"
    if path.is_file():
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if known.get("results") == digest:
            return known
    return build_report(read_paper(PUBLISHED_DIR / f"{name}.toml"), SavedResults(RESULTS_DIR))


def measured(table: Mapping[str, Any], at: int) -> dict[str, str]:
    """Give the methods that were run in a column, our own first: label to result folder."""
    rows = (*table["own"], *table["rows"])
    return {row["label"]: row["cells"][at]["folder"] for row in rows if row["cells"][at]["ours"]}


def query_scores(column: Mapping[str, Any], first: str, second: str) -> list[QueryScores]:
    """Pair the scores of two methods query by query; where one has none, the query is left out.

    Parameters
    ----------
    column : mapping
        Of a report's table.
    first, second : str
        Result folders.
    """
    results = SavedResults(RESULTS_DIR)
    sides = []
    for folder in (first, second):
        saved = results.find(folder, column["task"], column["granularity"])
        metric = saved.metric(column["metric"], column["groups"]) if saved else None
        if saved is None or metric is None:
            return []
        sides.append((saved.queries, metric.per_instance))
    (queries, ours), (others, theirs) = sides
    if queries != others:
        return []
    rows = zip(queries, ours, theirs, strict=True)
    return [QueryScores(*row) for row in rows if row[1] == row[1] and row[2] == row[2]]


def subject_scores(figure: Mapping[str, Any]) -> list[tuple[str, list[SubjectScore]]]:
    """Shape a report's scores by subject for the chart."""
    return [
        (
            series["label"],
            [
                SubjectScore(row["query"], *(row["series"][at][key] for key in ("mean", "stderr")))
                for row in figure["ours"]["queries"]
            ],
        )
        for at, series in enumerate(figure["series"])
    ]


@st.cache_data(max_entries=32, show_spinner=False)
def _training(method: str, checkpoint: str, models_folder: str, _store: CheckpointStore) -> str:
    try:
        card = _store.card(method, checkpoint)
    except SubclustError:
        return ""
    stages = [*card.get("stages", []), card.get("training", {})]
    return " → ".join(
        ", ".join(f"{name} {value}" for name, value in stage.items()) for stage in stages if stage
    )


def runs(
    report: Mapping[str, Any], column: Mapping[str, Any], settings: Settings
) -> list[dict[str, Any]]:
    """Tell how each result in a column was made, one row a method, with its training."""
    store = CheckpointStore.of(settings)
    rows = []
    for run in report["runs"]:
        if (run["task"], run["granularity"]) != (column["task"], column["granularity"]):
            continue
        method = run["method"].partition("@")[0]
        trained = run["checkpoint"]
        rows.append(
            {
                _("Result"): run["method"],
                _("Checkpoint"): trained or "",
                _("Seed"): run["seed"],
                _("Commit"): (run["commit"] or "")[:10],
                _("Device"): run["device"],
                _("Seconds"): run["seconds"],
                _("Encoder"): run["encoder_revision"],
                _("Precision"): run["precision"],
                _("Versions"): ", ".join(f"{k} {v}" for k, v in run["versions"].items()),
                _("Recipe"): _training(method, trained, str(settings.models_dir), store)
                if trained
                else "",
            }
        )
    return rows
