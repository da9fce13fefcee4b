"""How far a job is, read from the lines it writes as it goes."""

import json
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from subclust.jobs.record import PROGRESS_FILE, Job, Stage

POINTS = 500
"""Most points of a curve."""

_END = 16_384
"""Bytes of the end of the file among which the last whole line is."""

Curve = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Progress:
    """How far a job is.

    Parameters
    ----------
    stage : str
        ``"waiting"``, ``"reading"``, ``"encoding"``, ``"training"``, ``"judging"`` or ``"saving"``.
    step, total : int or None
        None before the first step.
    eta : float or None
        Seconds to the end of the training.
    last : mapping
        The last line written.
    path : Path
        Of all lines.
    """

    stage: Stage
    step: int | None
    total: int | None
    eta: float | None
    last: dict[str, Any]
    path: Path = field(repr=False)

    @property
    def fraction(self) -> float:
        """How much of the training is done, 0 to 1."""
        if not self.total or self.step is None:
            return 0.0
        return min(1.0, self.step / self.total)

    @property
    def loss(self) -> Curve:
        """The loss after steps, at most `POINTS` of them; lower is better."""
        return self._curves[0]

    @property
    def metrics(self) -> dict[str, Curve]:
        """What was measured on held-out queries after steps; higher is better."""
        return self._curves[1]

    @cached_property
    def _curves(self) -> tuple[Curve, dict[str, Curve]]:
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]
        except OSError:
            return (), {}
        loss = [
            (line["step"], line["loss"])
            for line in map(_parsed, _thinned(lines))
            if _is_number(line.get("loss")) and _is_number(line.get("step"))
        ]
        metrics: dict[str, list[tuple[int, float]]] = {}
        for line in map(_parsed, _thinned([line for line in lines if b'"metrics"' in line])):
            told = line.get("metrics")
            for name, value in told.items() if isinstance(told, dict) else ():
                if _is_number(value) and _is_number(line.get("step")):
                    metrics.setdefault(name, []).append((line["step"], value))
        return tuple(loss), {name: tuple(curve) for name, curve in metrics.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the last line, and beside it stage, fraction and time to go."""
        return {**self.last, "stage": self.stage, "fraction": self.fraction, "eta": self.eta}


def read_progress(folder: Path, job: Job) -> Progress:
    """Read the last whole line of a job's progress, and no more of a long file.

    Parameters
    ----------
    folder : Path
        Of the job.
    job : Job
    """
    path = folder / PROGRESS_FILE
    last: dict[str, Any] = {}
    written = 0.0
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - _END))
            end = stream.read()
        written = path.stat().st_mtime
    except OSError:
        end = b""
    for line in reversed(end.split(b"\n")):
        last = _parsed(line)  # the last may have been cut short when the process was killed
        if last:
            break
    step, total, eta = (
        last[key] if _is_number(last.get(key)) else None for key in ("step", "total", "eta")
    )
    if eta is not None:
        eta = max(0.0, eta - max(0.0, time.time() - written)) if job.outcome is None else 0.0
    return Progress(job.stage, step, total, eta, last, path)


def _thinned(lines: list[bytes]) -> list[bytes]:
    """Keep at most `POINTS` lines, evenly spread, the first and the last among them."""
    if len(lines) <= POINTS:
        return lines
    return [lines[round(i * (len(lines) - 1) / (POINTS - 1))] for i in range(POINTS)]


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value
