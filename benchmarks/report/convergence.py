"""How soon training pays: held-out scores against the time spent in training steps."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.naming import names_in

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


def training_times(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
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
