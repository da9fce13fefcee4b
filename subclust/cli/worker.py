"""A command that the queue has started: ``python -m subclust COMMAND ... --job ID``."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import JobQueue, JobStore, Worker, launcher_of, register
from subclust.jobs.process import give_way

OPTION = "--job"

RESUMED = ("train", "harvest")
"""Commands that go on only when they are told to."""


def without_job(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Split the words of a command into those of its own and the job it does, if it does one."""
    if len(words) > 2 and words[-2] == OPTION:
        return list(words[:-2]), words[-1]
    return list(words), None


def work(id: str, words: Sequence[str], do: Callable[[list[str], str], None]) -> None:
    """Do a job: register, give way to the app, run its command, and let the next one start.

    Parameters
    ----------
    id : str
    words : sequence of str
        Of the command.
    do : callable
        Runs a command as the worker of the job.

    Raises
    ------
    SubclustError
        If the job is not for this process, or its command fails.
    """
    settings = Settings.from_environment()
    if settings.local_worker > 0:  # the first of those that train together keeps the record
        do(list(words), id)
        return
    store = JobStore(settings.jobs_dir)
    job, before = register(store, id)
    if job.backend == "local":
        give_way()
    resume = ["--resume"] if before and job.kind in RESUMED and "--resume" not in words else []

    def next_ones() -> None:
        if job.backend != "local":  # a cluster has a queue of its own
            return
        with suppress(SubclustError):
            JobQueue(store, launcher_of(settings)).advance()

    try:
        with Worker(store, job, on_exit=next_ones).working():
            do([*words, *resume], id)
    finally:
        next_ones()
