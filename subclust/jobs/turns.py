"""Whose turn it is: the order in which waiting jobs are started."""

from collections.abc import Sequence

from subclust.jobs.record import Job, job_state


def positions(waiting: Sequence[Job]) -> dict[str, int]:
    """Return the places, from 1, of waiting jobs in the queues of their devices."""
    places: dict[str, int] = {}
    counts: dict[str | None, int] = {}
    for job in waiting:
        counts[job.device] = counts.get(job.device, 0) + 1
        places[job.id] = counts[job.device]
    return places


def waiting_jobs(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that wait in the queue, those first whose turn comes first.

    People take turns: of each the job comes first that was queued first, and among people whoever
    was served the longest ago.
    """
    found = [
        job for job in jobs if job.queued_at is not None and job_state(job, alive=False) == "queued"
    ]
    found.sort(key=lambda job: (job.queued_at or 0.0, job.id))
    served: dict[str, float] = {}
    for job in jobs:
        served[job.owner] = max(served.get(job.owner, 0.0), job.started or 0.0)
    rounds: dict[str, int] = {}
    turns = {}
    for job in found:
        # Everybody's first job comes before anybody's second.
        rounds[job.owner] = rounds.get(job.owner, 0) + 1
        turns[job.id] = rounds[job.owner], served.get(job.owner, 0.0)
    return sorted(found, key=lambda job: turns[job.id])
