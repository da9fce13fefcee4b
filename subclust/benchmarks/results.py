"""Results as files in git, each with its story."""

import json
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from subclust import __version__
from subclust.encoders import Encoder
from subclust.settings import PROJECT_ROOT

RESULTS_DIR = Path(__file__).parent / "results"

OTHER_FOLDERS = frozenset(
    {
        "answered",
        "context",
        "convergence",
        "encoders",
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

OWN_RULE = "the method's own"
"""Stands for the rule by which a method itself chooses the number of groups."""

VALIDATED_RULE = "validated"
"""Stands for the rule that was chosen on validation queries of the task."""

ASKED_FOR = "asked_for"
"""Part of a result with other numbers of groups than the true one, by number."""

SPECTRAL = "spectral"
"""Part of a result with the true number of groups, made by spectral clustering."""

_PACKAGES = ("torch", "sentence-transformers", "scikit-learn", "scipy", "numpy", "lancedb")


def story(encoder: Encoder, device: str, seed: int = 0) -> dict[str, Any]:
    """Tell under what conditions a result was made.

    Returns
    -------
    dict
        Seed, commit (``None`` outside a repository), versions, encoder, device and processor count.
    """
    return {
        "seed": seed,
        "encoder": encoder.name,
        "encoder_revision": encoder.revision,
        "precision": getattr(getattr(encoder, "encoder", encoder), "precision", None),
        **circumstances(device),
    }


def circumstances(device: str) -> dict[str, Any]:
    """Tell where a result was made: commit, device, processor and versions."""
    return {
        "commit": _commit(),
        "device": device,
        "processor": platform.machine(),
        "versions": {
            "subclust": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }


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


def write(path: Path, value: Mapping[str, Any]) -> Path:
    """Write a result file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(path)
    return path


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def _commit() -> str | None:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=PROJECT_ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
