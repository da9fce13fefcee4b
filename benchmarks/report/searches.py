"""The settings that a search found best, the paper's and ours."""

from collections.abc import Mapping
from typing import Any

from benchmarks.published import SearchTable
from benchmarks.saved import SavedResults


def compare_search(table: SearchTable, results: SavedResults) -> dict[str, Any]:
    """Set the best settings of our own searches beside the paper's.

    Returns
    -------
    dict
        ``rows``, each with the ``published`` values and ``ours``: ``values`` in the order of the
        columns, the ``ari`` they had on validation queries, and of how many trials they are the
        best; None where there was no search.

    Raises
    ------
    BenchmarkError
        If a search cannot be read.
    """
    return {
        "name": table.name,
        "label": table.label,
        "caption": table.caption,
        "columns": list(table.columns),
        "rows": [
            {
                "label": row.label,
                "published": [cell.value for cell in row.cells],
                "search": row.search,
                "ours": _found(table, results.measurement("search", row.search))
                if row.search
                else None,
            }
            for row in table.rows
        ],
    }


def _found(table: SearchTable, found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if found is None or not found["best"]:
        return None
    best = found["best"]
    return {
        "method": found.get("method"),
        "values": [best["values"].get(name) for name in table.parameters],
        "ari": best.get("ari"),
        "trial": best.get("trial"),
        "n_trials": len(found["trials"]),
    }
