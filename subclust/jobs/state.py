"""The state of a job, from its record alone."""

from typing import Literal

from subclust.jobs.record import Job, process_start

JobState = Literal["queued", "running", "finished", "failed", "cancelled", "lost"]


def job_state(job: Job, alive: bool) -> JobState:
    """Tell the state of a job.

    Parameters
    ----------
    job : Job
    alive : bool
        Whether the job's own process is there.

    Returns
    -------
    {"queued", "running", "finished", "failed", "cancelled", "lost"}
        ``"lost"``: its process is gone and left no word; it can be resumed.
    """
    match job.outcome:
        case "finished" | "failed" | "cancelled":
            return job.outcome
    if job.pid is None:
        return "queued"
    return "running" if alive else "lost"


def is_alive(job: Job) -> bool:
    """Tell whether the job's own process is there, and not another of the same number."""
    return job.pid is not None and process_start(job.pid) == job.process_started is not None
