"""Background command lines: their records, their queue, and how they are started and watched."""

from subclust.jobs.duty import has_worker, on_duty
from subclust.jobs.launch import Launcher, LocalLauncher
from subclust.jobs.opening import job_queue, start_job
from subclust.jobs.queue import JobQueue
from subclust.jobs.record import (
    ENDED,
    PROGRESS_FILE,
    STOP_FILE,
    Job,
    Stage,
    is_alive,
    job_state,
)
from subclust.jobs.shutdown import go_on_after_stop, stop_with_server
from subclust.jobs.store import JobStore
from subclust.jobs.view import JobView, job_view, job_views
from subclust.jobs.worker import Worker, at_work, register

__all__ = [
    "ENDED",
    "PROGRESS_FILE",
    "STOP_FILE",
    "Job",
    "JobQueue",
    "JobStore",
    "JobView",
    "Launcher",
    "LocalLauncher",
    "Stage",
    "Worker",
    "at_work",
    "go_on_after_stop",
    "has_worker",
    "is_alive",
    "job_queue",
    "job_state",
    "job_view",
    "job_views",
    "on_duty",
    "register",
    "start_job",
    "stop_with_server",
]
