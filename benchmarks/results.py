"""Results as files in git, each with its story.

``NAME.json`` has whatever a person reads; its long lists, such as the scores of each query, lie
beside it in ``NAME.queries.json.xz``, which is a tenth of their size.
"""

import argparse
import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from subclust.judging.bench import OWN_RULE
from subclust.judging.story import circumstances, story
from subclust.judging.story import write as write_whole

__all__ = [
    "ASKED_FOR",
    "OTHER_FOLDERS",
    "OWN_RULE",
    "RESULTS_DIR",
    "SPECTRAL",
    "VALIDATED_RULE",
    "add_output",
    "circumstances",
    "files_of",
    "output",
    "read_result",
    "save_clustering",
    "story",
    "write",
    "write_whole",
]

RESULTS_DIR = Path(__file__).parent / "results"

OTHER_FOLDERS = frozenset(
    {
        "asked",
        "context",
        "convergence",
        "distilling",
        "divisions",
        "duplicates",
        "estimates",
        "explanations",
        "given",
        "headings",
        "house",
        "imports",
        "index",
        "ingest",
        "kills",
        "languages",
        "names",
        "quality",
        "relevance",
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

    Returns
    -------
    list of Path
    """
    paths = []
    for name, scores in result["methods"].items():
        path = folder / name / f"{result['task']}.json"
        before = read_result(path) or {}
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
    """Read a result file that `write` wrote, with its long lists; None where there is none."""
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    beside = _beside(path)
    if beside.is_file():
        found = _joined(found, json.loads(lzma.decompress(beside.read_bytes())))
    return found


def files_of(path: Path) -> list[Path]:
    """List the files of a result: itself, and that of its long lists if it has any."""
    return [path, *filter(Path.is_file, [_beside(path)])]


def write(path: Path, value: Mapping[str, Any]) -> Path:
    """Write a result, its long lists beside it; return the path of the file that is read."""
    lists: list[list[Any]] = []
    whole = _parted(value, lists)
    beside = _beside(path)
    if lists:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(lists, ensure_ascii=False, separators=(",", ":"))
        partial = beside.with_suffix(".partial")
        partial.write_bytes(lzma.compress(text.encode(), preset=9))
        partial.replace(beside)
    else:
        beside.unlink(missing_ok=True)
    return write_whole(path, whole)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare ``--save`` and ``--json``."""
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def output(
    arguments: argparse.Namespace,
    path: Path,
    result: Mapping[str, Any],
    told: Mapping[str, Any] | None = None,
) -> bool:
    """Save a result if ``--save`` asks for it, and print it if ``--json`` does.

    Parameters
    ----------
    path : Path
        Where it is saved.
    told : mapping, optional
        Its story, where it is saved with the result and not printed.

    Returns
    -------
    bool
        Whether it was printed; otherwise it is to be told in words.
    """
    if arguments.save:
        write(path, result if told is None else {**result, "story": told})
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    return bool(arguments.json)


_IN_PLACE = "per_query"
_LONG = 20
"""Values of a list that lies beside its file."""


def _beside(path: Path) -> Path:
    return path.with_suffix(".queries.json.xz")


def _parted(value: Any, lists: list[list[Any]]) -> Any:
    """Put a reference in the place of each long list of plain values, and collect those."""
    if isinstance(value, Mapping):
        return {key: _parted(one, lists) for key, one in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if len(value) < _LONG or any(isinstance(one, Mapping | list | tuple) for one in value):
        return [_parted(one, lists) for one in value]
    lists.append(list(value))
    return {_IN_PLACE: len(lists) - 1, "n": len(value)}


def _joined(value: Any, lists: list[list[Any]]) -> Any:
    """Return what `_parted` was given."""
    if isinstance(value, list):
        return [_joined(one, lists) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {_IN_PLACE, "n"}:
        return lists[value[_IN_PLACE]]
    return {key: _joined(one, lists) for key, one in value.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
