"""What is known of a background command: ``job.json`` in a folder of its own."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from subclust.exceptions import InputError

RECORD_FILE = "job.json"


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
        When that process started, in seconds since boot, to tell it from a later one of the same
        number.
    created, heartbeat, finished : float or None
        Seconds since the epoch.
    outcome : str or None
        ``"finished"``, ``"cancelled"`` or ``"failed"`` once it has ended by itself.
    error : str or None
        The sentence it failed with.
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

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Self:
        """Take the fields that this version knows."""
        known = {field.name: value[field.name] for field in fields(cls) if field.name in value}
        known["argv"] = tuple(known.get("argv", ()))
        return cls(**known)


class JobStore:
    """All jobs below one folder; every write replaces the record by renaming.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def jobs(self) -> list[Job]:
        """List the jobs, oldest first; folders without a readable record are passed over."""
        found = []
        for path in self.folder.glob(f"*/{RECORD_FILE}"):
            try:
                found.append(Job.from_dict(json.loads(path.read_text(encoding="utf-8"))))
            except (OSError, ValueError, TypeError):
                continue
        return sorted(found, key=lambda job: (job.created or 0.0, job.id))

    def load(self, id: str) -> Job:
        """Read a job.

        Raises
        ------
        InputError
            If there is none of that id.
        """
        for job in self.jobs():
            if job.id == id:
                return job
        there = ", ".join(job.id for job in self.jobs()) or "none"
        raise InputError(f"There is no job {id!r} (there: {there}).")

    def save(self, job: Job) -> None:
        """Write a job's record."""
        path = self.path(job.id) / RECORD_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{RECORD_FILE}.{os.getpid()}.partial")
        partial.write_text(json.dumps(asdict(job), indent=1), encoding="utf-8")
        partial.replace(path)

    def begin(self, id: str, argv: tuple[str, ...]) -> Job:
        """Record that this process runs a job, now."""
        job = Job(
            id,
            argv,
            pid=os.getpid(),
            process_started=process_start(os.getpid()),
            created=time.time(),
            heartbeat=time.time(),
        )
        self.save(job)
        return job

    def beat(self, job: Job) -> Job:
        """Record that the job is alive."""
        job = replace(job, heartbeat=time.time())
        self.save(job)
        return job

    def end(self, job: Job, outcome: str, error: str | None = None) -> Job:
        """Record how the job ended."""
        job = replace(job, finished=time.time(), outcome=outcome, error=error)
        self.save(job)
        return job

    def path(self, id: str) -> Path:
        """Give a job's folder."""
        return self.folder / id


def process_start(pid: int) -> float | None:
    """Give when a process started, in clock ticks since boot; None where it is not there.

    On systems without ``/proc`` it is 0 for every process that is alive.
    """
    stat = Path(f"/proc/{pid}/stat")
    try:
        if stat.parent.parent.joinpath("self").exists():
            return float(stat.read_text().rpartition(")")[2].split()[19])
        os.kill(pid, 0)
    except (OSError, IndexError, ValueError):
        return None
    return 0.0
