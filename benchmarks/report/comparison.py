"""One method against its reference over the same queries."""

import math
from collections.abc import Mapping
from typing import Any

from scipy.stats import t as student

from benchmarks.saved import SavedScores
from subclust.core.exceptions import BenchmarkError
from subclust.evaluation.results import MetricSummary
from subclust.evaluation.significance import bootstrap_interval, helps_hurts, paired_t_test

ABOVE, BELOW, REFERENCE = "▲", "▼", "★"

DIGITS = 6
"""Decimals of every number in a report: where processors differ, they differ further behind."""


def compare(
    mine: MetricSummary, reference: MetricSummary, *, n_comparisons: int, alpha: float
) -> dict[str, Any]:
    """Test one method against the reference, as the papers do, and count the queries.

    Source: Kashyapi and Dietz, JCDL 2022, table 2 (paired t-test, Bonferroni) and figure 3
    (helps and hurts). The interval is ours: 95%, queries resampled in pairs.

    Parameters
    ----------
    mine, reference : MetricSummary
        Over the same queries.
    n_comparisons : int
        Tests made in the same column.
    alpha : float
        Level before the correction.

    Returns
    -------
    dict
        ``mark`` ("▲", "▼" or ""), ``mean_difference``, ``low``, ``high``, ``p_corrected``,
        ``wins``, ``ties`` and ``losses``.
    """
    test = paired_t_test(mine.per_instance, reference.per_instance, n_comparisons=n_comparisons)
    interval = bootstrap_interval(mine.per_instance, reference.per_instance)
    counts = helps_hurts(mine.per_instance, reference.per_instance)
    mark = ""
    if test.is_significant(alpha):
        mark = ABOVE if test.mean_difference > 0 else BELOW
    return {
        "mark": mark,
        "mean_difference": test.mean_difference,
        "low": interval.low,
        "high": interval.high,
        "p_corrected": test.p_corrected,
        "wins": counts.wins,
        "ties": counts.ties,
        "losses": counts.losses,
    }


def check_same_queries(first: SavedScores, second: SavedScores) -> None:
    """Refuse to compare results over different queries.

    Raises
    ------
    BenchmarkError
        If the queries are not the same, in the same order.
    """
    if first.queries != second.queries:
        raise BenchmarkError(
            "The results of {folder} and {folder_2} on {task} are of different queries; run "
            "'python -m benchmarks run {task} --save' with both methods.",
            folder=first.folder,
            folder_2=second.folder,
            task=first.task,
        )


def relative_gain(value: float | None, reference: float | None) -> float | None:
    """Return the share by which a value is above a reference; None where it makes no sense.

    A reference of 0 or less, as an adjusted Rand index can be, has no shares.
    """
    if value is None or reference is None or reference <= 0:
        return None
    return value / reference - 1


def summary(metric: MetricSummary) -> dict[str, Any]:
    """Return mean, standard error and the number of queries on which the metric is defined."""
    n_queries = sum(not math.isnan(value) for value in metric.per_instance)
    return {"mean": metric.mean, "stderr": metric.stderr, "n_queries": n_queries}


def half_interval(metric: MetricSummary) -> float:
    """Return half of the 95% interval of the mean, after Student; 0 with fewer than two queries."""
    n_queries = sum(not math.isnan(value) for value in metric.per_instance)
    return float(student.ppf(0.975, n_queries - 1)) * metric.stderr if n_queries > 1 else 0.0


def rounded(value: Any) -> Any:
    """Round all numbers in an object; None stands for nan and infinity, which JSON has not."""
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value
