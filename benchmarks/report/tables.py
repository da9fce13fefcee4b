"""A published table with ours beside it."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

from benchmarks.published import Cell, Column, Table
from benchmarks.report.comparison import (
    REFERENCE,
    check_same_queries,
    compare,
    half_interval,
    relative_gain,
    summary,
)
from benchmarks.report.seeds import first_seed, mean_of, seeds_of
from benchmarks.saved import SavedResults, SavedScores
from subclust.evaluation.results import MetricSummary
from subclust.methods import METHODS

NOT_RUN = "not run"
NOT_SAVED = "not measured"


def compare_table(table: Table, results: SavedResults) -> dict[str, Any]:
    """Set our results beside a table, column by column.

    Returns
    -------
    dict
        ``columns``; ``rows``, those of the paper; ``own``, our methods that the paper has not, best
        first; ``order``, one comparison a column. A cell has ``published`` (value, mark,
        approximate), ``ours`` (mean, stderr, n_queries) or why it is ``missing``, ``difference``
        (ours minus published), ``gain`` (relative to the reference row of each side) and ``test``
        (see `compare`). Where the paper prints 95% intervals, both sides have their half as
        ``spread``.

    Raises
    ------
    BenchmarkError
        If a result cannot be read, or two are of different queries.
    """
    own = _own_methods(table, results) if table.own else []
    columns = [_ColumnOfOurs(table, at, own, results) for at in range(len(table.columns))]
    rows = [
        {
            "label": row.label,
            "note": row.note,
            "cells": [column.cell(row.label) for column in columns],
        }
        for row in table.rows
    ]
    others: list[dict[str, Any]] = [
        {
            "label": method_label(name),
            "note": "",
            "cells": [column.cell(name) for column in columns],
        }
        for name in own
    ]
    main = [column.name for column in table.columns].index(table.main)
    others.sort(key=lambda row: (-_mean_of(row["cells"][main]), row["label"]))
    return {
        "name": table.name,
        "label": table.label,
        "caption": table.caption,
        "reference": table.reference,
        "alpha": table.alpha,
        "main": table.main,
        "columns": [column.described() for column in columns],
        "rows": rows,
        "own": others,
        "order": [_order(table, at, rows) for at in range(len(table.columns))],
    }


def method_label(folder: str) -> str:
    """Return the label of a method, with its checkpoint where the name tells one."""
    name, _, checkpoint = folder.partition("@")
    label = METHODS[name].label if name in METHODS else name
    return f"{label} ({checkpoint})" if checkpoint else label


class _ColumnOfOurs:
    """Our results in one column, and the tests that are made there.

    Parameters
    ----------
    at : int
        Which column.
    own : sequence of str
        Methods to test beside those of the table.
    """

    def __init__(self, table: Table, at: int, own: Sequence[str], results: SavedResults) -> None:
        self.table = table
        self.column: Column = table.columns[at]
        self.published: dict[str, Cell] = {row.label: row.cells[at] for row in table.rows}
        self.methods: dict[str, str | None] = {row.label: row.methods[at] for row in table.rows}
        self.methods |= {name: name for name in own}
        self.saved: dict[str, SavedScores | None] = {
            label: None
            if method is None
            else results.find(method, self.column.dataset.task, self.column.granularity)
            for label, method in self.methods.items()
        }
        further = {row.label: row.further for row in table.rows}
        self.ours: dict[str, MetricSummary | None] = {
            label: self._mean(saved, further.get(label, ()), results)
            for label, saved in self.saved.items()
        }
        self.n_comparisons = max(1, sum(ours is not None for ours in self.ours.values()) - 1)

    def _mean(
        self, saved: SavedScores | None, further: Sequence[str], results: SavedResults
    ) -> MetricSummary | None:
        if saved is None or saved.metric(self.column.metric, self.column.groups) is None:
            return None
        seeds = [saved.folder, *further]
        found = seeds_of(seeds, self.column, results)
        return mean_of(found, self.column.metric, self.column.groups)

    def described(self) -> dict[str, Any]:
        """Return what the column is."""
        measured = [ours for ours in self.ours.values() if ours is not None]
        shown = self.ours[self.table.reference] or (measured[0] if measured else None)
        return {
            "name": self.column.name,
            "label": self.column.label,
            "dataset": self.column.dataset.name,
            "task": self.column.dataset.task,
            "task_label": self.column.dataset.label,
            "metric": self.column.metric,
            "granularity": self.column.granularity,
            "groups": self.column.groups,
            "n_queries": 0 if shown is None else len(shown.per_instance),
            "n_comparisons": self.n_comparisons,
        }

    def cell(self, label: str) -> dict[str, Any]:
        """Return one method's cell."""
        ours, saved = self.ours[label], self.saved[label]
        printed = self.published.get(label, Cell(None))
        value = printed.value
        reference = self.ours[self.table.reference]
        return {
            "method": self.methods[label],
            "folder": None if saved is None else saved.folder,
            "published": None
            if value is None
            else {
                "value": value,
                "mark": printed.mark,
                "approximate": printed.approximate,
                **({"spread": printed.spread} if printed.spread is not None else {}),
            },
            "ours": None if ours is None else self._summary(ours),
            "missing": "" if ours is not None else NOT_RUN if saved is None else NOT_SAVED,
            "difference": None if ours is None or value is None else ours.mean - value,
            "gain": {
                "published": relative_gain(value, self.published[self.table.reference].value),
                "ours": relative_gain(
                    None if ours is None else ours.mean,
                    None if reference is None else reference.mean,
                ),
            },
            "test": self._test(label),
        }

    def _summary(self, ours: MetricSummary) -> dict[str, Any]:
        spread = {"spread": half_interval(ours)} if self.table.intervals else {}
        return summary(ours) | spread

    def _test(self, label: str) -> dict[str, Any] | None:
        ours, saved = self.ours[label], self.saved[label]
        reference, against = self.ours[self.table.reference], self.saved[self.table.reference]
        if ours is None or saved is None or reference is None or against is None:
            return None
        if label == self.table.reference:
            return {"mark": REFERENCE}
        check_same_queries(saved, against)
        return compare(ours, reference, n_comparisons=self.n_comparisons, alpha=self.table.alpha)


