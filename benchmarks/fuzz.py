"""Requests of all kinds to the API, made by schemathesis from its own description."""

import argparse
import io
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.api.libraries import import_files
from subclust.core.settings import Settings
from subclust.text.encoders import HashingEncoder

TEXTS = 60
"""Passages of the library that is asked."""

_AT_ONCE = 50
"""Requests to one address, before the next one's turn."""


_SECONDS = 60
"""For an answer, also on a busy machine."""


class Idle:
    """Stands for a launcher: jobs are queued, and none is started."""

    backend = "local"
    one_per_device = True

    def start(self, job: Any, store: Any) -> Any:
        """Leave a job as it is."""
        return job

    def is_alive(self, job: Any) -> bool:
        """Return whether a job runs."""
        return False


def add_fuzz(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``fuzz``."""
    parser.add_argument("--requests", type=int, default=1000, metavar="N", help="in all")
    parser.add_argument("--seed", type=int, default=0, help="of what is asked")
    add_output(parser)


def run_fuzz(arguments: argparse.Namespace, settings: Settings) -> None:
    """Ask, and tell what the API answered; any failure of the server is printed."""
    result = fuzz(arguments.requests, seed=arguments.seed)
    told = story(HashingEncoder(), "cpu")
    if output(arguments, RESULTS_DIR / "app" / "fuzz.json", result, told):
        return
    print(f"{result['n_requests']:,} requests to {result['n_addresses']} addresses of the API in")
    print(f"{result['seconds']:.0f} seconds: {result['statuses']}")
    print(f"{len(result['failures'])} failures of the server, {result['n_traceback']} tracebacks")
    for failure in result["failures"]:
        print(json.dumps(failure, ensure_ascii=False), file=sys.stderr)


def fuzz(n_requests: int, *, seed: int = 0) -> dict[str, Any]:
    """Ask the API over a small library of its own, in this process.

    Parameters
    ----------
    n_requests : int
        In all, shared out among the addresses; half of each are as the description has them, the
        others break it.

    Returns
    -------
    dict
        ``n_requests``, ``n_addresses``, ``seconds``, ``statuses`` (how many answers of each),
        ``failures`` (requests that were answered by a failure of the server, or not at all) and
        ``n_traceback`` (of answers and logs).
    """
    import schemathesis
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import seed as seeded
    from hypothesis import settings as trying
    from hypothesis.errors import Unsatisfiable

    statuses: Counter[int] = Counter()
    failures: list[dict[str, Any]] = []
    n_traceback = 0
    with tempfile.TemporaryDirectory() as folder, _api(Path(folder)) as (app, prefix, log):
        described = schemathesis.openapi.from_asgi(f"{prefix}/openapi.json", app)
        operations: list[Any] = [one.ok() for one in list[Any](described.get_all_operations())]
        modes = list(schemathesis.GenerationMode)
        began = time.monotonic()

        def ask(operation: Any, mode: Any, count: int, round_: int) -> None:
            @seeded(seed * 1_000_003 + round_)
            @trying(
                max_examples=count,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def asked(case: Any) -> None:
                nonlocal n_traceback
                if statuses.total() >= n_requests:
                    return
                try:
                    answer = case.call(timeout=_SECONDS)
                    status, text = answer.status_code, answer.text
                except Exception as error:
                    status, text = 599, repr(error)
                statuses[status] += 1
                n_traceback += "Traceback (most recent call last)" in text
                if status >= 500:
                    failures.append(
                        {
                            "asked": f"{case.method} {case.path}",
                            "with": repr((case.path_parameters, case.query, case.body))[:500],
                            "status": status,
                            "answer": text[:500],
                        }
                    )

            with suppress(Unsatisfiable):  # an address that takes nothing cannot be asked wrongly
                asked()

        for round_, operation in enumerate(cycle(operations)):
            left = n_requests - statuses.total()
            if left <= 0:
                break
            for mode in modes:
                ask(operation, mode, max(1, min(left, _AT_ONCE) // len(modes)), round_)
        seconds = time.monotonic() - began
        n_traceback += log.getvalue().count("Traceback (most recent call last)")
    return {
        "n_requests": statuses.total(),
        "n_addresses": len(operations),
        "seconds": round(seconds, 1),
        "statuses": {str(status): count for status, count in sorted(statuses.items())},
        "failures": failures,
        "n_traceback": n_traceback,
    }


@contextmanager
def _api(folder: Path) -> Iterator[tuple[Any, str, io.StringIO]]:
    """Make a small library, and yield the API over it with where it is mounted and its log."""
    from starlette.applications import Starlette
    from starlette.routing import Mount

    from subclust.rest.application import PREFIX, application

    settings = replace(
        Settings(), data_dir=folder / "data", models_dir=folder / "models", encoder="hashing",
        device="cpu", benchmark_data_dir=None,
    )  # fmt: skip
    table = folder / "papers.csv"
    subjects = ("tax on tea", "siege of the fort", "cod and herring")
    rows = (f"p{n},Paper {n},The {subjects[n % 3]} in the year {1700 + n}." for n in range(TEXTS))
    table.write_text("id,title,text\n" + "\n".join(rows), encoding="utf-8")
    import_files(table, "demo", settings=settings)
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    try:
        with (
            patch("subclust.jobs.opening._launcher_of", lambda _settings: Idle()),
            redirect_stderr(log),
        ):
            app = Starlette(routes=[Mount(PREFIX, application(settings))])
            yield app, PREFIX, log
    finally:
        logging.getLogger().removeHandler(handler)
