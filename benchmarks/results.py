"""Results as files in git, each with its story."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from subclust.judging.bench import OWN_RULE
from subclust.judging.story import circumstances, story, write

__all__ = [
    "ASKED_FOR",
    "OTHER_FOLDERS",
    "OWN_RULE",
    "RESULTS_DIR",
    "SPECTRAL",
    "VALIDATED_RULE",
    "circumstances",
    "read_result",
    "save_clustering",
    "story",
    "write",
]

RESULTS_DIR = Path(__file__).parent / "results"

OTHER_FOLDERS = frozenset(
    {
        "answered",
        "context",
        "convergence",
        "estimates",
        "explanations",
        "imports",
        "index",
        "ingest",
        "names",
        "quality",
        "retrieval",
        "scale",
        "search",
        "spaces",
        "speed",
        "stability",
        "themes",
    }
)
"""Below the results, those that are no method's; their files have forms of their own."""

VALIDATED_RULE = "validated"
"""Stands for the rule that was chosen on validation queries of the task."""

ASKED_FOR = "asked_for"
"""Part of a result with other numbers of groups than the true one, by number."""

SPECTRAL = "spectral"
"""Part of a result with the true number of groups, made by spectral clustering."""


def save_clustering(
    result: Mapping[str, Any], told: Mapping[str, Any], folder: Path = RESULTS_DIR
) -> list[Path]:
    """Write one file a method, ``<folder>/<method>/<task>.json``, a part for each granularity.

    The story of a trained method has the ``training`` of its checkpoint.

    Parameters
    ----------
    result : mapping
        Of `run_benchmark`.
    told : mapping
        Of `story`.
    folder : Path

    Returns
    -------
    list of Path
    """
    paths = []
    for name, scores in result["methods"].items():
        path = folder / name / f"{result['task']}.json"
        before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        parts = before.get("granularities", {})
        entry = {**parts.get(result["granularity"], {})}
        automatic = _rounded(result["auto_k"]["methods"].get(name))
        rule = VALIDATED_RULE if "count" in (automatic or {}) else result["auto_k"]["rule"]
        if rule in (OWN_RULE, VALIDATED_RULE):
            trained = result.get("training", {}).get(name)
            how = {} if trained is None else {"training": trained}
            entry |= {"story": {**told, **how}, "true_k": _rounded(scores)}
        if rule == OWN_RULE:
            entry["auto_k"] = automatic
        else:
            entry["auto_k_by_rule"] = {**entry.get("auto_k_by_rule", {}), rule: automatic}
        if name in result.get("ablation", {}):
            entry["ablation"] = _rounded(result["ablation"][name])
        whole = {
            "task": result["task"],
            "method": name,
            "n_instances": result["n_instances"],
            "queries": result["queries"],
            "granularities": {**parts, result["granularity"]: entry},
        }
        paths.append(write(path, whole))
    return paths


def read_result(path: Path) -> dict[str, Any] | None:
    """Read a result file that `write` wrote, None where there is none."""
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
