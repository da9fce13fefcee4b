"""What is known of a background command: its record, its state, and how far it is."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from subclust.core.access import Person, Role
from subclust.core.messages import Message
from subclust.core.storage.damaged import typed
from subclust.jobs.process import host_name, killed_for_memory, process_start

RECORD_FILE = "job.json"
LOG_FILE = "log.txt"
PROGRESS_FILE = "progress.jsonl"
STOP_FILE = "stop"

Stage = Literal["waiting", "reading", "encoding", "training", "judging", "saving", "preparing"]

JobState = Literal[
    "queued", "running", "cancelling", "paused", "finished", "failed", "cancelled", "lost"
]

ENDED: tuple[JobState, ...] = ("finished", "failed", "cancelled", "paused", "lost")
"""Of jobs that neither wait nor run."""


CLAIM_SECONDS = 20.0
"""After which a claim is void that no process has followed."""


SILENT_SECONDS = 30.0
"""Without a heartbeat, after which a process of another machine is taken for dead."""


POINTS = 500
"""Most points of a curve."""


_END = 16_384
"""Bytes of the end of the file among which the last whole line is."""

_Curve = tuple[tuple[int, float], ...]


_NOT_ENDED: dict[str, Any] = {
    "cancel_asked": None,
    "paused": False,
    "finished": None,
    "outcome": None,
    "error": None,
    "way_out": None,
    "changes": {},
}
"""Fields of a job that begins, for the first time or again."""


@dataclass(frozen=True)
class Job:
    """One background command.

    Parameters
    ----------
    id : str
        Name of its folder.
    argv : tuple of str
        Words of the command line after ``python -m subclust``.
    pid : int or None
        Process that runs it, or ran it last.
    process_started : float or None
        When that process started, as `process_start` tells, to tell it from a later one of the
        same number.
    created, heartbeat, finished : float or None
        Seconds since the epoch.
    outcome : str or None
        ``"finished"``, ``"cancelled"`` or ``"failed"`` once it has ended.
    error : str or None
        The sentence it failed with, or why it was lost.
    kind : str
        Command: ``"train"``, ``"tune"``, ``"bench-convergence"``.
    title : str
        For people, such as ``"qs3m/ours"``.
    device : str or None
        ``"cpu"``, ``"cuda"`` or ``"mps"``.
    queued_at : float or None
        When it was last queued; None of a command that somebody started in a terminal.
    claimed : float or None
        When somebody last undertook to start it.
    started : float or None
        When a process last took it up.
    cancel_asked : float or None
        When somebody asked it to stop.
    attempts : int
        How often it was claimed.
    parent : str or None
        Id of the job it was cloned from.
    way_out : str or None
        What to do after a failure, in a sentence.
    changes : mapping of str to value
        Settings with which a clone may not fail again, such as ``{"batch_passages": 32}``.
    data : mapping or None
        ``{"set": NAME, "version": N}`` where it was trained on a kept set.
    batch_passages : int or None
        Passages of a step, where it trains.
    cwd : str or None
        Folder from which the file names among its words are read.
    host : str or None
        Machine of the process.
    memory_kills : int or None
        What `killed_for_memory` told at the last heartbeat.
    backend : {"local", "ray"}
    backend_id : str or None
        What the backend calls it.
    gpus, cpus : int or None
        Graphics cards and cores that it has, or asks for, on a cluster; None leaves the choice.
    restarts : int
        How often a machine of the cluster has left it since somebody last queued it.
    paused : bool
        Whether whoever asked it to stop means to go on later.
    owner : str
        Name of who queued it; "" of whoever is at the computer.
    teams : tuple of str
        Those of its owner then.
    most_passages : int or None
        That a library may have by its owner's quota, if it imports.
    """

    id: str
    argv: tuple[str, ...]
    pid: int | None = None
    process_started: float | None = None
    created: float | None = None
    heartbeat: float | None = None
    finished: float | None = None
    outcome: str | None = None
    error: str | None = None
    kind: str = "train"
    title: str = ""
    device: str | None = None
    queued_at: float | None = None
    claimed: float | None = None
    started: float | None = None
    cancel_asked: float | None = None
    stage: Stage = "waiting"
    attempts: int = 0
    parent: str | None = None
    way_out: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None
    batch_passages: int | None = None
    cwd: str | None = None
    host: str | None = None
    memory_kills: int | None = None
    backend: str = "local"
    backend_id: str | None = None
    gpus: int | None = None
    cpus: int | None = None
    restarts: int = 0
    paused: bool = False
    owner: str = ""
    teams: tuple[str, ...] = ()
    most_passages: int | None = None

    @property
    def person(self) -> Person:
        """As whom it works: its owner, whose right to queue it was checked then."""
        return Person(self.owner, Role.ADMINISTRATOR, self.teams)

    @property
    def is_unfinished(self) -> bool:
        """Whether it has no result yet, and so could still go on to one."""
        return self.outcome != "finished"

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Self:
        """Take the fields that this version knows.

        Raises
        ------
        ValueError
            If one is missing or of another kind than it should be.
        """
        known = {field.name: value[field.name] for field in fields(cls) if field.name in value}
        known["argv"] = tuple(known.get("argv", ()))
        if "kind" not in known and known["argv"]:  # older records
            known["kind"] = known["argv"][0]
        messages: dict[str, Any] = {
            name: one for name, one in known.items() if isinstance(one, Message)
        }
        return replace(typed(cls, known), **messages)  # of which pydantic makes plain texts

    def by_this_process(self) -> Self:
        """Return it as taken up by this process, now."""
        now = time.time()
        return replace(
            self,
            pid=os.getpid(),
            process_started=process_start(os.getpid()),
            host=host_name(),
            started=now,
            heartbeat=now,
            memory_kills=killed_for_memory(),
            stage="reading",
            **_NOT_ENDED,
        )

    def queued_again(self, at: float) -> Self:
        """Put it into the queue as if nobody had claimed it; what it has saved is kept.

        Parameters
        ----------
        at : float
            When, in seconds since the epoch.
        """
        return replace(
            self,
            pid=None,
            process_started=None,
            host=None,
            backend_id=None,
            claimed=None,
            stage="waiting",
            queued_at=at,
            **_NOT_ENDED,
        )

    @property
    def is_this_process(self) -> bool:
        """Whether it is this process that has taken it up."""
        return self.pid == os.getpid() and self.process_started == process_start(os.getpid())


def job_state(job: Job, alive: bool) -> JobState:
    """Return the state of a job.

    Parameters
    ----------
    alive : bool
        Whether the job's own process is there.

    Returns
    -------
    {"queued", "running", "cancelling", "paused", "finished", "failed", "cancelled", "lost"}
        ``"paused"``: it was stopped by somebody who means to go on; ``"lost"``: its process is gone
        and left no word. Both can be resumed.
    """
    match job.outcome:
        case "cancelled" if job.paused:
            return "paused"
        case "finished" | "failed" | "cancelled":
            return job.outcome
    # What a cluster has not begun yet waits there.
    if job.pid is None and (job.backend_id is None or (alive and job.cancel_asked is None)):
        return "queued"
    if job.cancel_asked is not None:
        if alive:
            return "cancelling"
        return "paused" if job.paused else "cancelled"
    return "running" if alive else "lost"


def is_claimed(job: Job, now: float) -> bool:
    """Return whether somebody has undertaken to start a waiting job, and may be about to."""
    # From 0 on: a clock that was set back must not prolong a claim.
    return job.claimed is not None and 0 <= now - job.claimed < CLAIM_SECONDS


def is_alive(job: Job) -> bool:
    """Return whether the job's own process is there, and not another of the same number."""
    if job.pid is None:
        return False
    # Process numbers mean nothing on another machine; only the heartbeat tells.
    if job.host not in (None, host_name()):
        return job.heartbeat is not None and time.time() - job.heartbeat < SILENT_SECONDS
    return process_start(job.pid) == job.process_started is not None


@dataclass(frozen=True)
class Progress:
    """How far a job is.

    Parameters
    ----------
    stage : str
        A `Stage`.
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
    def loss(self) -> _Curve:
        """The loss after steps, at most `POINTS` of them; lower is better."""
        return self._curves[0]

    @property
    def metrics(self) -> dict[str, _Curve]:
        """What was measured on held-out queries after steps; higher is better."""
        return self._curves[1]

    @cached_property
    def _curves(self) -> tuple[_Curve, dict[str, _Curve]]:
        try:
            # After the last line break comes nothing, or a line that is still being written.
            lines = self.path.read_bytes().split(b"\n")[:-1]
        except OSError:
            return (), {}
        loss = [
            (line["step"], line["loss"])
            for line in map(_parsed, _thinned(lines))
            if _is_number(line.get("loss")) and _is_number(line.get("step"))
        ]
        metrics: dict[str, list[tuple[int, float]]] = {}
        # Thinned on their own: among all the steps most of the few validations would be lost.
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
    """Read the last whole line of a job's progress, and no more of a long file."""
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
        # The estimate counts from the moment at which the line was written.
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
