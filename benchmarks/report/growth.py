"""How memory and time of the set encoders grow with a subset."""

from collections.abc import Mapping
from typing import Any

from benchmarks.published import Measurement, PublishedFigure
from benchmarks.saved import SavedResults

MEASURES = {"peak_mb": "memory", "cpu_seconds": "time"}
"""What is shown of a row, and what it is called."""


def compare_growth(figure: PublishedFigure, results: SavedResults) -> dict[str, Any] | None:
    """Return what ``context`` measured, size by size.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), figure 4.

    Returns
    -------
    dict or None
        None where nothing was measured, otherwise ``panels``: each with its conditions, the
        ``contexts`` that were measured, ``sizes``, ``growth`` and ``compared``. A size has
        ``n_entities``, ``n_tokens`` and, by context, ``memory`` (MB above the model's) and ``time``
        (seconds of the processor), None where it failed; growth has the exponents of both by
        context, fitted; compared are SIA's memory to NIA's and the share of FIA's time it saves.

    Raises
    ------
    BenchmarkError
        If a measurement cannot be read.
    """
    panels = []
    for measurement in figure.measurements:
        found = results.measurement("context", measurement.name)
        if found is not None and found["rows"]:
            panels.append(_panel(measurement, found))
    return {"panels": panels} if panels else None


def _panel(measurement: Measurement, found: Mapping[str, Any]) -> dict[str, Any]:
    sizes: dict[tuple[int, int], dict[str, Any]] = {}
    for row in found["rows"]:
        at = row["n_entities"], row["n_tokens"]
        size = sizes.setdefault(
            at, {"n_entities": at[0], "n_tokens": at[1], "memory": {}, "time": {}}
        )
        for measured, name in MEASURES.items():
            size[name][row["context"]] = row.get(measured)
    return {
        "name": measurement.name,
        "label": measurement.label,
        "story": {
            **found.get("story", {}),
            **{name: found.get(name) for name in ("shape", "precision", "threads")},
        },
        "contexts": list(dict.fromkeys(row["context"] for row in found["rows"])),
        "sizes": [sizes[at] for at in sorted(sizes, key=lambda at: (at[1], at[0]))],
        "growth": {
            context: {name: fitted.get(measured) for measured, name in MEASURES.items()}
            for context, fitted in found["growth"].items()
        },
        "compared": found["compared"],
    }
