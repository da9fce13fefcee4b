"""Long work: taken on at once, done in the background."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Response

from subclust.core.settings import Settings
from subclust.jobs import job_queue, start_job


def submit(
    settings: Settings,
    response: Response,
    words: Sequence[str],
    *,
    kind: str,
    title: str,
    data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Start a command as a job, and say where it is found.

    Raises
    ------
    SubclustError
        If it cannot be queued.
    """
    job = start_job(settings, words, kind=kind, title=title, data=data)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return {"job": job.id, "position": job_queue(settings).position(job.id)}
