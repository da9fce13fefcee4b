"""What our results say where the paper has a figure."""

from collections.abc import Callable
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.convergence import compare_convergence
from benchmarks.report.growth import compare_growth
from benchmarks.report.query_figures import compare_queries
from benchmarks.report.spaces import compare_spaces
from benchmarks.saved import SavedResults

_ANSWERS: dict[str, Callable[[PublishedFigure, SavedResults], dict[str, Any] | None]] = {
    "helps-hurts": compare_queries,
    "per-query": compare_queries,
    "convergence": compare_convergence,
    "epoch-time": compare_convergence,
    "spaces": compare_spaces,
    "growth": compare_growth,
}


def compare_figure(figure: PublishedFigure, results: SavedResults) -> dict[str, Any]:
    """Answer a figure of the paper with our results.

    Returns
    -------
    dict
        ``says``, what the paper's text says; ``ours``, None where nothing of it was run, otherwise
        that of `compare_queries`, `compare_convergence`, `compare_spaces` or `compare_growth`.

    Raises
    ------
    BenchmarkError
        If a result cannot be read, or two are of different queries.
    """
    return {
        "name": figure.name,
        "label": figure.label,
        "caption": figure.caption,
        "kind": figure.kind,
        "datasets": [dataset.name for dataset in figure.datasets],
        "tasks": [dataset.task for dataset in figure.datasets],
        "metric": figure.metric,
        "granularity": figure.granularity,
        "series": [
            {"label": series.label, "methods": list(series.methods)} for series in figure.series
        ],
        "says": list(figure.says),
        "ours": _ANSWERS[figure.kind](figure, results),
    }
