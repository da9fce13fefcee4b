"""The queue that the settings name, and the usual way to start a job in it."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from subclust.core.exceptions import SettingsError
from subclust.core.settings import Settings
from subclust.jobs.launch import Launcher, LocalLauncher
from subclust.jobs.queue import JobQueue
from subclust.jobs.ray_jobs import RayLauncher
from subclust.jobs.record import Job
from subclust.jobs.store import JobStore


def job_queue(settings: Settings, *, is_worker: bool = False) -> JobQueue:
    """Open the queue.

    Raises
    ------
    SettingsError
        If jobs are to run somewhere that is not there.
    """
    return JobQueue(JobStore(settings.jobs_dir), _launcher_of(settings), is_worker=is_worker)


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


def _launcher_of(settings: Settings) -> Launcher:
    """Return the launcher that the settings name.

    Raises
    ------
    SettingsError
        If it is Ray, and Ray is not there.
    """
    if settings.jobs_backend == "local":
        return LocalLauncher(settings)
    if find_spec("ray") is None:
        raise SettingsError(
            "SUBCLUST_JOBS names a Ray cluster ({jobs_backend}), but Ray is not installed here; "
            "run pip install 'subclust[ray]', or set SUBCLUST_JOBS to local.",
            jobs_backend=settings.jobs_backend,
        )
    return RayLauncher(settings)
