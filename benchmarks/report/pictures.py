"""The pictures of a Markdown report, from what it says of its figures."""

from collections.abc import Mapping
from typing import Any

from benchmarks.figures.curves import Curve
from benchmarks.figures.growth_svg import GrowthCurve, growth_svg
from benchmarks.figures.spaces import MethodSpace, QuerySpaces
from benchmarks.figures.svg import curves_svg, epochs_svg, spaces_svg

AXES = {"memory": "memory above the model's, MB", "time": "processor time, seconds"}
"""What grows, and what its axis says."""


def curves_of(panel: Mapping[str, Any]) -> list[Curve]:
    """Return the training runs of a panel of `_training_times`."""
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
    """Return the queries of a panel of `_query_spaces`."""
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
    """Return the longest entities of a panel of `_growth_by_size` at which all were measured."""
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
    """Return the lines of a panel of `_growth_by_size` at that length.

    Parameters
    ----------
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


def picture_name(paper: str, figure: Mapping[str, Any]) -> str:
    """Return the name of the file that a figure's picture is kept in."""
    return f"{paper}-{figure['name']}.svg"


def draw_pictures(report: Mapping[str, Any]) -> dict[str, str]:
    """Draw the figures of a report that have been measured and are more than a table.

    Parameters
    ----------
    report : mapping
        Of `build_report`.

    Returns
    -------
    dict
        SVG by the name of its file.
    """
    pictures = {}
    for figure in report["figures"]:
        if figure["ours"] is not None and figure["kind"] in _DRAWERS:
            name = picture_name(report["paper"]["name"], figure)
            pictures[name] = _DRAWERS[figure["kind"]](figure)
    return pictures


def _convergence(figure: Mapping[str, Any]) -> str:
    panels = figure["ours"]["panels"]
    return curves_svg(
        figure["caption"],
        [(p["label"], p["reference"], curves_of(p), p["reference_best"]) for p in panels],
    )


def _epochs(figure: Mapping[str, Any]) -> str:
    panels = figure["ours"]["panels"]
    return epochs_svg(figure["caption"], [(p["label"], curves_of(p)) for p in panels])


def _spaces(figure: Mapping[str, Any]) -> str:
    panels = figure["ours"]["panels"]
    return spaces_svg(figure["caption"], [one for panel in panels for one in spaces_of(panel)])


def _growth(figure: Mapping[str, Any]) -> str:
    panels = [
        (f"{panel['label']}, {longest_of(panel)} word pieces an entity", axis, growth_of(panel, of))
        for panel in figure["ours"]["panels"]
        for of, axis in AXES.items()
    ]
    return growth_svg(figure["caption"], panels)


_DRAWERS = {
    "convergence": _convergence,
    "epoch-time": _epochs,
    "spaces": _spaces,
    "growth": _growth,
}
