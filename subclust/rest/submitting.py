"""Long work: taken on at once, done in the background."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Response

from subclust.core.settings import Settings
from subclust.jobs import JobQueue, JobStore, launcher_of


def job_queue(settings: Settings) -> JobQueue:
    """Open the queue.

    Raises
    ------
    SettingsError
        If jobs are to run somewhere that is not there.
    """
    return JobQueue(JobStore(settings.jobs_dir), launcher_of(settings))


def submit(
    settings: Settings,
    response: Response,
    words: Sequence[str],
    *,
    kind: str,
    title: str,
    data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Queue a command, start what can start, and say where its job is found.

    Raises
    ------
    SubclustError
        If it cannot be queued.
    """
    queue = job_queue(settings)
    device = settings.resolve_device()
    job = queue.submit(words, kind=kind, title=title, device=device, data=data)
    queue.advance()
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return {"job": job.id, "position": queue.position(job.id)}
