"""How long each thing that can be done on the pages takes in a browser, over many hits."""

import statistics
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from benchmarks.app.chromium import Took, chromium, visit
from benchmarks.app.comparer import DRAWN as COMPARED
from benchmarks.app.comparer import Comparer
from benchmarks.app.explore_page import DRAWN
from benchmarks.app.explorer import Explorer
from benchmarks.app.served import Served, serving
from benchmarks.speed import QUERIES
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ALLOWED_SECONDS = 1.0
"""That an answer may take."""

HITS = (50, 100, 200, 500)
"""How many hits the pages can be asked for."""

MOST_ROUNDS = len(QUERIES) // 2
"""Rounds for which there are questions."""


def time_interactions(
    settings: Settings,
    *,
    library: str = "demo",
    method: str = "default",
    top_k: int = HITS[-1],
    rounds: int = 3,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Do in a browser all that can be done with an answer, and time each thing.

    A visitor who is not timed asks all questions first, so that every passage that is met has been
    encoded, and does everything once. In each round a new visitor does everything from the
    beginning: what was found or grouped for one visitor is not kept for another. The browser runs
    on the same processor as the app and draws without a graphics card.

    Parameters
    ----------
    top_k : int
        Hits of each question, one of `HITS`.
    rounds : int
        Timed, 1 to `MOST_ROUNDS`; each with other questions.
    progress : callable, optional
        Told the name of each thing before it is done.

    Returns
    -------
    dict
        ``library``, ``method``, ``top_k``, ``rounds``, ``allowed_s``, and ``interactions``: of
        each, by its name, ``n``, and ``answered_s`` (the page shows what was asked for) and
        ``settled_s`` (nothing more comes), each with ``median`` and ``max``.

    Raises
    ------
    BenchmarkError
        If there are no questions for so many rounds, the browser or the app does not start, or a
        page does not answer.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BenchmarkError(
            "There can be 1 to {most_rounds} rounds, not {rounds}.",
            most_rounds=MOST_ROUNDS,
            rounds=rounds,
        )
    pairs = [(QUERIES[2 * n], QUERIES[2 * n + 1]) for n in range(rounds)]
    query = {"library": library, "method": method, "top": top_k}
    took: dict[str, list[Took]] = {}
    with serving(settings) as served, chromium() as browser:
        _walk_once(served, browser, query, pairs, progress)
        for question, another in pairs:
            page = visit(browser, _explore(served, query), DRAWN)
            explorer = Explorer(page, progress)
            explorer.walk(question, another)
            page.context.close()
            page = visit(browser, _compare(served, query, question), COMPARED)
            comparer = Comparer(page, progress)
            comparer.walk()
            page.context.close()
            for name, times in (explorer.took | comparer.took).items():
                took.setdefault(name, []).extend(times)
    return {
        "library": library,
        "method": method,
        "top_k": top_k,
        "rounds": rounds,
        "allowed_s": ALLOWED_SECONDS,
        "interactions": {name: summary(times) for name, times in took.items()},
    }


def summary(took: Sequence[Took]) -> dict[str, Any]:
    """Return number, median and maximum of what was timed, in seconds."""
    return {
        "n": len(took),
        **{
            f"{what}_s": {
                "median": round(statistics.median(getattr(one, what) for one in took), 3),
                "max": round(max(getattr(one, what) for one in took), 3),
            }
            for what in Took._fields
        },
    }


def _walk_once(
    served: Served,
    browser: "Browser",
    query: dict[str, Any],
    pairs: Sequence[tuple[str, str]],
    progress: Callable[[str], None] | None,
) -> None:
    """Have every passage encoded that will be met, and everything done once."""
    page = visit(browser, _explore(served, query), DRAWN)
    explorer = Explorer(page, progress)
    for question in [one for pair in pairs for one in pair]:
        explorer.search(question)
    explorer.walk(*pairs[0])
    page.context.close()
    page = visit(browser, _compare(served, query, pairs[0][0]), COMPARED)
    Comparer(page, progress).walk()
    page.context.close()


def _explore(served: Served, query: dict[str, Any]) -> str:
    return f"{served.url}/?{urlencode({'q': QUERIES[-1], **query})}"


def _compare(served: Served, query: dict[str, Any], question: str) -> str:
    asked = {"q": question, "library": query["library"], "top": query["top"]}
    columns = {"a": query["method"], "b": "centred-cosine"}
    return f"{served.url}/compare?{urlencode({**asked, **columns})}"
