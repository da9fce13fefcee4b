"""What is known of a background command: ``job.json`` in a folder of its own."""

import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from subclust.core.messages import Message
from subclust.core.storage.damaged import typed
from subclust.jobs.process import host_name, killed_for_memory, process_start

RECORD_FILE = "job.json"
LOG_FILE = "log.txt"
PROGRESS_FILE = "progress.jsonl"
STOP_FILE = "stop"

Stage = Literal["waiting", "reading", "encoding", "training", "judging", "saving"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


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
    stage : str
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
        """Say that this process has taken it up, now."""
        now = time.time()
        return replace(
            self,
            pid=os.getpid(),
            process_started=process_start(os.getpid()),
            host=host_name(),
            started=now,
            heartbeat=now,
            memory_kills=killed_for_memory(),
            finished=None,
            outcome=None,
            error=None,
            way_out=None,
            changes={},
            cancel_asked=None,
            paused=False,
            stage="reading",
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
            cancel_asked=None,
            paused=False,
            finished=None,
            outcome=None,
            error=None,
            way_out=None,
            changes={},
            stage="waiting",
            queued_at=at,
        )

    @property
    def is_this_process(self) -> bool:
        """Whether it is this process that has taken it up."""
        return self.pid == os.getpid() and self.process_started == process_start(os.getpid())
