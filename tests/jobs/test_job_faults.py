"""Jobs while disk, memory or clock fails: they say what happened, and nobody ends them for it."""

import errno
import os
import time
from dataclasses import replace

import pytest
from disk_faults import READS, WRITES, failing
from queue_helpers import PaperLauncher
from raising import raises

from subclust.core.exceptions import StorageError, TrainingError
from subclust.core.translation import translated
from subclust.jobs import Job, JobQueue, JobStore, Worker, is_alive, job_state, register
from subclust.jobs import worker as worker_module
from subclust.jobs.failure import failure_of
from subclust.jobs.process import host_name, process_start


@pytest.fixture
def store(tmp_path):
    return JobStore(tmp_path / "jobs")


@pytest.fixture
def mine(store):
    """Return a job that was claimed for this process."""
    store.save(Job("one", ("steps", "1"), created=0.0, queued_at=1.0, claimed=time.time()))
    return register(store, "one")[0]


@pytest.mark.parametrize(
    "error", [OSError(number, "no", "/data/x") for number in {**WRITES, **READS}.values()], ids=str
)
def test_a_job_that_a_disk_stops_says_so_and_what_to_do(error):
    failure = failure_of(error)
    assert not failure.is_fault and failure.way_out
    assert translated(failure.sentence, "de") != failure.sentence
    wrapped = RuntimeError("in a library")
    wrapped.__cause__ = error
    assert failure_of(wrapped).sentence == failure.sentence


@pytest.mark.parametrize(
    ("error", "raised"), [(MemoryError(), TrainingError), (OSError(errno.EIO, "no"), TrainingError)]
)
def test_a_job_records_what_failed_and_the_disk_may_fail_while_it_works(
    store, mine, monkeypatch, error, raised
):
    monkeypatch.setattr(worker_module, "_POLL_SECONDS", 0.01)
    monkeypatch.setattr(worker_module, "_BEAT_SECONDS", 0.01)
    worker = Worker(store, mine)
    with pytest.raises(raised), worker.working():
        with failing(store.folder, errno.ESTALE, "read", "list", "make"):
            time.sleep(0.2)
            assert worker._thread.is_alive()
        beaten = store.load("one").heartbeat
        time.sleep(0.2)
        assert store.load("one").heartbeat > beaten  # it goes on when the disk is back
        raise error
    ended = store.load("one")
    assert ended.outcome == "failed" and ended.error and ended.way_out


@pytest.mark.parametrize("number", READS.values(), ids=READS)
def test_a_record_that_cannot_be_read_now_is_not_called_damaged(store, mine, number):
    with failing(store.folder, number, "read"):
        with raises(StorageError, file=str(store.path("one") / "job.json")):
            store.load("one")
        with pytest.raises(StorageError):
            store.begin("one", ("steps", "2"))  # and no other is begun in its place
        assert [one.name for one in store.damaged()] == ["one"]
    assert store.load("one") == mine and store.damaged() == []


@pytest.mark.parametrize("seconds", [-5 * 3600, 40 * 24 * 3600])
def test_a_leap_of_the_clock_ends_no_job_and_changes_no_turn(store, monkeypatch, seconds):
    queue = JobQueue(store, PaperLauncher())
    began = time.time()
    runs = Job("runs", ("steps", "1"), created=began, started=began, heartbeat=began)
    pid = os.getpid()
    runs = replace(runs, pid=pid, process_started=process_start(pid), host=host_name())
    store.save(runs)
    first = queue.submit(("steps", "1"), title="slow/first", device="cpu")
    monkeypatch.setattr(time, "time", lambda: began + seconds)
    second = queue.submit(("steps", "1"), title="slow/second", device="cpu")
    assert is_alive(runs) and job_state(runs, is_alive(runs)) == "running"
    assert first.queued_at < second.queued_at
    monkeypatch.undo()
    third = queue.submit(("steps", "1"), title="slow/third", device="cpu")
    assert second.queued_at < third.queued_at
    assert store.load("runs") == runs
