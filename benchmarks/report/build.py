"""Compare a paper with our results, and keep the comparison as files."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.published import PUBLISHED_DIR, Paper, paper_names, read_paper
from benchmarks.report.ablations import compare_ablation, compare_contrast
from benchmarks.report.comparison import rounded
from benchmarks.report.figures import compare_figure
from benchmarks.report.markdown import as_markdown
from benchmarks.report.pictures import draw_pictures
from benchmarks.report.reading import read_aloud
from benchmarks.report.searches import compare_search
from benchmarks.report.tables import compare_table
from benchmarks.saved import SavedResults
from subclust.core.exceptions import BenchmarkError

REPORTS_DIR = Path(__file__).parent.parent / "reports"

_TOLD = (
    "checkpoint",
    "seed",
    "commit",
    "encoder",
    "encoder_revision",
    "precision",
    "device",
    "processor",
    "seconds",
)


def build_report(paper: Paper, results: SavedResults) -> dict[str, Any]:
    """Compare what a paper published with our results.

    The report follows from the two alone: no time, no machine, no order of files is in it.

    Returns
    -------
    dict
        What ``report --json`` prints for the paper.

    Raises
    ------
    BenchmarkError
        If a result cannot be read, or results that are compared are of different queries.
    """
    report = {
        "paper": {
            "name": paper.name,
            "label": paper.label,
            "title": paper.title,
            "citation": paper.citation,
            "url": paper.url,
        },
        "results": results.digest(paper.tasks, paper.measurements),
        "difference": paper.difference,
        "datasets": [asdict(dataset) for dataset in paper.datasets],
        "tables": [compare_table(table, results) for table in paper.tables],
        "figures": [compare_figure(figure, results) for figure in paper.figures],
        "searches": [compare_search(search, results) for search in paper.searches],
        "ablations": [compare_ablation(ablation, results) for ablation in paper.ablations],
        "contrasts": [compare_contrast(contrast, paper, results) for contrast in paper.contrasts],
        "statistics": [asdict(statistics) for statistics in paper.statistics],
        "statements": [asdict(statement) for statement in paper.statements],
        "runs": _runs(paper, results),
    }
    whole: dict[str, Any] = rounded(report)
    return {"paper": whole.pop("paper"), "reading": read_aloud(whole), **whole}


def build_reports(results: SavedResults, published: Path = PUBLISHED_DIR) -> dict[str, Any]:
    """Return the report of each paper by its name."""
    return {
        name: build_report(read_paper(published / f"{name}.toml"), results)
        for name in paper_names(published)
    }


def report_files(report: Mapping[str, Any]) -> dict[str, str]:
    """Write a report out as the text of its files, by their names: Markdown and pictures."""
    name = report["paper"]["name"]
    return {
        f"{name}.md": as_markdown(report),
        **draw_pictures(report),
    }


def write_reports(reports: Mapping[str, Any], folder: Path = REPORTS_DIR) -> list[Path]:
    """Write the files of each report, each whole or not at all.

    Raises
    ------
    BenchmarkError
        If the folder cannot be written to.
    """
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for report in reports.values():
            for name, text in report_files(report).items():
                partial = folder / f"{name}.partial"
                partial.write_bytes(text.encode())
                partial.replace(folder / name)
                paths.append(folder / name)
    except OSError as error:
        raise BenchmarkError(
            "The reports cannot be written to {folder}: {error}.", folder=folder, error=error
        ) from error
    return paths


def check_reports(reports: Mapping[str, Any], folder: Path = REPORTS_DIR) -> None:
    """See that the files of a folder are byte for byte these reports.

    Raises
    ------
    BenchmarkError
        If one is missing or another; the sentence names them and says what to do.
    """
    stale = [
        name
        for report in reports.values()
        for name, text in report_files(report).items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != text.encode()
    ]
    if stale:
        raise BenchmarkError(
            "Not what the results give: {names} in {folder}; run 'python -m benchmarks "
            "report' and commit what it writes.",
            names=", ".join(stale),
            folder=folder,
        )


def _runs(paper: Paper, results: SavedResults) -> list[dict[str, Any]]:
    """Return how each result on the paper's tasks was made."""
    runs = []
    for task in paper.tasks:
        for folder in results.folders(task):
            for granularity in ("flat", "hierarchical"):
                saved = results.find(folder, task, granularity)
                if saved is not None:
                    run = {"method": folder, "task": task, "granularity": granularity}
                    told = saved.story | {"checkpoint": saved.checkpoint}
                    versions = told.get("versions", {})
                    runs.append(
                        run
                        | {name: told.get(name) for name in _TOLD}
                        | {"versions": {name: versions[name] for name in sorted(versions)}}
                    )
    return runs
