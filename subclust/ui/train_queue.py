"""The queue of this machine's jobs, as the page uses it."""

from subclust.jobs import JobQueue, JobStore, launcher_of
from subclust.settings import Settings


def job_queue(settings: Settings) -> JobQueue:
    """Open the queue.

    Raises
    ------
    SettingsError
        If jobs are to run somewhere that is not there.
    """
    return JobQueue(JobStore(settings.jobs_dir), launcher_of(settings))
