"""A service's turn: one request at a time and a pause between two, across all processes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import N_, Message
from subclust.core.storage.disk import refusals_told, write_whole

LONGEST_MARK = 24 * 3600.0
"""Seconds; a mark further in the future comes of a clock that was set back, and is ignored."""


class Pace:
    """Keeps everybody on this machine from asking a host too often.

    The moment from which the host may be asked again lies in a file beside a lock, so that the app,
    a harvest in the background and a command in a terminal are one polite client together.

    Parameters
    ----------
    file : Path
        Of this host; its folder is made when needed.
    pause : float
        Seconds between the end of a request and the next one.
    label : str
        Of the service, for people.
    sleep, clock : callable
        ``time.sleep`` and ``time.time``.
    """

    def __init__(
        self,
        file: Path,
        pause: float,
        label: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.file = file
        self.pause = pause
        self.label = label
        self._sleep = sleep
        self._clock = clock
        self._next_pause = pause

    @contextmanager
    def turn(self, patience: float) -> Iterator[None]:
        """Wait for our turn and hold it; when it ends, the next one may begin after the pause.

        Parameters
        ----------
        patience : float
            Seconds that may be waited.

        Raises
        ------
        LiveSourceError
            If it is not our turn within that time.
        """
        lock = FileLock(self.file.with_suffix(".lock"))
        try:
            with refusals_told(
                Message("{label} cannot be asked", label=self.label),
                self.file.parent,
                LiveSourceError,
            ):
                self.file.parent.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=max(patience, 0.0))
        except Timeout as error:
            raise LiveSourceError(
                "Another process on this machine has been querying {source} for {count:.0f} "
                "seconds, and the source allows one query at a time; try again later.",
                source=self.label,
                count=patience,
            ) from error
        try:
            wait = self._wait()
            if wait > patience:
                raise LiveSourceError(
                    "{label} asks for a pause of {wait}; try again after that.",
                    label=self.label,
                    wait=in_words(wait),
                )
            if wait > 0:
                self._sleep(wait)
            self._next_pause = self.pause
            try:
                yield
            finally:
                # Also after a failed request, which took the service's time, too.
                self._mark(self._clock() + self._next_pause)
        finally:
            lock.release()

    def leave_alone(self, seconds: float) -> None:
        """Have the next turn, of whatever process, begin so many seconds after this one."""
        self._next_pause = max(self.pause, min(seconds, LONGEST_MARK))

    def _wait(self) -> float:
        try:
            mark = float(self.file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0.0
        wait = mark - self._clock()
        return wait if wait <= LONGEST_MARK else 0.0

    def _mark(self, moment: float) -> None:
        try:
            write_whole(self.file, f"{moment:.3f}", durable=False)
        except OSError:  # nobody else can be told, so that the pause is kept here
            self._sleep(max(0.0, moment - self._clock()))


def in_words(seconds: float) -> str:
    """Return a time in round words: "40 seconds", "3 minutes", "2 hours"."""
    for size, many in ((3600, N_("{count} hours")), (60, N_("{count} minutes"))):
        if seconds >= 1.5 * size:
            return Message(many, count=round(seconds / size))
    count = max(1, round(seconds))
    return Message("1 second") if count == 1 else Message("{count} seconds", count=count)
