"""Trials that people ask for: one at a time, none twice, and none that nobody wants any more."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from subclust.core.settings import Settings
from subclust.training.estimates.estimate import RunEstimate, estimate_run

KEPT_SECONDS = 600.0
"""For which what a trial found is told to others too; later the machine may be another one."""


@dataclass(eq=False)
class AskedTrial:
    """A trial that waits, runs or has ended.

    Parameters
    ----------
    words : tuple of str
        Of the training, as `estimate_run` takes them.
    asked : float
        When, by the clock that only goes forward.

    Attributes
    ----------
    begun : float or None
        When its turn came.
    """

    words: tuple[str, ...]
    asked: float
    begun: float | None = None
    wanted_by: set[str] = field(default_factory=set)
    stop: threading.Event = field(default_factory=threading.Event)
    future: "Future[RunEstimate]" = field(default_factory=Future)

    @property
    def has_ended(self) -> bool:
        """Whether it can tell, or has failed."""
        return self.future.done()

    @property
    def seconds(self) -> float | None:
        """Seconds since its turn came; None while it waits for another one."""
        return None if self.begun is None else time.monotonic() - self.begun

    def result(self) -> RunEstimate:
        """Return what an ended one found.

        Raises
        ------
        SubclustError
            With the reason why it found nothing.
        """
        return self.future.result()


class TrialDesk:
    """Takes the wishes of several people, each of whom wants one trial at a time.

    Two trials at once would slow each other, and tell of twice the time.

    Parameters
    ----------
    estimate : callable, optional
        Makes a trial; `estimate_run` unless a test says otherwise.
    """

    def __init__(self, estimate: Callable[..., RunEstimate] = estimate_run) -> None:
        self._estimate = estimate
        self._one_by_one = ThreadPoolExecutor(max_workers=1, thread_name_prefix="trial")
        # Re-entrant, since `ask` calls `find`.
        self._lock = threading.RLock()
        self._trials: list[AskedTrial] = []

    def find(self, words: Sequence[str], asker: str) -> AskedTrial | None:
        """Return the trial of these words that somebody wants, or that has told lately."""
        wanted = tuple(words)
        with self._lock:
            return next((one for one in self._trials if self._answers(one, wanted, asker)), None)

    def ask(
        self, words: Sequence[str], settings: Settings, asker: str, *, anew: bool = False
    ) -> AskedTrial:
        """Have a training tried, unless it has been; whatever the asker wanted before is dropped.

        Parameters
        ----------
        asker : str
            Tells one person from another.
        anew : bool
            Whether an ended trial shall be made once more.
        """
        with self._lock:
            known = self.find(words, asker)
            if known is None or (anew and known.has_ended):
                known = AskedTrial(tuple(words), time.monotonic())
                known.future = self._one_by_one.submit(self._make, known, settings)
            others = [one for one in self._trials if one is not known]
            self._trials = [known, *(one for one in others if self._is_kept(one, asker))]
            known.wanted_by.add(asker)
        return known

    def leave(self, asker: str) -> None:
        """Drop what somebody wanted; a trial that nobody else wants ends."""
        with self._lock:
            self._trials = [one for one in self._trials if self._is_kept(one, asker)]

    def _make(self, trial: AskedTrial, settings: Settings) -> RunEstimate:
        trial.begun = time.monotonic()
        return self._estimate(trial.words, settings, stop=trial.stop, gently=True)

    def _is_kept(self, trial: AskedTrial, leaver: str) -> bool:
        trial.wanted_by.discard(leaver)
        if not trial.wanted_by and not trial.has_ended:
            trial.stop.set()
            trial.future.cancel()
            return False
        return bool(trial.wanted_by) or _is_fresh(trial)

    @staticmethod
    def _answers(trial: AskedTrial, words: tuple[str, ...], asker: str) -> bool:
        return trial.words == words and (asker in trial.wanted_by or _is_fresh(trial))


def _is_fresh(trial: AskedTrial) -> bool:
    """Return whether others can use it too, which they cannot where it failed."""
    future = trial.future
    failed = future.done() and (future.cancelled() or future.exception() is not None)
    return not failed and time.monotonic() - trial.asked < KEPT_SECONDS
