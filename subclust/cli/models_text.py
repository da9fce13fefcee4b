"""What ``models`` prints for people."""

from collections.abc import Mapping
from typing import Any

from subclust.checkpoints.card import VERDICTS


def say_list(value: Mapping[str, Any]) -> str:
    """Write one line a checkpoint."""
    lines = []
    for row in value["models"]:
        marks = " default" if row["default"] else " promoted" if row["promoted"] else ""
        scores = ", ".join(f"{k} {v:.4g}" for k, v in row["scores"].items())
        verdict = row["judgement"].get("verdict")
        judged = f"  judged: {VERDICTS.get(verdict, verdict)}" if verdict else ""
        lines.append(f"{row['method']}/{row['name']}{marks}  {scores}{judged}")
    return "\n".join(lines) or "No checkpoints yet."


def say_history(value: Mapping[str, Any]) -> str:
    """Write one line a promotion, oldest first."""
    lines = []
    for row in value["history"]:
        parts = [row["when"] or "before times were kept", f"{row['method']}: {row['name']}"]
        if row["who"]:
            parts.append(f"by {row['who']}")
        if row["why"]:
            parts.append(f"because: {row['why']}")
        if row["undone"]:
            by = f" by {row['undone_by']}" if row["undone_by"] else ""
            parts.append(f"gone back from {row['undone']}{by}")
        lines.append(", ".join(parts) + (" (in use)" if row["in_use"] else ""))
    return "\n".join(lines) or "Nothing has been promoted yet."


def say_comparison(value: Mapping[str, Any]) -> str:
    """Write scores side by side, then the facts and settings that differ."""
    first, second = (f"{one['method']}/{one['name']}" for one in (value["first"], value["second"]))
    judged = value["judged"]
    same = judged is not None or value["same_data"]
    rows = [("", first, second, "second less first" if same else "")]
    for row in value["scores"] if judged is None else judged["scores"]:
        told = same and row["difference"] is not None
        difference = f"{row['difference']:+.4g}" if told else ""
        rows.append((row["score"], _short(row["first"]), _short(row["second"]), difference))
    for row in value["differences"]:
        rows.append((row["field"], _short(row["first"]), _short(row["second"]), ""))
    widths = [min(max(len(row[i]) for row in rows), 44) for i in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    ]
    if judged is not None:
        lines.append(f"Both were measured on {judged['measured_on']}.")
    elif not value["same_data"]:
        lines.append(
            "The scores were not measured on the same held-out queries, so they do not say which "
            "of the two is better."
        )
    return "\n".join(line.rstrip() for line in lines)


def _short(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
