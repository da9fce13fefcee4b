"""Programs and visitors at once: how long the API takes, and whether the memory grows."""

import argparse
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

import httpx2
import numpy as np

from benchmarks.app.chromium import chromium, visit
from benchmarks.app.explore_page import DRAWN
from benchmarks.app.served import Served, serving
from benchmarks.app.visitors import Visitor, others, summary
from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.speed import QUERIES
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.text.encoders import load_encoder

READING = (20.0, 40.0)
"""Seconds from an answer to a client's next request, drawn between these."""

WARM_UP = 0.25
"""Share of the time after which the memory counts."""

ALLOWED_SLOPE = 1.0
"""Megabytes a minute that the memory may grow by."""

_PATIENCE = 60.0
_LOOK = 0.05
_MEMORY_EVERY = 2.0
_ACTIVE = 5


@dataclass
class Asked:
    """What clients have asked, and how that went.

    Parameters
    ----------
    seconds : list of float
        Of each request that was answered.
    failures : Counter
        How often something went wrong, by what it was.
    """

    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)


def add_load(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``load``."""
    parser.add_argument("--clients", type=int, default=50, metavar="N", help="of the API")
    parser.add_argument("--visitors", type=int, default=20, metavar="N", help="with a page open")
    parser.add_argument("--minutes", type=float, default=5.0, help="once all have come")
    add_output(parser)


def run_load(arguments: argparse.Namespace, settings: Settings) -> None:
    """Serve pages and API, and use both at once."""
    with exit_on_sigterm():  # the server and the browser
        result = measure_load(
            settings,
            n_clients=arguments.clients,
            n_visitors=arguments.visitors,
            seconds=60 * arguments.minutes,
        )
    told = story(load_encoder(settings), settings.resolve_device())
    if not output(arguments, RESULTS_DIR / "speed" / "load.json", result, told):
        print(in_words(result))


def measure_load(
    settings: Settings,
    *,
    n_clients: int = 50,
    n_visitors: int = 20,
    seconds: float = 300.0,
    library: str = "demo",
    method: str = "default",
    reading: tuple[float, float] = READING,
) -> dict[str, Any]:
    """Have programs ask the API while visitors have pages open, and five of them search.

    Parameters
    ----------
    seconds : float
        Once all visitors have come.
    reading : (float, float)
        Bounds of a client's pauses, in seconds.

    Returns
    -------
    dict
        The arguments; ``n_requests``; ``requests_s`` and ``visitors_s``, each with ``median``,
        ``p95`` and ``max``, of the API's requests and of the visitors' searches; ``failures`` by
        what went wrong; ``megabytes`` at the end, ``megabytes_each_minute`` in the mean, and
        ``megabytes_per_minute``, the slope of the memory after `WARM_UP`.

    Raises
    ------
    BenchmarkError
        If the browser or the app does not start, or a page does not answer.
    """
    if n_clients < 1 or n_visitors < 1 or seconds <= 0:
        raise BenchmarkError("A load needs clients, visitors and time.")
    query = {"library": library, "method": method}
    asked, over = Asked(), threading.Event()
    with serving(replace(settings, api=True)) as served, chromium() as browser:
        opened = [QUERIES[number % len(QUERIES)] for number in range(n_visitors)]
        pages = [
            visit(browser, f"{served.url}/?{urlencode({'q': one, **query})}", DRAWN)
            for one in opened
        ]
        visitors = [
            Visitor(page, others(one), seed)
            for seed, (page, one) in enumerate(zip(pages[:_ACTIVE], opened, strict=False))
        ]
        clients = [
            threading.Thread(target=_ask, args=(served, query, asked, over, reading, seed))
            for seed in range(n_clients)
        ]
        for client in clients:
            client.start()
        try:
            searches, memory = _watch(served, visitors, seconds)
        finally:
            over.set()
            for client in clients:
                client.join()
    late = memory[int(len(memory) * WARM_UP) :]
    slope = float(np.polyfit([when for when, _ in late], [used for _, used in late], 1)[0])
    return {
        "library": library,
        "method": method,
        "n_clients": n_clients,
        "n_visitors": n_visitors,
        "seconds": seconds,
        "reading_s": list(reading),
        "n_requests": len(asked.seconds),
        "requests_s": summary(asked.seconds),
        "n_searches": len(searches),
        "visitors_s": summary(searches) if searches else None,
        "failures": dict(asked.failures),
        "megabytes": round(late[-1][1]),
        "megabytes_each_minute": each_minute(memory),
        "megabytes_per_minute": round(60 * slope, 2),
        "allowed_megabytes_per_minute": ALLOWED_SLOPE,
    }


def each_minute(memory: Sequence[tuple[float, float]]) -> list[int]:
    """Return the mean of each minute, of pairs of seconds and megabytes."""
    found: defaultdict[int, list[float]] = defaultdict(list)
    for when, used in memory:
        found[int(when // 60)].append(used)
    return [round(float(np.mean(found[minute]))) for minute in sorted(found)]


def _watch(
    served: Served, visitors: Sequence[Visitor], seconds: float
) -> tuple[list[float], list[tuple[float, float]]]:
    """Let visitors search, and look how much memory the server takes."""
    began = time.monotonic()
    took: list[float] = []
    memory: list[tuple[float, float]] = []
    while (now := time.monotonic() - began) < seconds or len(memory) < 2:
        took += [found.answered for one in visitors if (found := one.step()) is not None]
        if not memory or now - memory[-1][0] >= _MEMORY_EVERY:
            memory.append((now, served.megabytes()))
        time.sleep(_LOOK)
    return took, memory


def _ask(
    served: Served,
    query: dict[str, str],
    asked: Asked,
    over: threading.Event,
    reading: tuple[float, float],
    seed: int,
) -> None:
    """Be a client: search, regroup, browse and list until it is over."""
    drawn = random.Random(seed)
    with httpx2.Client(base_url=f"{served.url}/api/v1/", timeout=_PATIENCE) as client:
        pause = drawn.uniform(0.0, reading[1])
        while not over.wait(pause):
            search = {"query": drawn.choice(QUERIES), **query}
            regroup = {**search, "divide_by": drawn.choice(QUERIES)}
            places: list[dict[str, Any]] = [
                {"method": "POST", "url": "search", "json": search},
                {"method": "POST", "url": "regroup", "json": regroup},
                {"method": "GET", "url": f"libraries/{query['library']}/passages"},
                {"method": "GET", "url": "libraries"},
            ]
            [place] = drawn.choices(places, [6, 2, 1, 1])
            began = time.monotonic()
            try:
                response = client.request(**place)
            except httpx2.TransportError as error:
                asked.failures[type(error).__name__] += 1
            else:
                asked.seconds.append(time.monotonic() - began)
                if not response.is_success:
                    asked.failures[f"{place['url']}: {response.status_code}"] += 1
            pause = drawn.uniform(*reading)


def in_words(result: dict[str, Any]) -> str:
    """Write what `measure_load` found as lines."""
    api, pages = result["requests_s"], result["visitors_s"] or {"median": 0.0, "p95": 0.0}
    failed = sum(result["failures"].values())
    return "\n".join(
        [
            f"{result['n_clients']} clients of the API and {result['n_visitors']} visitors for "
            f"{result['seconds']:.0f} s: {result['n_requests']} requests, "
            f"{result['n_searches']} searches on pages, {failed} failures",
            f"  requests median {api['median']:.2f} s, 95% below {api['p95']:.2f} s",
            f"  pages    median {pages['median']:.2f} s, 95% below {pages['p95']:.2f} s",
            f"  memory   {result['megabytes']:,} MB, growing by "
            f"{result['megabytes_per_minute']:.2f} MB a minute "
            f"({result['allowed_megabytes_per_minute']:g} allowed)",
        ]
    )
