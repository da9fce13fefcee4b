"""A report as one flat table, for spreadsheets."""

import csv
import io
from collections.abc import Mapping
from typing import Any

_TEST = ("mark", "mean_difference", "low", "high", "p_corrected", "wins", "ties", "losses")


def as_csv(report: Mapping[str, Any]) -> str:
    """Write one line for each method and column of all tables.

    Parameters
    ----------
    report : mapping
        Of `build_report`.

    Returns
    -------
    str
        Empty cells where there is nothing to tell.
    """
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for table in report["tables"]:
        for row in (*table["rows"], *table["own"]):
            for column, cell in zip(table["columns"], row["cells"], strict=True):
                line = _line(table, row, column, cell)
                if writer is None:
                    writer = csv.DictWriter(text, list(line), lineterminator="\n")
                    writer.writeheader()
                writer.writerow(line)
    return text.getvalue()


def _line(
    table: Mapping[str, Any],
    row: Mapping[str, Any],
    column: Mapping[str, Any],
    cell: Mapping[str, Any],
) -> dict[str, Any]:
    published, ours, test = (cell[part] or {} for part in ("published", "ours", "test"))
    return {
        "table": table["label"],
        "column": column["label"],
        "task": column["task"],
        "metric": column["metric"],
        "granularity": column["granularity"],
        "groups": column["groups"],
        "method": row["label"],
        "result": cell["folder"],
        "published": published.get("value"),
        "published_mark": published.get("mark"),
        "published_spread": published.get("spread"),
        "ours": ours.get("mean"),
        "stderr": ours.get("stderr"),
        "spread": ours.get("spread"),
        "n_queries": ours.get("n_queries"),
        "missing": cell["missing"],
        "difference": cell["difference"],
        "gain_published": cell["gain"]["published"],
        "gain_ours": cell["gain"]["ours"],
        "reference": table["reference"],
        **{name: test.get(name) for name in _TEST},
    }
