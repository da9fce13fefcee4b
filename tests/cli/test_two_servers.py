"""Two apps and a worker on one data folder: searches on both, and an import, at once."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import pytest
from waiting import wait_until

from subclust.core.settings import Settings
from subclust.jobs import JobQueue, JobStore
from subclust.jobs.opening import _launcher_of
from subclust.text.library import PassageLibrary

pytestmark = pytest.mark.slow  # loads the app twice

N_RECORDS = 400


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def asked(port, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read(), answer.headers


def is_healthy(port):
    with suppress(OSError):
        return asked(port, "/readyz")[0]
    return None


def records(folder, name, n):
    file = folder / name
    lines = [f"{name}{i},Looms of {name} weave number {i} in the harbour town" for i in range(n)]
    file.write_text("\n".join(["id,text", *lines]) + "\n", encoding="utf-8")
    return str(file)


def test_two_apps_and_a_worker_share_a_data_folder(tmp_path):
    settings = Settings(
        data_dir=tmp_path / "data", models_dir=tmp_path / "models", encoder="hashing", log="json"
    )
    settings.data_dir.mkdir()
    environment = os.environ | settings.to_environment()
    subclust = [sys.executable, "-m", "subclust"]
    first = ["import", records(tmp_path, "a.csv", 40), "--library", "mine"]
    subprocess.run([*subclust, *first], env=environment, check=True, capture_output=True)
    ports = [free_port(), free_port()]
    log = (tmp_path / "log.txt").open("w")
    apps = [
        subprocess.Popen(
            [*subclust, "serve", "--api", "--port", str(port)],
            env=environment,
            stdout=log,
            stderr=log,
        )
        for port in ports
    ]
    worker = subprocess.Popen([*subclust, "work"], env=environment, stdout=log, stderr=log)
    try:
        for port in ports:
            wait_until(lambda: is_healthy(port), 180)  # noqa: B023
        store = JobStore(settings.jobs_dir)
        queue = JobQueue(store, _launcher_of(settings))
        words = ("import", records(tmp_path, "b.csv", N_RECORDS), "--library", "mine")
        id = queue.submit(words, kind="import", title="mine", device="cpu").id
        question = {"query": "looms", "library": "mine", "method": "tfidf"}
        n_answered = 0
        ended = time.monotonic() + 120
        while store.load(id).outcome is None and time.monotonic() < ended:
            for port in ports:
                answer, headers = asked(port, "/api/v1/search", question)
                assert json.loads(answer) and headers["X-Request-ID"]
                n_answered += 1
        assert store.load(id).outcome == "finished" and n_answered > 2
        assert store.load(id).attempts == 1
        assert PassageLibrary.open(settings.library_dir, "mine").count() == 40 + N_RECORDS
        for port in ports:
            assert b"a.csv" in asked(port, "/api/v1/search", question)[0]
    finally:
        began = time.monotonic()
        for process in (*apps, worker):
            process.send_signal(signal.SIGTERM)
        statuses = [process.wait(60) for process in (*apps, worker)]
        log.close()
    assert statuses == [0, 0, 0] and time.monotonic() - began < 20
    lines = [line for line in (tmp_path / "log.txt").read_text().splitlines() if line[:1] == "{"]
    assert any(json.loads(line).get("path") == "/api/v1/search" for line in lines)
