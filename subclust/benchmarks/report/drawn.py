"""What a report says of a figure, as the records that figures are drawn from."""

from collections.abc import Mapping
from typing import Any

from subclust.figures import Curve, MethodSpace, QuerySpaces


def curves_of(panel: Mapping[str, Any]) -> list[Curve]:
    """Give the training runs of a panel of `compare_convergence`."""
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
    """Give the queries of a panel of `compare_spaces`."""
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
