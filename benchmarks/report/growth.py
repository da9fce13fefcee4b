"""How memory and time of the set encoders grow with a subset."""

from collections.abc import Mapping
from typing import Any

from benchmarks.published import PublishedFigure

MEASURES = {"peak_mb": "memory", "cpu_seconds": "time"}
"""What is shown of a row, and what it is called."""


def growth_by_size(figure: PublishedFigure, at: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``context`` measured, size by size.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), figure 4.

    Returns
    -------
    dict
        The conditions, the ``contexts`` that were measured, ``sizes``, ``growth`` and ``compared``.
        A size has ``n_entities``, ``n_tokens`` and, by context, ``memory`` (MB above the model's)
        and ``time`` (seconds of the processor), None where it failed; growth has the exponents of
        both by context, fitted; compared are SIA's memory to NIA's and the share of FIA's time it
        saves.
    """
    sizes: dict[tuple[int, int], dict[str, Any]] = {}
    for row in found["rows"]:
        place = row["n_entities"], row["n_tokens"]
        size = sizes.setdefault(
            place, {"n_entities": place[0], "n_tokens": place[1], "memory": {}, "time": {}}
        )
        for measured, name in MEASURES.items():
            size[name][row["context"]] = row.get(measured)
    return {
        "story": {
            **found.get("story", {}),
            **{name: found.get(name) for name in ("shape", "precision", "threads")},
        },
        "contexts": list(dict.fromkeys(row["context"] for row in found["rows"])),
        "sizes": [sizes[one] for one in sorted(sizes, key=lambda one: (one[1], one[0]))],
        "growth": {
            context: {name: fitted.get(measured) for measured, name in MEASURES.items()}
            for context, fitted in found["growth"].items()
        },
        "compared": found["compared"],
    }