def _own_methods(table: Table, results: SavedResults) -> list[str]:
    """Name the methods that have results on the table's tasks and no row in it.

    Of a training with several seeds, the first alone is named.
    """
    beside: set[str] = set()
    present: set[str] = set()
    for at, column in enumerate(table.columns):
        task = column.dataset.task
        present.update(results.folders(task))
        for row in table.rows:
            method = row.methods[at]
            saved = results.find(method, task, column.granularity) if method else None
            beside.update(name for name in (method, saved and saved.folder) if name)
    return sorted(name for name in present - beside if name == first_seed(name))


def _order(table: Table, at: int, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    both = [
        (row["label"], row["cells"][at]["published"]["value"], row["cells"][at]["ours"]["mean"])
        for row in rows
        if row["cells"][at]["published"] and row["cells"][at]["ours"]
    ]
    labels, published, ours = ([row[part] for row in both] for part in range(3))
    return {"column": table.columns[at].name, **compare_order(labels, published, ours)}


def _mean_of(cell: dict[str, Any]) -> float:
    return float(cell["ours"]["mean"]) if cell["ours"] else -1.0


def compare_order(
    labels: Sequence[str], published: Sequence[float], ours: Sequence[float]
) -> dict[str, Any]:
    """Compare two orders of the same methods.

    Parameters
    ----------
    labels : sequence of str
        Of the methods.
    published, ours : sequence of float
        Their values on the two sides; higher is better.

    Returns
    -------
    dict
        ``tau``, Kendall's tau-b from -1 (reversed) to 1 (the same order), None where either side
        cannot tell its methods apart; ``n_methods``, ``n_pairs`` and ``n_same``, the pairs of
        methods that stand in the same order (or are equal) on both sides; ``published`` and
        ``ours``, the labels from best to worst; ``swapped``, the neighbours of the published order
        that stand the other way round in ours.
    """
    signs = [
        (_sign(published[i] - published[j]), _sign(ours[i] - ours[j]))
        for i, j in combinations(range(len(labels)), 2)
    ]
    ranked = _ranked(published)
    return {
        "tau": _tau_b(signs),
        "n_methods": len(labels),
        "n_pairs": len(signs),
        "n_same": sum(one == other for one, other in signs),
        "published": [labels[row] for row in ranked],
        "ours": [labels[row] for row in _ranked(ours)],
        "swapped": [
            [labels[better], labels[worse]]
            for better, worse in pairwise(ranked)
            if published[better] > published[worse] and ours[better] < ours[worse]
        ],
    }


def _ranked(values: Sequence[float]) -> list[int]:
    """Return the places of the values from best to worst; equal ones keep their order."""
    return sorted(range(len(values)), key=lambda row: -values[row])


def _tau_b(signs: Sequence[tuple[int, int]]) -> float | None:
    agreement = sum(one * other for one, other in signs)
    told_apart = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    if not all(told_apart):
        return None
    return agreement / math.sqrt(told_apart[0] * told_apart[1])


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
