"""Health checks and metrics."""

import errno
import socket
import threading
import urllib.request
from dataclasses import replace

import pytest
from prometheus_client.registry import REGISTRY
from raising import raises
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from subclust.core import access
from subclust.core.exceptions import SettingsError
from subclust.core.settings import Settings
from subclust.jobs import Job, JobStore
from subclust.serving import health


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, models_dir=tmp_path / "models")


@pytest.fixture
def loaded():
    event = threading.Event()
    event.set()
    return event


@pytest.fixture
def client(settings, loaded):
    app = Starlette(
        routes=health.health_routes(settings, loaded.is_set),
        middleware=[Middleware(health.CountedResponses)],
    )
    return TestClient(app)


def test_the_server_is_ready_once_all_is_loaded(client, loaded):
    loaded.clear()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["missing"]) == (503, ["starting"])
    loaded.set()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "missing": []})


def test_a_folder_that_takes_no_changes_is_told_where_changes_are_taken(client, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(health.tempfile, "TemporaryFile", refuse)
    (told,) = client.get("/readyz").json()["missing"]
    assert "full" in told
    monkeypatch.setattr(access, "_forbidden", True)
    assert client.get("/readyz").status_code == 200


def value(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def test_responses_are_counted_by_status(client):
    before = value("subclust_responses_total", status="404")
    client.get("/nowhere")
    assert value("subclust_responses_total", status="404") == before + 1


@pytest.fixture
def metrics(settings, monkeypatch):
    """Serve metrics on a free port, and give settings that name it; ends with the test."""
    started, registered = [], []
    start, register = health.start_http_server, REGISTRY.register
    monkeypatch.setattr(health, "start_http_server", lambda *how: started.append(start(*how)))
    monkeypatch.setattr(REGISTRY, "register", lambda one: (registered.append(one), register(one)))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = replace(settings, metrics_port=port)
    health.serve_metrics(settings)
    yield settings
    for one in registered:
        REGISTRY.unregister(one)
    for server, thread in started:
        server.shutdown()
        server.server_close()
        thread.join()


def test_metrics_say_how_long_searches_take_and_what_jobs_wait(metrics):
    job = Job("waits", ("import", "a.ris"), kind="import", title="a", queued_at=1.0)
    JobStore(metrics.jobs_dir).save(job)
    health.observe_search({"retrieve": 120.0, "total": 300.0})
    url = f"http://127.0.0.1:{metrics.metrics_port}/metrics"
    with urllib.request.urlopen(url, timeout=10) as answer:
        told = answer.read().decode()
    assert 'subclust_jobs{kind="import",state="queued"} 1.0' in told
    assert 'subclust_search_seconds_bucket{le="0.25",stage="retrieve"}' in told
    assert "subclust_queue_seconds 1" in told  # since 1970


def test_a_port_that_is_taken_is_named(metrics):
    with raises(SettingsError, port=metrics.metrics_port):
        health.serve_metrics(metrics)


def test_without_a_port_nothing_is_served(settings, monkeypatch):
    monkeypatch.setattr(health, "start_http_server", None)
    health.serve_metrics(settings)
