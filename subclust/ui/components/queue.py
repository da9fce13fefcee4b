"""The queue of this machine's jobs, as the page uses it."""

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
