"""The state of a job, from its record alone."""

import time
from typing import Literal

from subclust.jobs.process import host_name, process_start
from subclust.jobs.record import Job

JobState = Literal[
    "queued", "running", "cancelling", "paused", "finished", "failed", "cancelled", "lost"
]

ENDED: tuple[JobState, ...] = ("finished", "failed", "cancelled", "paused", "lost")
"""Of jobs that neither wait nor run."""

CLAIM_SECONDS = 20.0
"""After which a claim is void that no process has followed."""

SILENT_SECONDS = 30.0
"""Without a heartbeat, after which a process of another machine is taken for dead."""


def job_state(job: Job, alive: bool) -> JobState:
    """Tell the state of a job.

    Parameters
    ----------
    job : Job
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
    return job.claimed is not None and 0 <= now - job.claimed < CLAIM_SECONDS


def is_alive(job: Job) -> bool:
    """Return whether the job's own process is there, and not another of the same number."""
    if job.pid is None:
        return False
    if job.host not in (None, host_name()):
        return job.heartbeat is not None and time.time() - job.heartbeat < SILENT_SECONDS
    return process_start(job.pid) == job.process_started is not None
