"""What the passages of a few queries look like in each method's space."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.published import PublishedFigure
from benchmarks.report.naming import names_in, plays


def query_spaces(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
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
