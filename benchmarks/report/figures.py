"""What our results say where the paper has a figure."""

from collections.abc import Callable
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.convergence import training_times
from benchmarks.report.growth import growth_by_size
from benchmarks.report.query_figures import compare_queries
from benchmarks.report.spaces import query_spaces
from benchmarks.saved import SavedResults

_MEASURED: dict[str, tuple[str, str, Callable[..., dict[str, Any]]]] = {
    "convergence": ("convergence", "runs", training_times),
    "epoch-time": ("convergence", "runs", training_times),
    "spaces": ("spaces", "queries", query_spaces),
    "growth": ("context", "rows", growth_by_size),
}
"""For kinds of figures the folder of measurements, what must be in one, and what it becomes."""


def compare_figure(figure: PublishedFigure, results: SavedResults) -> dict[str, Any]:
    """Answer a figure of the paper with our results.

    Returns
    -------
    dict
        ``says``, what the paper's text says; ``ours``, None where nothing of it was run, otherwise
        that of `compare_queries`, or ``panels``, one for each measurement there is, as
        `training_times`, `query_spaces` or `growth_by_size` gives them.

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
        "ours": _panels(figure, results)
        if figure.kind in _MEASURED
        else compare_queries(figure, results),
    }


def _panels(figure: PublishedFigure, results: SavedResults) -> dict[str, Any] | None:
    folder, needed, panel = _MEASURED[figure.kind]
    panels = []
    for at, measurement in enumerate(figure.measurements):
        found = results.measurement(folder, measurement.name)
        if found is not None and found[needed]:
            panels.append(
                {
                    "name": measurement.name,
                    "label": measurement.label,
                    "dataset": measurement.dataset.name,
                    "story": found.get("story", {}),
                    **panel(figure, at, found),
                }
            )
    return {"panels": panels} if panels else None
