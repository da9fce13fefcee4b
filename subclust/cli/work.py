"""``python -m subclust work``, and how whoever waits starts background jobs."""

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from subclust.cli.printing import say, tell
from subclust.core.exceptions import SubclustError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.jobs import (
    go_on_after_stop,
    job_queue,
    on_duty,
    stop_with_server,
)

ADVANCE_SECONDS = 2.0


def add_work(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``work``, which has none."""


def run_work(arguments: argparse.Namespace, settings: Settings) -> None:
    """Start jobs until this process is told to end; then pause those that run, and end.

    Raises
    ------
    InputError
        If there is another worker.
    """
    queue = job_queue(settings, is_worker=True)
    with on_duty(settings.jobs_dir), told_to_end() as told:
        go_on_after_stop(queue)
        say(Message("The jobs in {folder} are started as they come", folder=settings.jobs_dir))
        start_jobs(settings, told, is_worker=True)
        stop_with_server(queue)


@contextmanager
def told_to_end() -> Iterator[threading.Event]:
    """Note that this process is told to end.

    Without a handler the kernel passes SIGTERM over where a process is the first of a container.
    """
    told = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_signal: told.set())
    try:
        yield told
    finally:
        signal.signal(signal.SIGTERM, before)


def start_jobs(settings: Settings, over: threading.Event, *, is_worker: bool = False) -> None:
    """Start the background jobs whose turn it is, and end those that do not heed a cancel."""
    said = ""
    while not over.is_set():
        try:
            job_queue(settings, is_worker=is_worker).advance()
        except (SubclustError, OSError, MemoryError) as error:  # such as a full disk; it may pass
            if str(error) != said:
                said = str(error)
                tell(error.sentence if isinstance(error, SubclustError) else said)
        over.wait(ADVANCE_SECONDS)
