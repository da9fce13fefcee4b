"""Who starts jobs: the worker while there is one, else whoever looks (see `JobQueue.advance`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.storage.disk import refusals_told

_LOCK = ".worker.lock"
_PATIENCE = 1.0


@contextmanager
def on_duty(folder: Path) -> Iterator[None]:
    """Be the worker that starts the jobs of a folder; that ends with the process, however it ends.

    Raises
    ------
    InputError
        If there is one already.
    StorageError
        If the folder cannot be written to.
    """
    lock = FileLock(folder / _LOCK)
    try:
        with refusals_told(Message("No jobs can be started"), folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=_PATIENCE)  # `has_worker` holds it for a moment
    except Timeout as error:
        raise InputError(
            "Another worker starts the jobs in {folder}; one is enough.", folder=folder
        ) from error
    try:
        yield
    finally:
        lock.release()


def has_worker(folder: Path) -> bool:
    """Return whether a worker starts the jobs of a folder."""
    if not (folder / _LOCK).exists():
        return False
    try:
        with FileLock(folder / _LOCK, timeout=0):
            return False
    except (Timeout, OSError):
        return True
