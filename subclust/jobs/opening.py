"""The queue that the settings name, and the usual way to start a job in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from subclust.core.settings import Settings
from subclust.jobs.queue import JobQueue
from subclust.jobs.ray_jobs import launcher_of
from subclust.jobs.record import Job
from subclust.jobs.store import JobStore


def job_queue(settings: Settings, *, is_worker: bool = False) -> JobQueue:
    """Open the queue.

    Raises
    ------
    SettingsError
        If jobs are to run somewhere that is not there.
    """
    return JobQueue(JobStore(settings.jobs_dir), launcher_of(settings), is_worker=is_worker)


def start_job(
    settings: Settings,
    words: Sequence[str],
    *,
    kind: str,
    title: str,
    data: Mapping[str, Any] | None = None,
) -> Job:
    """Queue a command, and start what can start.

    Raises
    ------
    SubclustError
        If it cannot be queued.
    """
    queue = job_queue(settings)
    device = settings.resolve_device()
    job = queue.submit(words, kind=kind, title=title, device=device, data=data)
    queue.advance()
    return job
