"""What the product's Benchmarks page shows: of every report its tables, and how they read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.report.reading import read_column
from subclust.core.exceptions import BenchmarkError
from subclust.judging.published import PUBLISHED

FIRST_PAPER = "qs3m"
"""The paper that the app's default method comes from."""

_DEFAULT = "centred-qs3m"
_CELL = ("folder", "published", "ours", "missing", "gain", "test")


def summarise(reports: Mapping[str, Any]) -> dict[str, Any]:
    """Take from reports what a reader of the app's page wants to know.

    Parameters
    ----------
    reports : mapping
        Of `build_reports`.

    Returns
    -------
    dict
        ``papers``, that of the default method first, each with ``name``, ``label``, ``citation``,
        ``url``, ``difference`` and ``tables``.
    """
    names = sorted(reports, key=lambda name: (name != FIRST_PAPER, name))
    return {"papers": [_paper(reports[name]) for name in names]}


def as_json(summary: Mapping[str, Any]) -> str:
    """Write a summary as the text of `PUBLISHED`, a table a line."""
    papers = []
    for paper in summary["papers"]:
        facts = {key: value for key, value in paper.items() if key != "tables"}
        tables = ",\n".join(_compact(table) for table in paper["tables"])
        papers.append(f'{_compact(facts)[:-1]},"tables":[\n{tables}]}}')
    return '{"papers":[\n' + ",\n".join(papers) + "]}\n"


def check_summary(reports: Mapping[str, Any]) -> None:
    """See that the file that ships with the product is of these reports.

    Raises
    ------
    BenchmarkError
        If it is of others.
    """
    if PUBLISHED.read_text(encoding="utf-8") != as_json(summarise(reports)):
        raise BenchmarkError(
            "{file} is not what the results give; run 'python -m benchmarks report' and commit it.",
            file=PUBLISHED,
        )


def write_summary(reports: Mapping[str, Any]) -> Path:
    """Write the file that ships with the product."""
    partial = PUBLISHED.with_suffix(".partial")
    partial.write_text(as_json(summarise(reports)), encoding="utf-8")
    return partial.replace(PUBLISHED)


def _paper(report: Mapping[str, Any]) -> dict[str, Any]:
    datasets = {one["name"]: one["difference"] for one in report["datasets"]}
    return {
        **{key: report["paper"][key] for key in ("name", "label", "citation", "url")},
        "difference": report["difference"],
        "tables": [_table(table, datasets) for table in report["tables"]],
    }


def _table(table: Mapping[str, Any], datasets: Mapping[str, str]) -> dict[str, Any]:
    facts = {key: table[key] for key in ("name", "label", "caption", "reference", "alpha", "main")}
    columns = [
        {
            **{key: value for key, value in column.items() if key not in ("task", "groups")},
            "difference": datasets[column["dataset"]],
            "sentences": [told.to_dict() for told in read_column(table, at, _DEFAULT)],
        }
        for at, column in enumerate(table["columns"])
    ]
    rows = {
        kind: [
            {
                "label": row["label"],
                "note": row["note"],
                "cells": [_cell(cell) for cell in row["cells"]],
            }
            for row in table[kind]
        ]
        for kind in ("rows", "own")
    }
    return {**facts, "columns": columns, **rows}


def _cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    """Take what is shown of a cell; only a method's own result may be that of the app's default."""
    found = {key: _rounded(cell[key]) for key in _CELL if cell[key]}
    if "@" in found.get("folder", ""):
        del found["folder"]
    return found


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _rounded(one)
            for key, one in value.items()
            if one is not None and one is not False and one != ""
        }
    # Not to four places, of which the page makes three: .14148 would be .1415, and then .142.
    return round(value, 6) if isinstance(value, float) else value


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
