"""Background command lines and their state."""

from subclust.jobs.record import Job, JobStore
from subclust.jobs.state import JobState, is_alive, job_state

__all__ = ["Job", "JobState", "JobStore", "is_alive", "job_state"]
