"""What our results say where the paper has a figure."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.comparison import check_same_queries, compare, relative_gain
from benchmarks.report.naming import names_in, plays
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary

MEASURES = {"peak_mb": "memory", "cpu_seconds": "time"}
"""What is shown of a row, and what it is called."""
_Values = list[tuple[SavedScores, MetricSummary]]

_FACTS = (
    "method",
    "checkpoint",
    "seed",
    "n_training_queries",
    "n_training_passages",
    "steps",
    "steps_per_epoch",
    "seconds_per_step",
    "seconds_per_epoch",
    "stopped",
)


def compare_figure(figure: PublishedFigure, results: SavedResults) -> dict[str, Any]:
    """Answer a figure of the paper with our results.

    Returns
    -------
    dict
        ``says``, what the paper's text says; ``ours``, None where nothing of it was run, otherwise
        that of `_compare_queries`, or ``panels``, one for each measurement there is, as
        `_training_times`, `_query_spaces` or `_growth_by_size` gives them.

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
        else _compare_queries(figure, results),
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


def _growth_by_size(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``context`` measured, size by size.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), figure 4.

    Returns
    -------
    dict
        The conditions, the ``contexts`` that were measured, ``sizes``, ``growth`` and ``compared``.
        A size has ``n_entities``, ``n_tokens`` and, by context, ``memory`` (MB above the model's)
        and ``time`` (seconds of the processor), None where it failed; growth has the exponents of
        both by context, fitted; compared are SIA's memory to NIA's and the share of FIA's time it
        saves.
    """
    sizes: dict[tuple[int, int], dict[str, Any]] = {}
    for row in found["rows"]:
        place = row["n_entities"], row["n_tokens"]
        size = sizes.setdefault(
            place, {"n_entities": place[0], "n_tokens": place[1], "memory": {}, "time": {}}
        )
        for measured, name in MEASURES.items():
            size[name][row["context"]] = row.get(measured)
    return {
        "story": {
            **found.get("story", {}),
            **{name: found.get(name) for name in ("shape", "precision", "threads")},
        },
        "contexts": list(dict.fromkeys(row["context"] for row in found["rows"])),
        "sizes": [sizes[one] for one in sorted(sizes, key=lambda one: (one[1], one[0]))],
        "growth": {
            context: {name: fitted.get(measured) for measured, name in MEASURES.items()}
            for context, fitted in found["growth"].items()
        },
        "compared": found["compared"],
    }


def _query_spaces(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the spaces of the queries that were measured, and on how many the paper's method wins.

    Source: Kashyapi and Dietz, RepL4NLP 2021, figure 4.

    Returns
    -------
    dict
        The ``rule`` by which the queries were chosen and ``queries``. A query has its
        ``subtopics`` by name, the largest first, the ``gold`` subtopic of each passage as a place
        in that list, and ``methods`` with label, ARI, coordinates and explained share. ``n_won``
        and ``n_compared``: of so many queries that both series measured, the first has the higher
        ARI on so many.
    """
    queries = [_query(figure, at, one) for one in found["queries"]]
    pairs = [_pair(figure, at, one) for one in found["queries"]]
    compared = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
    return {
        "rule": found["rule"],
        "n_won": sum(mine > theirs for mine, theirs in compared),
        "n_compared": len(compared),
        "queries": queries,
    }


def _query(figure: PublishedFigure, at: int, one: Mapping[str, Any]) -> dict[str, Any]:
    sizes = Counter(one["gold"])
    subtopics = sorted(sizes, key=lambda name: (-sizes[name], str(name)))
    labels = names_in(
        [(method["method"], method["method"].partition("@")[2]) for method in one["methods"]],
        figure.series,
        at,
    )
    return {
        "query": one["query"],
        "n_clusters": one["n_clusters"],
        "subtopics": [str(name) for name in subtopics],
        "gold": [subtopics.index(name) for name in one["gold"]],
        "methods": [
            {
                "method": method["method"],
                "label": label,
                "ari": method["ari"],
                "groups": method["groups"],
                "explained": method["explained"],
                "coordinates": method["coordinates"],
            }
            for label, method in zip(labels, one["methods"], strict=True)
        ],
    }


def _pair(
    figure: PublishedFigure, at: int, one: Mapping[str, Any]
) -> tuple[float | None, float | None]:
    mine, theirs = (
        next((m["ari"] for m in one["methods"] if plays(m["method"], series, at)), None)
        for series in figure.series
    )
    return mine, theirs


def _compare_queries(figure: PublishedFigure, results: SavedResults) -> dict[str, Any] | None:
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


def _training_times(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Compare how long methods train until they are as good as the reference ever gets.

    Source: Kashyapi and Dietz, RepL4NLP 2021, section 4.4.3.

    Returns
    -------
    dict
        ``reference``, ``reference_best`` (the highest score on its curve) and ``runs``, the paper's
        method and its reference first. A run has its sizes and times, its ``curve`` of
        ``training_seconds`` and ``score``, ``best``, and ``reached_seconds``, the training time at
        which it first scored ``reference_best`` (None if never); ``speedup`` and
        ``epoch_speedup`` are the reference's times divided by its own.
    """
    labels = names_in(
        [(run["method"], run.get("checkpoint")) for run in found["runs"]], figure.series, at
    )
    runs = [
        {"label": label, **{fact: run.get(fact) for fact in _FACTS}, **_scores(run, figure.metric)}
        for label, run in zip(labels, found["runs"], strict=True)
    ]
    order = [series.label for series in figure.series]
    runs.sort(key=lambda run: order.index(run["label"]) if run["label"] in order else len(order))
    reference = next(
        (run for run in runs if run["method"] == found["comparison"]["reference"]), runs[0]
    )
    for run in runs:
        reached = _reached(run["curve"], reference["best"])
        run["reached_seconds"] = reached
        run["speedup"] = _ratio(_reached(reference["curve"], reference["best"]), reached)
        run["epoch_speedup"] = _ratio(reference["seconds_per_epoch"], run["seconds_per_epoch"])
    return {
        "training": [one.get("name") for one in found.get("training", [])],
        "validation": found.get("validation", {}).get("name"),
        "reference": reference["label"],
        "reference_best": reference["best"],
        "runs": runs,
    }


def _scores(run: Mapping[str, Any], metric: str) -> dict[str, Any]:
    curve = [
        {
            "step": point.get("step"),
            "epoch": point.get("epoch"),
            "training_seconds": point["training_seconds"],
            "score": point[metric],
        }
        for point in run["curve"]
    ]
    return {"curve": curve, "best": max((point["score"] for point in curve), default=None)}


def _reached(curve: Sequence[Mapping[str, Any]], score: float | None) -> float | None:
    """Return the training seconds at which a curve first was at a score."""
    if score is None:
        return None
    return next((p["training_seconds"] for p in curve if p["score"] >= score), None)


def _ratio(of: float | None, to: float | None) -> float | None:
    return of / to if of is not None and to else None


_MEASURED: dict[str, tuple[str, str, Callable[..., dict[str, Any]]]] = {
    "convergence": ("convergence", "runs", _training_times),
    "epoch-time": ("convergence", "runs", _training_times),
    "spaces": ("spaces", "queries", _query_spaces),
    "growth": ("context", "rows", _growth_by_size),
}
"""For kinds of figures the folder of measurements, what must be in one, and what it becomes."""
