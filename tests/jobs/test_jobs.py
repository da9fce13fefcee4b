import json
import os
import subprocess
import sys

import pytest

from subclust.exceptions import InputError
from subclust.jobs import Job, JobStore, is_alive, job_state


@pytest.mark.parametrize(
    ("job", "alive", "state"),
    [
        (Job("a", ()), False, "queued"),
        (Job("a", (), pid=1), True, "running"),
        (Job("a", (), pid=1), False, "lost"),
        (Job("a", (), pid=1, outcome="finished"), False, "finished"),
        (Job("a", (), pid=1, outcome="failed"), True, "failed"),
        (Job("a", (), pid=1, outcome="cancelled"), False, "cancelled"),
    ],
)
def test_the_state_follows_from_the_record_alone(job, alive, state):
    assert job_state(job, alive) == state


def test_a_job_from_beginning_to_end(tmp_path):
    store = JobStore(tmp_path)
    job = store.begin("one", ("train", "qs3m"))
    assert is_alive(job) and job_state(store.load("one"), is_alive(job)) == "running"
    later = store.beat(job)
    assert later.heartbeat >= job.heartbeat and store.load("one") == later
    store.end(later, "failed", "The loss is no longer finite.")
    assert store.load("one").error == "The loss is no longer finite."
    assert store.load("one").argv == ("train", "qs3m")


def test_another_process_of_the_same_number_is_not_the_job(tmp_path):
    job = JobStore(tmp_path).begin("one", ())
    assert not is_alive(Job("one", (), pid=job.pid, process_started=job.process_started - 1))


def test_a_killed_process_is_lost(tmp_path):
    program = (
        "import sys, time; from pathlib import Path; from subclust.jobs import JobStore;"
        f"JobStore(Path({str(tmp_path)!r})).begin('one', ()); print('begun', flush=True);"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        job = JobStore(tmp_path).load("one")
        assert job.pid == process.pid != os.getpid() and is_alive(job)
        process.kill()
    assert job_state(job, is_alive(job)) == "lost"


def test_unreadable_records_are_passed_over_and_unknown_ids_named(tmp_path):
    store = JobStore(tmp_path)
    store.begin("good", ())
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "job.json").write_text('{"id": "to')
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "job.json").write_text(json.dumps([1]))
    assert [job.id for job in store.jobs()] == ["good"]
    with pytest.raises(InputError, match="no job 'bad' .*good"):
        store.load("bad")
