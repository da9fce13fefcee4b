"""Figures that compare two methods query by query."""

import math
from collections.abc import Sequence
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.comparison import check_same_queries, compare, relative_gain
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary

_Values = list[tuple[SavedScores, MetricSummary]]


def compare_queries(figure: PublishedFigure, results: SavedResults) -> dict[str, Any] | None:
    """Compare the two series of a figure query by query.

    Returns
    -------
    dict or None
        None where a method was not run. For helps-hurts it has ``n_queries``, ``wins``, ``ties``,
        ``losses``, ``share_won`` (0 to 1) and the test; for per-query the ``queries``, each with
        mean and standard error over the data sets for both series, and ``n_won``.

    Raises
    ------
    BenchmarkError
        If a result cannot be read, or two are of different queries.
    """
    first, second = (_values(figure, series.methods, results) for series in figure.series)
    if first is None or second is None:
        return None
    for (mine, _), (theirs, _) in zip(first, second, strict=True):
        check_same_queries(mine, theirs)
    return _helps_hurts(first, second) if figure.kind == "helps-hurts" else _by_query(first, second)


def _values(
    figure: PublishedFigure, methods: Sequence[str | None], results: SavedResults
) -> _Values | None:
    """Return a series' result on each data set, None where one is missing."""
    values = []
    for dataset, method in zip(figure.datasets, methods, strict=True):
        saved = results.find(method, dataset.task, figure.granularity) if method else None
        metric = saved.metric(figure.metric) if saved else None
        if saved is None or metric is None:
            return None
        values.append((saved, metric))
    return values


def _helps_hurts(first: _Values, second: _Values) -> dict[str, Any]:
    mine, theirs = _joined(first), _joined(second)
    test = compare(mine, theirs, n_comparisons=1, alpha=0.05)
    n_queries = test["wins"] + test["ties"] + test["losses"]
    return {
        "n_queries": n_queries,
        "share_won": test["wins"] / n_queries if n_queries else None,
        "gain": relative_gain(mine.mean, theirs.mean),
        **test,
    }


def _joined(values: _Values) -> MetricSummary:
    return MetricSummary.of([value for _, metric in values for value in metric.per_instance])


def _by_query(first: _Values, second: _Values) -> dict[str, Any]:
    mine, theirs = _grouped(first), _grouped(second)
    queries = []
    n_won = 0
    for query in mine:
        if query in theirs:
            pair = _mean_and_error(mine[query]), _mean_and_error(theirs[query])
            n_won += pair[0]["mean"] > pair[1]["mean"]
            queries.append({"query": query, "series": list(pair)})
    return {"queries": queries, "n_queries": len(queries), "n_won": n_won}


def _grouped(values: _Values) -> dict[str, list[float]]:
    """Collect the values of each query over the data sets, in the order of the first."""
    grouped: dict[str, list[float]] = {}
    for saved, metric in values:
        for query, value in zip(saved.queries, metric.per_instance, strict=True):
            if not math.isnan(value):
                grouped.setdefault(query, []).append(value)
    return grouped


def _mean_and_error(values: Sequence[float]) -> dict[str, Any]:
    summed = MetricSummary.of(values)
    return {"mean": summed.mean, "stderr": summed.stderr, "n": len(values)}
