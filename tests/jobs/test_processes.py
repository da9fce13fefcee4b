"""Jobs as processes of their own: started once, outliving others, cancelled in time."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import slow_job
from queue_helpers import PaperLauncher
from raising import raises
from slow_job import queue_of, submit
from waiting import wait_until

from subclust.core.exceptions import InputError
from subclust.jobs import ENDED, JobQueue, JobStore, is_alive, register
from subclust.jobs.process import n_cores, process_start

pytestmark = pytest.mark.app  # waits for processes

PATIENCE = 60.0


def state(queue, id):
    return queue.state(queue.store.load(id))


@contextmanager
def server(folder, how="on"):
    """Have another process start jobs, in a session of its own as a terminal's would be."""
    command = [sys.executable, slow_job.__file__, "serve", str(folder), how]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def queue(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    queue = queue_of(tmp_path)
    yield queue
    for job in queue.store.jobs():  # a test that failed leaves nothing running
        queue.launcher.cancel(job, kill=True)


def ran(folder):
    path = folder / "ran.txt"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def race(folder, number):
    launcher = PaperLauncher()
    launcher.one_per_device = False
    queue = JobQueue(JobStore(Path(folder)), launcher)
    for _ in range(3):
        queue.advance()
    return launcher.started


def test_whoever_advances_each_job_is_started_once(tmp_path):
    queue = JobQueue(JobStore(tmp_path), PaperLauncher())
    ids = [queue.submit(("x",), title=f"job/{n}", device="cpu").id for n in range(60)]
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        started = pool.starmap(race, [(str(tmp_path), n) for n in range(4)])
    assert sorted(sum(started, [])) == sorted(ids)
    assert {job.attempts for job in queue.store.jobs()} == {1}


def test_a_worker_outlives_its_starter_and_starts_the_next(tmp_path, queue):
    first, second = submit(queue, "first", "steps", "40"), submit(queue, "second")
    with server(tmp_path, "once") as process:
        wait_until(lambda: queue.store.load(first.id).stage == "training")
        os.killpg(process.pid, signal.SIGKILL)
    job = queue.store.load(first.id)
    assert state(queue, first.id) == "running"
    assert os.getsid(job.pid) == job.pid != process.pid
    wait_until(lambda: state(queue, second.id) == "finished")
    told = [line[:2] for line in ran(tmp_path)]
    assert told == [
        ["begin", first.id],
        ["end", first.id],
        ["begin", second.id],
        ["end", second.id],
    ]
    first_job, second_job = queue.store.load(first.id), queue.store.load(second.id)
    assert second_job.started >= first_job.finished


def test_a_worker_gives_way_to_the_app_and_leaves_it_a_core(tmp_path, queue):
    job = submit(queue, "a", "polite", "1")
    queue.advance()
    wait_until(lambda: state(queue, job.id) == "finished")
    log = (queue.store.path(job.id) / "log.txt").read_text()
    assert log == f"At work 15 {max(1, n_cores() - 1)}\n"


def test_a_starter_that_dies_before_it_notes_the_worker_leaves_no_second_copy(tmp_path, queue):
    job = submit(queue, "a", "steps", "20")
    with server(tmp_path, "dies") as process:
        process.wait(PATIENCE)
    assert queue.advance() == []
    wait_until(lambda: (queue.advance(), state(queue, job.id))[1] == "finished")
    assert [line[:2] for line in ran(tmp_path)] == [["begin", job.id], ["end", job.id]]
    assert queue.store.load(job.id).attempts == 1


def test_a_worker_that_heeds_the_stop_file_goes_on_where_it_was(tmp_path, queue):
    job = submit(queue, "a", "steps", "40")
    queue.advance()
    progress = queue.store.path(job.id) / "progress.jsonl"
    wait_until(progress.exists)
    queue.cancel(job.id)
    wait_until(lambda: state(queue, job.id) == "cancelled", seconds=2.5)
    cancelled = queue.store.load(job.id)
    assert cancelled.outcome == "cancelled"
    queue.resume(job.id)
    queue.advance()
    wait_until(lambda: state(queue, job.id) == "finished")
    lines = progress.read_text().splitlines()
    assert [f'"step": {n},' in line for n, line in enumerate(lines, 1)] == [True] * 40
    assert [line[2] for line in ran(tmp_path) if line[0] == "begin"] == ["anew", "again"]


def test_a_cancel_is_done_in_five_seconds_in_whatever_the_worker_is(tmp_path, queue):
    job, after = submit(queue, "a", "stubborn", "300"), submit(queue, "b")
    queue.advance()
    wait_until(lambda: queue.store.load(job.id).stage == "training")
    queue.cancel(job.id)
    assert state(queue, job.id) == "cancelling"
    # Nobody calls advance: the worker itself must see to it, and start the next.
    wait_until(lambda: state(queue, job.id) == "cancelled", seconds=5)
    assert queue.store.load(job.id).outcome == "cancelled"
    wait_until(lambda: state(queue, after.id) == "finished")


def test_a_worker_that_hangs_is_ended_by_others(tmp_path, queue):
    job = submit(queue, "a", "stubborn", "300")
    queue.advance()
    wait_until(lambda: queue.store.load(job.id).stage == "training")
    with queue.store.locked():  # so that the worker does not hang with the lock in its hand
        os.kill(queue.store.load(job.id).pid, signal.SIGSTOP)
    queue.cancel(job.id)
    wait_until(lambda: (queue.advance(), state(queue, job.id))[1] == "cancelled", seconds=6)


def test_a_killed_worker_is_lost_at_once_and_goes_on_when_resumed(tmp_path, queue):
    job = submit(queue, "a", "steps", "30")
    queue.advance()
    wait_until(lambda: queue.store.load(job.id).stage == "training")
    os.kill(queue.store.load(job.id).pid, signal.SIGKILL)
    wait_until(lambda: state(queue, job.id) == "lost", seconds=1)
    queue.advance()
    assert "process is gone" in queue.store.load(job.id).error
    queue.resume(job.id)
    queue.advance()
    wait_until(lambda: state(queue, job.id) == "finished")
    assert queue.store.load(job.id).error is None


def test_only_the_process_a_job_was_claimed_for_registers(tmp_path, queue):
    job = submit(queue, "a", "stubborn", "300")
    with raises(InputError, id="slow-a"):
        register(queue.store, job.id)
    queue.advance()
    wait_until(lambda: queue.store.load(job.id).stage == "training")
    with raises(InputError, job="slow-a"):
        register(queue.store, job.id)
    queue.cancel(job.id)
    with raises(InputError, id="slow-a"):
        register(queue.store, job.id)
    wait_until(lambda: state(queue, job.id) == "cancelled")


@pytest.mark.slow
def test_servers_killed_at_random_moments_start_each_job_once_and_in_order(tmp_path, queue):
    generator = random.Random(3)
    jobs = [submit(queue, f"{n}", "steps", str(generator.randint(1, 12))) for n in range(24)]
    killed = 0
    while killed < 20 or any(state(queue, job.id) not in ENDED for job in jobs):
        if killed == 20:
            queue.advance()
            time.sleep(0.2)
            continue
        with server(tmp_path) as one, server(tmp_path) as two:
            time.sleep(generator.uniform(0.2, 1.6))
            for process in (one, two):
                os.killpg(process.pid, signal.SIGKILL)
        killed += 1
        running = [job for job in queue.store.jobs() if queue.state(job) == "running"]
        assert len(running) <= 1
        for job in running:
            os.kill(job.pid, 0)
    assert {state(queue, job.id) for job in jobs} == {"finished"}
    told = ran(tmp_path)
    assert Counter(line[1] for line in told if line[0] == "begin") == {job.id: 1 for job in jobs}
    assert [line[1] for line in told if line[0] == "begin"] == [job.id for job in jobs]
    assert [line[0] for line in told] == ["begin", "end"] * len(jobs)


def test_a_worker_that_was_believed_dead_leaves_the_job_to_its_successor(tmp_path, queue):
    job = submit(queue, "a", "steps", "1000")
    queue.advance()
    wait_until(lambda: queue.store.load(job.id).stage == "training")
    worker = queue.store.load(job.id)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        successor = replace(worker, pid=other.pid, process_started=process_start(other.pid))
        queue.store.save(successor)
        wait_until(lambda: not is_alive(worker), seconds=20)
        assert queue.store.load(job.id) == successor
        other.kill()
    assert "done elsewhere" in (queue.store.path(job.id) / "log.txt").read_text()
    assert not any(line[0] == "end" for line in ran(tmp_path))
