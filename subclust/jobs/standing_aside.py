"""Jobs stand still for the moment in which somebody waits for an answer.

Niceness alone is not enough: a training shares memory and caches with the searches beside it even
where it gets little of the processors' time.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Timer

import psutil

from subclust.jobs.process import host_name
from subclust.jobs.record import Job, is_alive
from subclust.jobs.store import JobStore

MOST_SECONDS = 2.0
"""So long a job stands still at most; after it, it runs at least as long as it stood."""

LINGER_SECONDS = 0.4
"""After an answer has been made: its reader's browser, which may be on this machine, draws it."""

MARK_FILE = "standing"
"""In a job's folder while it stands still: whoever finds an old one lets the job go on."""


class Crossing:
    """Where searches and the jobs of one machine meet: searches go first."""

    def __init__(self, store: JobStore) -> None:
        self.store = store
        self._lock = Lock()
        self._n_waiting = 0
        self._nobody_waits = Event()
        self._nobody_waits.set()
        self._since: float | None = None
        self._free_until = 0.0
        self._round = 0
        # One after the other, and beside the search: reading the records takes a moment.
        self._hands = ThreadPoolExecutor(max_workers=1, thread_name_prefix="standing-aside")

    @contextmanager
    def clear(self) -> Iterator[None]:
        """Have the jobs stand still within, as long as they may."""
        with self._lock:
            self._n_waiting += 1
            self._nobody_waits.clear()
            if self._since is None and time.monotonic() >= self._free_until:
                self._since = time.monotonic()
                self._round += 1
                self._hands.submit(self._stop)
                watch = Timer(MOST_SECONDS, self._end, (self._round,))
                watch.daemon = True
                watch.start()
        try:
            yield
        finally:
            later = Timer(LINGER_SECONDS, self._leave)
            later.daemon = True
            later.start()

    def _leave(self) -> None:
        with self._lock:
            self._n_waiting -= 1
            last, this = self._n_waiting == 0, self._round
            if last:
                self._nobody_waits.set()
        if last:
            self._end(this)

    def wait(self, seconds: float) -> None:
        """Wait until nobody waits for an answer any more, but no longer than this."""
        self._nobody_waits.wait(seconds)

    def _end(self, round_: int) -> None:
        """Let the jobs go on, unless that was done already."""
        with self._lock:
            if self._since is None or round_ != self._round:
                return
            now = time.monotonic()
            self._free_until = now + (now - self._since)
            self._since = None
        self._hands.submit(self._go_on)

    def _stop(self) -> None:
        for job in self.store.jobs():
            if may_stand(job) and is_alive(job):
                stand_still(job, self.store.path(job.id))

    def _go_on(self) -> None:
        wake_all(self.store.folder)


def may_stand(job: Job) -> bool:
    """Return whether a job goes on here, for the queue: a terminal would take its command back."""
    return (
        job.outcome is None
        and job.queued_at is not None
        and job.backend == "local"
        and job.host in (None, host_name())
        and job.pid is not None
        and not job.is_this_process
    )


def stand_still(job: Job, folder: Path) -> None:
    """Stop a job's processes where they are; its folder says so first."""
    if job.pid is None:
        return
    with suppress(OSError):
        (folder / MARK_FILE).write_text(str(job.pid))
        for process in _family(job.pid):
            with suppress(psutil.Error):
                process.suspend()


def _go_on(mark: Path) -> None:
    """Let the processes go on that a mark names, and take the mark away."""
    with suppress(OSError, ValueError):
        for process in _family(int(mark.read_text())):
            with suppress(psutil.Error):
                process.resume()
    with suppress(OSError):
        mark.unlink()


def wake_all(jobs_dir: Path) -> None:
    """Let all jobs go on that stand still; for who has just seen the last page made."""
    for mark in jobs_dir.glob(f"*/{MARK_FILE}"):
        _go_on(mark)


def wake_forgotten(folder: Path) -> None:
    """Let a job go on whose mark is old: whoever had it stand still was killed."""
    mark = folder / MARK_FILE
    with suppress(OSError):
        if time.time() - mark.stat().st_mtime > 2 * MOST_SECONDS:
            _go_on(mark)


def _family(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []
