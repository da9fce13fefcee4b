"""Jobs that stand still while somebody waits for an answer."""

import os
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from threading import Thread

import psutil
import pytest
from slow_job import queue_of, submit
from waiting import wait_until

from subclust.jobs import Job, JobStore, standing_aside
from subclust.jobs.process import host_name
from subclust.jobs.standing_aside import (
    MARK_FILE,
    Crossing,
    may_stand,
    stand_still,
    wake_all,
    wake_forgotten,
)

pytestmark = pytest.mark.app  # waits for processes

PATIENCE = 60.0


@pytest.fixture
def queue(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    queue = queue_of(tmp_path)
    yield queue
    for job in queue.store.jobs():
        queue.launcher.cancel(job, kill=True)


@pytest.fixture
def crossing(queue, monkeypatch):
    monkeypatch.setattr(standing_aside, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(standing_aside, "MOST_SECONDS", PATIENCE)
    return Crossing(queue.store)


@pytest.fixture
def job(queue):
    """A job that is at work, for longer than a test takes."""
    id = submit(queue, "one", "steps", "100000").id
    queue.advance()
    wait_until(lambda: n_steps(queue, id) > 0)
    return queue.store.load(id)


def n_steps(queue, id):
    path = queue.store.path(id) / "progress.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def is_stopped(job):
    return psutil.Process(job.pid).status() == psutil.STATUS_STOPPED


def goes_on(queue, job):
    there = n_steps(queue, job.id)
    wait_until(lambda: n_steps(queue, job.id) > there + 1)
    return not is_stopped(job) and not (queue.store.path(job.id) / MARK_FILE).exists()


def test_a_job_stands_still_while_an_answer_is_made_and_then_goes_on(queue, crossing, job):
    with crossing.clear():
        wait_until(lambda: is_stopped(job))
        there = n_steps(queue, job.id)
        time.sleep(0.3)
        assert n_steps(queue, job.id) == there
        assert queue.state(queue.store.load(job.id)) == "running"
    assert goes_on(queue, job)


def test_it_stands_still_until_the_last_answer_is_made(queue, crossing, job):
    with ExitStack() as other:
        with crossing.clear():
            other.enter_context(crossing.clear())
            wait_until(lambda: is_stopped(job))
        time.sleep(0.3)
        assert is_stopped(job)
    assert goes_on(queue, job)


def test_an_error_in_a_page_lets_it_go_on_too(queue, crossing, job):
    with pytest.raises(LookupError), crossing.clear():
        wait_until(lambda: is_stopped(job))
        raise LookupError
    assert goes_on(queue, job)


def test_nobody_keeps_a_job_for_long_and_it_then_runs_as_long_as_it_stood(
    queue, crossing, job, monkeypatch
):
    monkeypatch.setattr(standing_aside, "MOST_SECONDS", 1.0)
    with crossing.clear():
        wait_until(lambda: is_stopped(job))
        assert goes_on(queue, job)
        with crossing.clear():
            time.sleep(0.2)
            assert not is_stopped(job)
    time.sleep(1.0)
    with crossing.clear():
        wait_until(lambda: is_stopped(job))


def test_it_stands_a_moment_longer_while_the_browser_draws(queue, crossing, job, monkeypatch):
    monkeypatch.setattr(standing_aside, "LINGER_SECONDS", 0.5)
    with crossing.clear():
        wait_until(lambda: is_stopped(job))
    assert is_stopped(job)
    assert goes_on(queue, job)


def test_others_wait_until_nobody_waits_for_an_answer_but_not_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr(standing_aside, "LINGER_SECONDS", 0.0)
    crossing = Crossing(JobStore(tmp_path))
    assert waited(crossing, 60.0) < 1.0
    with crossing.clear():
        assert waited(crossing, 0.2) >= 0.2
        answer = Thread(target=waited, args=(crossing, 60.0))
        answer.start()
        answer.join(0.2)
        assert answer.is_alive()
    answer.join(10.0)
    assert not answer.is_alive()


def waited(crossing, seconds):
    began = time.monotonic()
    crossing.wait(seconds)
    return time.monotonic() - began


def test_a_job_whose_searcher_was_killed_is_woken(queue, job):
    folder = queue.store.path(job.id)
    stand_still(job, folder)
    wait_until(lambda: is_stopped(job))
    queue.advance()
    assert is_stopped(job)  # somebody may wait still
    old = time.time() - 60
    os.utime(folder / MARK_FILE, (old, old))
    queue.advance()
    assert goes_on(queue, job)


def test_whoever_sees_the_app_end_wakes_all(queue, job):
    stand_still(job, queue.store.path(job.id))
    wait_until(lambda: is_stopped(job))
    wake_all(queue.store.folder)
    assert goes_on(queue, job)


def test_a_job_that_stands_still_can_be_cancelled(queue, crossing, job, monkeypatch):
    monkeypatch.setattr(standing_aside, "MOST_SECONDS", 1.0)
    with crossing.clear():
        wait_until(lambda: is_stopped(job))
        queue.cancel(job.id)
        wait_until(lambda: queue.state(queue.store.load(job.id)) == "cancelled")


def test_marks_of_jobs_that_have_gone_do_no_harm(tmp_path):
    for number, said in enumerate(["", "no number", "999999999"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / MARK_FILE).write_text(said)
        os.utime(folder / MARK_FILE, (0, 0))
        wake_forgotten(folder)
    assert not list(tmp_path.rglob(MARK_FILE))
    wake_forgotten(tmp_path / "nowhere")


def test_only_what_the_queue_started_on_this_machine_stands_aside():
    job = Job("qs3m-a", ("train",), pid=os.getppid(), process_started=1.0, queued_at=1.0)
    assert may_stand(job) and may_stand(replace(job, host=host_name()))
    others = [
        replace(job, queued_at=None),  # of a terminal
        replace(job, host="elsewhere"),
        replace(job, backend="ray"),
        replace(job, outcome="finished"),
        replace(job, pid=None),
    ]
    assert not any(map(may_stand, others))
