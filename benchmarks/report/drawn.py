"""What a report says of a figure, as the records that figures are drawn from."""

from collections.abc import Mapping
from typing import Any

from benchmarks.figures.curves import Curve
from benchmarks.figures.growth import GrowthCurve
from benchmarks.figures.spaces import MethodSpace, QuerySpaces

AXES = {"memory": "memory above the model's, MB", "time": "processor time, seconds"}
"""What grows, and what its axis says."""


def curves_of(panel: Mapping[str, Any]) -> list[Curve]:
    """Return the training runs of a panel of `compare_convergence`."""
    return [
        Curve(
            run["label"],
            tuple(point["training_seconds"] for point in run["curve"]),
            tuple(point["score"] for point in run["curve"]),
            run["reached_seconds"],
            run["seconds_per_epoch"],
        )
        for run in panel["runs"]
    ]


def spaces_of(panel: Mapping[str, Any]) -> list[QuerySpaces]:
    """Return the queries of a panel of `compare_spaces`."""
    return [
        QuerySpaces(
            one["query"],
            tuple(one["subtopics"]),
            tuple(one["gold"]),
            tuple(
                MethodSpace(
                    method["label"],
                    method["ari"],
                    tuple((point[0], point[1], point[2]) for point in method["coordinates"]),
                    tuple(method["explained"]),
                    tuple(method["groups"]),
                )
                for method in one["methods"]
            ),
        )
        for one in panel["queries"]
    ]


def longest_of(panel: Mapping[str, Any]) -> int:
    """Return the longest entities of a panel of `compare_growth` at which all were measured."""
    lengths = sorted({int(size["n_tokens"]) for size in panel["sizes"]})
    for n_tokens in reversed(lengths):
        sizes = _of_length(panel, n_tokens)
        known = [
            sum(size["memory"].get(one) is not None for size in sizes) for one in panel["contexts"]
        ]
        if min(known) > 1:
            return n_tokens
    return lengths[-1]


def growth_of(panel: Mapping[str, Any], what: str) -> list[GrowthCurve]:
    """Return the lines of a panel of `compare_growth` at that length.

    Parameters
    ----------
    panel : mapping
    what : {"memory", "time"}
    """
    sizes = _of_length(panel, longest_of(panel))
    curves = []
    for context in panel["contexts"]:
        known = [size for size in sizes if size[what].get(context)]
        curves.append(
            GrowthCurve(
                context.upper(),
                tuple(size["n_entities"] for size in known),
                tuple(size[what][context] for size in known),
            )
        )
    return curves


def _of_length(panel: Mapping[str, Any], n_tokens: int) -> list[Mapping[str, Any]]:
    return [size for size in panel["sizes"] if size["n_tokens"] == n_tokens]
