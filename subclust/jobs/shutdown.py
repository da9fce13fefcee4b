"""Jobs that end with the server: where it is the first process of a container, they die with it."""

import time
from collections.abc import Sequence

from subclust.core.exceptions import SubclustError
from subclust.jobs.queue import JobQueue
from subclust.jobs.record import ENDED

_STOPPED_FILE = "stopped-with-server"
"""In the folder of a job that goes on at the server's next start."""

_WAIT_SECONDS = 6.0
"""For the jobs to save their state; a container is killed ten seconds after it is told to end."""


def stop_with_server(queue: JobQueue, *, wait_seconds: float = _WAIT_SECONDS) -> Sequence[str]:
    """Pause the jobs that run, and wait until they have saved their state.

    Parameters
    ----------
    wait_seconds : float
        At most so long.

    Returns
    -------
    sequence of str
        Ids of the paused jobs; `go_on_after_stop` finds them.
    """
    here = [job for job in queue.store.jobs() if job.backend_id is None]  # and not on a cluster
    ids = [job.id for job in here if queue.state(job) == "running"]
    for id in ids:
        # The mark first: whatever happens while the job ends, the next start knows of it.
        (queue.store.path(id) / _STOPPED_FILE).touch()
        queue.cancel(id, pause=True)
    until = time.monotonic() + wait_seconds
    while time.monotonic() < until:
        if all(queue.state(queue.store.load(id)) in ENDED for id in ids):
            break
        time.sleep(0.1)
    return ids


def go_on_after_stop(queue: JobQueue) -> Sequence[str]:
    """Queue again what `stop_with_server` paused, and return the ids."""
    resumed = []
    for mark in sorted(queue.store.folder.glob(f"*/{_STOPPED_FILE}")):
        mark.unlink(missing_ok=True)
        try:
            queue.resume(mark.parent.name)
        except SubclustError:  # it was finished after all, or somebody has resumed it
            continue
        resumed.append(mark.parent.name)
    return resumed
