"""Trainings with and without something, over the same queries, their seeds averaged."""

from typing import Any

from benchmarks.published import Contrast, Paper
from benchmarks.report.ablations import ALPHA
from benchmarks.report.comparison import check_same_queries, compare, relative_gain, summary
from benchmarks.report.seeds import mean_of, seeds_of
from benchmarks.saved import SavedResults


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
            if (mine := seeds_of(pair.methods, column, results))
            and (others := seeds_of(pair.others, column, results))
        ]
        for pair, mine, others in found:
            check_same_queries(others[0], mine[0])
            whole, less = (mean_of(seeds, column.metric, column.groups) for seeds in (mine, others))
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
