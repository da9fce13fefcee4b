"""One worker starts the jobs of a folder, and everybody else leaves them to it while it lives."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from filelock import FileLock
from raising import raises
from waiting import wait_until

from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.jobs import JobQueue, JobStore, has_worker, on_duty


class Launcher:
    backend, one_per_device = "local", True

    def __init__(self):
        self.started = []

    def start(self, job, store):
        self.started.append(job.id)
        return job

    def is_alive(self, job):
        return False


@pytest.fixture
def queue(tmp_path):
    queue = JobQueue(JobStore(tmp_path / "jobs"), Launcher())
    queue.submit(("train",), title="qs3m/a", device="cpu")
    return queue


def test_a_worker_begins_though_somebody_looks_whether_there_is_one(tmp_path):
    looking = FileLock(tmp_path / ".worker.lock", thread_local=False)
    looking.acquire()
    over = threading.Timer(0.1, looking.release)
    over.start()
    with on_duty(tmp_path):
        assert has_worker(tmp_path)
    over.join()


def test_jobs_are_left_to_the_worker_and_taken_up_again(queue):
    folder = queue.store.folder
    assert not has_worker(folder)
    with on_duty(folder):
        assert has_worker(folder) and queue.advance() == []
        worker = JobQueue(queue.store, Launcher(), is_worker=True)
        assert [job.id for job in worker.advance()] == ["qs3m-a"]
        with raises(InputError, folder=str(folder)), on_duty(folder):
            pass
    assert not has_worker(folder)
    queue.submit(("train",), title="qs3m/b", device="cuda")
    assert [job.id for job in queue.advance()] == ["qs3m-b"]


@pytest.mark.app  # waits for processes
def test_the_worker_starts_what_comes_and_ends_when_told_or_killed(tmp_path):
    settings = Settings(data_dir=tmp_path, models_dir=tmp_path / "models", encoder="hashing")
    command = [sys.executable, "-m", "subclust", "work"]
    store = JobStore(settings.jobs_dir)
    queue = JobQueue(store, Launcher())
    (tmp_path / "a.csv").write_text("id,text\n1,Looms weave.\n", encoding="utf-8")
    environment = os.environ | settings.to_environment()
    for end in (signal.SIGKILL, signal.SIGTERM):
        name = f"l{int(end)}"
        words = ("import", str(tmp_path / "a.csv"), "--library", name)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as worker:
            assert b"started" in worker.stdout.readline()
            id = queue.submit(words, kind="import", title=name, device="cpu").id
            assert queue.advance() == []
            wait_until(lambda: store.load(id).outcome == "finished")  # noqa: B023
            worker.send_signal(end)
            assert worker.wait(20) == (0 if end == signal.SIGTERM else -end)
        assert not has_worker(settings.jobs_dir)
