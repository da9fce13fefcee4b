"""Whether the app is well, for whoever runs it: health checks, and metrics for Prometheus."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

from prometheus_client import Counter as Counted
from prometheus_client import Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust.core.access import is_read_only
from subclust.core.exceptions import SettingsError, StorageError
from subclust.core.logs import note
from subclust.core.settings import Settings
from subclust.core.storage.faults import fault_of
from subclust.core.storage.presence import check_there

_STAGES = Histogram(
    "subclust_search_seconds",
    "Seconds that a stage of a search took; 'total' is all of it.",
    ["stage"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
_RESPONSES = Counted("subclust_responses", "HTTP responses by status.", ["status"])
_ANSWERS = Histogram(
    "subclust_response_seconds",
    "Seconds until an HTTP response was sent whole.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


def health_routes(settings: Settings, is_ready: Callable[[], bool]) -> list[Route]:
    """Return the addresses that a supervisor asks.

    ``/healthz`` answers as long as the server does. ``/readyz`` answers 200 once models are loaded
    and the data folder takes changes, otherwise 503 with the reasons.

    Parameters
    ----------
    is_ready : callable
        Returns whether models are loaded.
    """

    async def healthy(request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok\n")

    def ready(request: Request) -> JSONResponse:  # in a thread, as a network disk may not answer
        missing = []
        if not is_ready():
            missing.append("starting")
        try:
            check_there()
            if not is_read_only():
                _write_something(settings.data_dir)
        except (OSError, StorageError) as error:
            reason = fault_of(error) or error
            missing.append(f"data folder cannot be written to: {reason}")
        return JSONResponse({"ready": not missing, "missing": missing}, 503 if missing else 200)

    return [Route("/healthz", healthy), Route("/readyz", ready)]


def _write_something(folder: Path) -> None:
    """Write a byte to a folder, as no other question tells that a disk is full or out of quota."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"1")
        file.flush()


def observe_search(timings_ms: Mapping[str, float]) -> None:
    """Note how long the stages of a search took, and nothing of what was asked."""
    note("search", {f"{stage}_ms": round(spent, 1) for stage, spent in timings_ms.items()})
    for stage, spent in timings_ms.items():
        _STAGES.labels(stage).observe(spent / 1000)


class CountedResponses:
    """ASGI middleware: counts responses by status, and times them.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                _RESPONSES.labels(str(message["status"])).inc()
            await send(message)

        with _ANSWERS.time() if scope["type"] == "http" else nullcontext():
            await self.app(scope, receive, say)


class _Jobs(Collector):
    """What the queue of background jobs has in it, counted when somebody asks."""

    def __init__(self, settings: Settings) -> None:
        # Whoever asks for no metrics does not wait for it at the start.
        from subclust.jobs import job_queue

        self.queue = job_queue(settings)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        found = GaugeMetricFamily(
            "subclust_jobs", "Background jobs by kind and state.", labels=["kind", "state"]
        )
        jobs = [(job, self.queue.state(job)) for job in self.queue.store.jobs()]
        counts = Counter((job.kind, state) for job, state in jobs)
        for labels, count in sorted(counts.items()):
            found.add_metric(labels, count)
        yield found
        since = [job.queued_at for job, state in jobs if state == "queued" and job.queued_at]
        yield GaugeMetricFamily(
            "subclust_queue_seconds",
            "Seconds for which the job has waited that waits longest; 0 where none waits.",
            value=max(0.0, time.time() - min(since)) if since else 0.0,
        )


def serve_metrics(settings: Settings) -> None:
    """Serve metrics on a port of this machine alone, where the settings name one.

    Raises
    ------
    SettingsError
        If something else has the port.
    """
    if not settings.metrics_port:
        return
    try:
        start_http_server(settings.metrics_port, "127.0.0.1")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise no_metrics(settings.metrics_port, reason) from error
    REGISTRY.register(_Jobs(settings))


def no_metrics(port: int, reason: str) -> SettingsError:
    """Make the error that something else has the port of the metrics."""
    return SettingsError(
        "Metrics cannot be served on port {port} ({error}); name another one in "
        "SUBCLUST_METRICS_PORT.",
        port=port,
        error=reason,
    )
