"""The state of a job, from its record alone."""

import time
from typing import Literal

from subclust.jobs.process import host_name, process_start
from subclust.jobs.record import Job

JobState = Literal["queued", "running", "cancelling", "finished", "failed", "cancelled", "lost"]

ENDED: tuple[JobState, ...] = ("finished", "failed", "cancelled", "lost")

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
    {"queued", "running", "cancelling", "finished", "failed", "cancelled", "lost"}
        ``"lost"``: its process is gone and left no word; it can be resumed.
    """
    match job.outcome:
        case "finished" | "failed" | "cancelled":
            return job.outcome
    # What a cluster has not begun yet waits there.
    if job.pid is None and (job.backend_id is None or (alive and job.cancel_asked is None)):
        return "queued"
    if job.cancel_asked is not None:
        return "cancelling" if alive else "cancelled"
    return "running" if alive else "lost"


def is_claimed(job: Job, now: float) -> bool:
    """Tell whether somebody has undertaken to start a waiting job, and may be about to."""
    return job.claimed is not None and 0 <= now - job.claimed < CLAIM_SECONDS


def is_alive(job: Job) -> bool:
    """Tell whether the job's own process is there, and not another of the same number."""
    if job.pid is None:
        return False
    if job.host not in (None, host_name()):
        return job.heartbeat is not None and time.time() - job.heartbeat < SILENT_SECONDS
    return process_start(job.pid) == job.process_started is not None
