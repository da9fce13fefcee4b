"""All that a page or a command shows of jobs."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from subclust.core.limits import may_use
from subclust.jobs.launch import Launcher
from subclust.jobs.process import memory_of
from subclust.jobs.record import (
    LOG_FILE,
    Job,
    JobState,
    Progress,
    is_alive,
    job_state,
    read_progress,
)
from subclust.jobs.store import JobStore, library_of, missing_job
from subclust.jobs.turns import positions, waiting_jobs

_LINE = 400
"""Bytes that a line of a log has at most, as a rule."""


@dataclass(frozen=True)
class JobView:
    """A job as people see it, at one moment.

    Parameters
    ----------
    position : int or None
        Place in the queue of its device, from 1, while it waits.
    heartbeat_age : float or None
        Seconds since its process last gave a sign, while it runs.
    memory_mb : float or None
        Of its process, while it runs on this machine.
    folder : Path
        With its log and its saved state.
    """

    job: Job
    state: JobState
    position: int | None
    progress: Progress
    heartbeat_age: float | None
    memory_mb: float | None
    folder: Path

    @property
    def device(self) -> str | None:
        """Where it computes: ``"cpu"``, ``"cuda"``, ``"mps"``; None in older records."""
        return self.job.device

    @property
    def has_ended(self) -> bool:
        """Whether it neither waits nor runs."""
        return self.state not in ("queued", "running", "cancelling")

    def log_tail(self, n_lines: int = 40) -> str:
        """Return the last lines of what the job said; empty where it said nothing."""
        return _log_tail(self.folder, n_lines)

    def to_dict(self, *, curves: bool = False) -> dict[str, Any]:
        """Return it all as JSON values, with the curves if they are wanted."""
        shown = {
            **asdict(self.job),
            "state": self.state,
            "progress": self.progress.to_dict(),
            "position": self.position,
            "heartbeat_age": self.heartbeat_age,
            "memory_mb": self.memory_mb,
        }
        if curves:
            shown["curves"] = {"loss": self.progress.loss, "metrics": self.progress.metrics}
        return shown


def job_views(store: JobStore, launcher: Launcher | None = None) -> list[JobView]:
    """View all jobs, oldest first.

    Parameters
    ----------
    launcher : Launcher, optional
        Of jobs that do not run as processes of this machine.
    """
    jobs = store.jobs()
    places = positions(waiting_jobs(jobs))
    return [
        _view(job, store, launcher, places.get(job.id)) for job in jobs if may_use(library_of(job))
    ]


def job_view(store: JobStore, id: str, launcher: Launcher | None = None) -> JobView:
    """View one job.

    Raises
    ------
    InputError
        If there is none of that id.
    """
    job = store.load(id)
    if not may_use(library_of(job)):
        raise missing_job(id, store.jobs())
    return _view(job, store, launcher, positions(waiting_jobs(store.jobs())).get(id))


def _log_tail(folder: Path, n_lines: int) -> str:
    """Return the last lines of a job's log, reading no more of a long one than is needed."""
    try:
        with (folder / LOG_FILE).open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - n_lines * _LINE))
            cut = stream.tell() > 0
            lines = stream.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    # The first line may have been cut in the middle.
    if cut and len(lines) > 1:
        lines = lines[1:]
    return "\n".join(lines[-n_lines:] if n_lines > 0 else [])


def _view(job: Job, store: JobStore, launcher: Launcher | None, position: int | None) -> JobView:
    alive = launcher.is_alive(job) if launcher is not None else is_alive(job)
    state = job_state(job, alive)
    runs = state in ("running", "cancelling")
    age = max(0.0, time.time() - job.heartbeat) if runs and job.heartbeat is not None else None
    folder = store.path(job.id)
    return JobView(
        job,
        state,
        position,
        read_progress(folder, job),
        age,
        memory_of(job.pid) if runs and job.pid is not None and is_alive(job) else None,
        folder,
    )
