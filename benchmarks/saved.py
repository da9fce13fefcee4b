"""Result files, read back for comparison."""

import hashlib
import lzma
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.results import (
    ASKED_FOR,
    OTHER_FOLDERS,
    RESULTS_DIR,
    VALIDATED_RULE,
    files_of,
    read_result,
)
from subclust.core.exceptions import BenchmarkError
from subclust.evaluation.results import MetricSummary

MEASUREMENTS: dict[str, tuple[str, ...]] = {
    "convergence": ("runs", "comparison"),
    "spaces": ("rule", "queries"),
    "search": ("best", "trials"),
    "context": ("rows", "growth", "compared"),
}
"""Folders below the results whose files are not a method's scores, and what each file must have."""


@dataclass(frozen=True)
class SavedScores:
    """One method on one task at one granularity.

    Parameters
    ----------
    folder : str
        Of the method below the results: its name, or ``name@checkpoint``.
    part : mapping
        The granularity's part of the result file: ``story``, ``true_k``, ``auto_k`` and, for some,
        ``ablation``.
    """

    folder: str
    task: str
    granularity: str
    queries: tuple[str, ...]
    part: Mapping[str, Any]

    def metric(self, name: str, scores: str = "true_k") -> MetricSummary | None:
        """Return a metric over the queries, None where the file does not have it.

        Parameters
        ----------
        name : str
            Such as ``"ari"``.
        scores : str
            ``"true_k"``, ``"auto_k"``, ``"ablation/VARIANT"``, ``"spectral"``, ``"k10"`` or another
            number that was asked for, or ``"validated"``: with the number
            of groups that validation queries of the task advised, or else the method's own, which
            a trained method has learnt from such queries.

        Raises
        ------
        BenchmarkError
            If the file has another number of values than of queries.
        """
        if scores == VALIDATED_RULE:
            by_rule = self.part.get("auto_k_by_rule", {})
            scores = f"auto_k_by_rule/{scores}" if scores in by_rule else "auto_k"
        elif scores[0] == "k" and scores[1:].isdecimal():
            scores = f"{ASKED_FOR}/{scores[1:]}"
        found: Any = self.part
        for key in (*scores.split("/"), name):
            found = found.get(key) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping) or found.get("mean") is None:
            return None
        values = tuple(math.nan if v is None else float(v) for v in found["per_instance"])
        if len(values) != len(self.queries):
            raise BenchmarkError(
                "The result {folder}/{task}.json has {count} queries but {other_count} values of "
                "{name}; run 'python -m benchmarks run {task}' again with --save.",
                folder=self.folder,
                task=self.task,
                count=len(self.queries),
                other_count=len(values),
                name=name,
            )
        return MetricSummary(float(found["mean"]), float(found["stderr"]), values)

    @property
    def checkpoint(self) -> str | None:
        """The checkpoint that was measured."""
        name = self.part.get("true_k", {}).get("checkpoint")
        return str(name) if name else None

    @property
    def story(self) -> dict[str, Any]:
        """The conditions under which the result was made, with the seconds spent in grouping."""
        told: dict[str, Any] = dict(self.part.get("story", {}))
        return told | {"seconds": self.part.get("true_k", {}).get("seconds")}


class SavedResults:
    """The results below a folder: ``<method>/<task>.json``, and the files of `MEASUREMENTS`.

    Each file is read once, when it is first asked for.
    """

    def __init__(self, folder: Path = RESULTS_DIR) -> None:
        self.folder = folder
        self._read: dict[Path, Mapping[str, Any]] = {}

    def folders(self, task: str) -> list[str]:
        """Name the methods, or ``name@checkpoint``, that have a result on a task, sorted."""
        found = {path.parent.name for path in self.folder.glob(f"*/{task}.json")}
        return sorted(found - OTHER_FOLDERS)

    def find(self, method: str, task: str, granularity: str = "flat") -> SavedScores | None:
        """Return the result of a method on a task, None where there is none.

        Parameters
        ----------
        method : str
            A name, or ``name@checkpoint``. The latter is also met by the folder of the name alone,
            where that was measured with this very checkpoint.

        Raises
        ------
        BenchmarkError
            If the file cannot be read.
        """
        name, _, checkpoint = method.partition("@")
        found = self._load(method, task, granularity)
        if found is None and checkpoint:
            promoted = self._load(name, task, granularity)
            if promoted is not None and promoted.checkpoint == checkpoint:
                return promoted
        return found

    def measurement(self, kind: str, name: str) -> Mapping[str, Any] | None:
        """Return a measurement file whole, None where there is none.

        Parameters
        ----------
        kind : str
            One of `MEASUREMENTS`.
        name : str
            Of the file, without its ending.

        Raises
        ------
        BenchmarkError
            If the file cannot be read.
        """
        path = self._path(kind, name)
        if path not in self._read:
            if not path.is_file():
                return None
            self._read[path] = _content(path, MEASUREMENTS[kind])
        return self._read[path]

    def digest(self, tasks: Iterable[str], measurements: Iterable[tuple[str, str]] = ()) -> str:
        """Sum up all results on some tasks: another digest, other results.

        Parameters
        ----------
        tasks : iterable of str
        measurements : iterable of (str, str)
            Kind and name of measurement files, each of which may be missing.

        Returns
        -------
        str
            The first 16 hexadecimal digits of a sha256.
        """
        total = hashlib.sha256()
        files = [(folder, task) for task in sorted(set(tasks)) for folder in self.folders(task)]
        files += [one for one in sorted(set(measurements)) if self._path(*one).is_file()]
        for folder, name in files:
            total.update(f"{folder}/{name}\n".encode())
            for file in files_of(self._path(folder, name)):
                total.update(hashlib.sha256(file.read_bytes()).digest())
        return total.hexdigest()[:16]

    def _load(self, folder: str, task: str, granularity: str) -> SavedScores | None:
        path = self._path(folder, task)
        if path not in self._read:
            if not path.is_file():
                return None
            self._read[path] = _content(path, ("queries", "granularities"))
        content = self._read[path]
        part = content["granularities"].get(granularity)
        if part is None:
            return None
        return SavedScores(folder, task, granularity, tuple(content["queries"]), part)

    def _path(self, folder: str, task: str) -> Path:
        return self.folder / folder / f"{task}.json"


def _content(path: Path, needed: Sequence[str]) -> Mapping[str, Any]:
    try:
        content = read_result(path)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise BenchmarkError(
            "The result {path} cannot be read: {error}.", path=path, error=error
        ) from error
    if not isinstance(content, dict) or not set(needed) <= set(content):
        raise BenchmarkError(
            "The result {path} is not one of Subclust's, since it lacks {names}; remove it or "
            "make it again.",
            path=path,
            names=" or ".join(needed),
        )
    return content
