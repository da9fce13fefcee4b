"""The pictures of a Markdown report."""

from collections.abc import Mapping
from typing import Any

from benchmarks.figures.growth_svg import growth_svg
from benchmarks.figures.svg import curves_svg, epochs_svg, spaces_svg
from benchmarks.report.drawn import AXES, curves_of, growth_of, longest_of, spaces_of


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
