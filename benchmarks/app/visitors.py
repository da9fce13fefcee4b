"""How many visitors at once the app answers, and in how much memory."""

import random
import statistics
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from benchmarks.app.chromium import Took, arm, chromium, told, visit
from benchmarks.app.explore_page import DRAWN, address, ask, other_groups
from benchmarks.app.served import MemoryWatch, serving
from benchmarks.speed import QUERIES
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

ALLOWED_SECONDS = 1.5
"""That 95 of 100 warm searches may take."""

ALLOWED_MEGABYTES = 3000.0
"""That the server may take in all."""

READING = (2.0, 5.0)
"""Seconds from an answer to a visitor's next question, drawn between these."""

_PATIENCE = 120.0
_LOOK = 0.05


def time_visitors(
    settings: Settings,
    *,
    library: str = "demo",
    method: str = "default",
    n_visitors: int = 20,
    n_active: int = 5,
    n_searches: int = 50,
) -> dict[str, Any]:
    """Have visitors open the app in browsers of their own, and some of them ask again and again.

    All stay connected to the end. Each question's hits have been encoded before, by a visitor who
    has left; whoever asks it then has it searched and grouped anew, since what was found is kept
    for one visitor alone. The browsers run on the same processor as the app.

    Parameters
    ----------
    n_visitors : int
        Connected at the same time.
    n_active : int
        Of them, who ask; each reads for a while (`READING`) before the next question.
    n_searches : int
        In all.

    Returns
    -------
    dict
        The arguments; ``answered_s`` (the groups are there) and ``settled_s`` (the map is, too),
        each with ``median``, ``p95`` and ``max`` of `n_searches`; ``megabytes``, the highest of
        the server's processes together, with ``megabytes_idle`` before the first visitor and
        ``megabytes_open`` when all had come; ``allowed_s`` and ``allowed_megabytes``.

    Raises
    ------
    BenchmarkError
        If fewer than one or more than all are to search, the browser or the app does not start, or
        a page does not answer.
    """
    if not 1 <= n_active <= n_visitors or n_searches < 1:
        raise BenchmarkError(
            "Of {n_visitors} visitors {n_active} cannot make {n_searches} searches: at least one "
            "must search, at most all, and at least once.",
            n_visitors=n_visitors,
            n_active=n_active,
            n_searches=n_searches,
        )
    query = {"library": library, "method": method}
    with serving(settings) as served, chromium() as browser:
        idle = served.megabytes()
        first = visit(browser, f"{served.url}/?{urlencode({'q': QUERIES[0], **query})}", DRAWN)
        for question in others(QUERIES[0]):
            _wait([Visitor(first, [question])], 1)
        first.context.close()
        with MemoryWatch(served) as watch:
            opened_with = [QUERIES[number % len(QUERIES)] for number in range(n_visitors)]
            pages = [
                visit(browser, f"{served.url}/?{urlencode({'q': one, **query})}", DRAWN)
                for one in opened_with
            ]
            opened = served.megabytes()
            active = [
                Visitor(pages[seed], others(opened_with[seed]), seed) for seed in range(n_active)
            ]
            took = _wait(active, n_searches)
    return {
        "library": library,
        "method": method,
        "n_visitors": n_visitors,
        "n_active": n_active,
        "n_searches": len(took),
        "reading_s": list(READING),
        "answered_s": summary([one.answered for one in took]),
        "settled_s": summary([one.settled for one in took]),
        "allowed_s": ALLOWED_SECONDS,
        "megabytes_idle": round(idle),
        "megabytes_open": round(opened),
        "megabytes": round(watch.highest),
        "allowed_megabytes": ALLOWED_MEGABYTES,
    }


class Visitor:
    """Asks one question after another, none that was just asked.

    Parameters
    ----------
    seed : int
        Of the order and of the pauses.
    """

    def __init__(self, page: "Page", questions: Sequence[str], seed: int = 0) -> None:
        self.page = page
        self.drawn = random.Random(seed)
        self.questions = list(questions)
        self.drawn.shuffle(self.questions)
        self.next_at = time.monotonic() + self.drawn.uniform(0.0, READING[1])
        self.asked_at: float | None = None

    def step(self) -> Took | None:
        """Ask, or look whether the answer is there; give what it took once it is."""
        now = time.monotonic()
        if self.asked_at is None:
            if now >= self.next_at:
                question = self.questions.pop(0)
                self.questions.append(question)
                press = ask(self.page, question)
                asked = address("q", question)
                arm(self.page, f"{asked} && {other_groups(self.page)}", f"{asked} && {DRAWN}")
                press()
                self.asked_at = now
            return None
        took = told(self.page)
        if took is None and now - self.asked_at > _PATIENCE:
            raise BenchmarkError("A page did not answer in two minutes; is the machine busy?")
        if took is not None:
            self.asked_at = None
            self.next_at = time.monotonic() + self.drawn.uniform(*READING)
        return took


def _wait(visitors: Sequence[Visitor], n_searches: int) -> list[Took]:
    """Let visitors do what they do until there are so many answers."""
    found: list[Took] = []
    while len(found) < n_searches:
        found += [took for one in visitors if (took := one.step()) is not None]
        time.sleep(_LOOK)
    return found


def others(question: str) -> list[str]:
    """List the questions that a page which shows one can be asked, to show something else."""
    return [one for one in QUERIES if one != question]


def summary(seconds: Sequence[float]) -> dict[str, float]:
    """Return median, 95th percentile and maximum of what was timed, in seconds."""
    return {
        "median": round(statistics.median(seconds), 3),
        "p95": round(float(np.percentile(seconds, 95)), 3),
        "max": round(max(seconds), 3),
    }
