"""Trainings with several seeds, each question averaged over them."""

import re
from collections.abc import Sequence

import numpy as np

from benchmarks.published import Column
from benchmarks.report.comparison import check_same_queries
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary

_FURTHER = re.compile(r"-seed-[1-9]\d*$")


def first_seed(folder: str) -> str:
    """Return the name of a training's result with seed 0."""
    return _FURTHER.sub("", folder)


def seeds_of(methods: Sequence[str], column: Column, results: SavedResults) -> list[SavedScores]:
    """Return the seeds of a training that were measured for a column.

    Raises
    ------
    BenchmarkError
        If they are of different queries.
    """
    task, granularity = column.dataset.task, column.granularity
    found = [results.find(method, task, granularity) for method in methods]
    seeds = [one for one in found if one is not None and one.metric(column.metric, column.groups)]
    for one in seeds:
        check_same_queries(one, seeds[0])
    return seeds


def mean_of(seeds: Sequence[SavedScores], metric: str, scores: str) -> MetricSummary:
    """Average each query over the seeds.

    Parameters
    ----------
    seeds : sequence of SavedScores
        At least one, each with the metric, over the same queries.
    metric, scores : str
        As for `SavedScores.metric`.
    """
    found = [summary for one in seeds if (summary := one.metric(metric, scores)) is not None]
    if len(found) == 1:
        return found[0]
    values = np.mean([one.per_instance for one in found], axis=0)
    return MetricSummary.of(values.tolist())
