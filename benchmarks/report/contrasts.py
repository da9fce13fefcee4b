"""Trainings with and without something, over the same queries, their seeds averaged."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.published import Column, Contrast, Paper
from benchmarks.report.ablations import ALPHA
from benchmarks.report.comparison import check_same_queries, compare, relative_gain, summary
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary


def compare_contrast(contrast: Contrast, paper: Paper, results: SavedResults) -> dict[str, Any]:
    """Compare what each pair of a contrast scores here with what the paper prints of it.

    Returns
    -------
    dict
        ``rows``, one for each pair and column that were measured: ``with`` and ``without`` with
        mean, standard error and ``n_seeds``, the ``gain`` of the first over the second as
        ``published`` and ``ours``, and the ``test`` of the two, corrected for the pairs of the same
        column (see `compare`).
    """
    table = next(one for one in paper.tables if one.name == contrast.table)
    printed = {row.label: row.cells for row in table.rows}
    rows = []
    for at, column in enumerate(table.columns):
        if (column.metric, column.granularity) != (contrast.metric, contrast.granularity):
            continue
        found = [
            (pair, mine, others)
            for pair in contrast.pairs
            if (mine := _seeds(pair.methods, column, results))
            and (others := _seeds(pair.others, column, results))
        ]
        for pair, mine, others in found:
            for one in (*mine, *others):
                check_same_queries(one, mine[0])
            whole, less = _mean(mine, column), _mean(others, column)
            rows.append(
                {
                    "label": pair.label,
                    "dataset": column.dataset.name,
                    "task": column.dataset.task,
                    "task_label": column.dataset.label,
                    "with": {**summary(whole), "n_seeds": len(mine)},
                    "without": {**summary(less), "n_seeds": len(others)},
                    "gain": {
                        "published": relative_gain(
                            printed[pair.row][at].value, printed[contrast.against][at].value
                        ),
                        "ours": relative_gain(whole.mean, less.mean),
                    },
                    "test": compare(whole, less, n_comparisons=len(found), alpha=ALPHA),
                }
            )
    return {
        "name": contrast.name,
        "label": contrast.label,
        "caption": contrast.caption,
        "metric": contrast.metric,
        "rows": rows,
    }


def _seeds(methods: Sequence[str], column: Column, results: SavedResults) -> list[SavedScores]:
    """Return the seeds of a training that were measured."""
    task, granularity = column.dataset.task, column.granularity
    found = [results.find(method, task, granularity) for method in methods]
    return [one for one in found if one is not None and one.metric(column.metric, column.groups)]


def _mean(seeds: Sequence[SavedScores], column: Column) -> MetricSummary:
    """Average each query over the seeds."""
    found = [one.metric(column.metric, column.groups) for one in seeds]
    values = np.mean([one.per_instance for one in found if one is not None], axis=0)
    return MetricSummary.of(values.tolist())
