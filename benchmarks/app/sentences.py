"""What was measured of the app, in lines."""

from collections.abc import Mapping
from typing import Any


def in_words(result: Mapping[str, Any]) -> str:
    """Write what `time_interactions` or `time_visitors` measured as lines."""
    lines = _of_interactions(result) if "interactions" in result else _of_visitors(result)
    return "\n".join(lines)


def _of_interactions(result: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{result['top_k']} hits; seconds until the page shows what was asked for, and until "
        "nothing more comes: median and longest"
    ]
    allowed, slow = result["allowed_s"], []
    for name, told in result["interactions"].items():
        answered, settled = told["answered_s"], told["settled_s"]
        lines.append(
            f"  {name:38} answered {answered['median']:5.2f} {answered['max']:5.2f}   "
            f"settled {settled['median']:5.2f} {settled['max']:5.2f}"
        )
        if answered["max"] >= allowed:
            slow.append(name)
    number = len(result["interactions"])
    if slow:
        lines.append(
            f"{number - len(slow)} of {number} were always answered in under {allowed:g} s; not: "
            f"{', '.join(slow)}."
        )
    else:
        lines.append(f"All {number} were always answered in under {allowed:g} s.")
    return lines


def _of_visitors(result: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{result['n_visitors']} visitors, {result['n_active']} of them searching: "
        f"{result['n_searches']} searches"
    ]
    for what in ("answered_s", "settled_s"):
        told = result[what]
        lines.append(
            f"  {what[:-2]:9} median {told['median']:.2f} s, 95% below {told['p95']:.2f} s, "
            f"longest {told['max']:.2f} s"
        )
    lines.append(
        f"  memory    {result['megabytes_idle']:,} MB before the first visitor, "
        f"{result['megabytes_open']:,} MB with all, {result['megabytes']:,} MB at the most"
    )
    lines.append(
        f"Allowed are {result['allowed_s']:g} s for 95% of the answers, and "
        f"{result['allowed_megabytes']:,.0f} MB."
    )
    return lines
