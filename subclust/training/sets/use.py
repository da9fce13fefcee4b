"""Which sets the jobs that are waiting or running read."""

from collections.abc import Iterable
from dataclasses import dataclass

from subclust.exceptions import InputError
from subclust.jobs import Job, JobStore, is_alive, job_state
from subclust.training.sets.names import SET_PREFIX, set_reference

_ENDED = ("finished", "failed", "cancelled", "lost")


@dataclass(frozen=True)
class SetUse:
    """One job's use of a set.

    Parameters
    ----------
    name : str
    version : int or None
        None where the job takes whichever is the newest.
    job : str
        Id of the job.
    """

    name: str
    version: int | None
    job: str


def sets_in_use(jobs: JobStore) -> list[SetUse]:
    """List the sets that queued and running jobs read.

    Parameters
    ----------
    jobs : JobStore
    """
    at_work = [job for job in jobs.jobs() if job_state(job, is_alive(job)) not in _ENDED]
    return [use for job in at_work for use in _uses(job)]


def _uses(job: Job) -> Iterable[SetUse]:
    for word in job.argv:
        _, _, word = word.rpartition("=") if word.startswith("--") else ("", "", word)
        if word.startswith(SET_PREFIX):
            try:
                name, version = set_reference(word)
            except InputError:  # of a job that will say so itself
                continue
            yield SetUse(name, version, job.id)
