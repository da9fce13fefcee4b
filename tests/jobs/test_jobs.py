"""Records, and the state that follows from them."""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace

import pytest
from raising import raises
from waiting import wait_until

from subclust.core.exceptions import DamagedJobError, InputError
from subclust.core.settings import Settings
from subclust.jobs import Job, JobQueue, JobStore, is_alive, job_state, process
from subclust.jobs.launch import LocalLauncher
from subclust.jobs.record import CLAIM_SECONDS, is_claimed

TAKEN_UP = Job("a", (), pid=1)
SUBMITTED = Job("a", (), backend="ray", backend_id="raysubmit_1")


@pytest.mark.parametrize(
    ("job", "alive", "state"),
    [
        (Job("a", ()), False, "queued"),
        (Job("a", (), queued_at=1.0, claimed=2.0), False, "queued"),
        (TAKEN_UP, True, "running"),
        (TAKEN_UP, False, "lost"),
        (SUBMITTED, True, "queued"),
        (replace(SUBMITTED, cancel_asked=3.0), True, "cancelling"),
        (replace(SUBMITTED, pid=1), True, "running"),
        (SUBMITTED, False, "lost"),
        (replace(TAKEN_UP, cancel_asked=3.0), True, "cancelling"),
        (replace(TAKEN_UP, cancel_asked=3.0), False, "cancelled"),
        *(
            (replace(TAKEN_UP, outcome=outcome, cancel_asked=asked), alive, outcome)
            for outcome in ("finished", "failed", "cancelled")
            for asked in (None, 3.0)
            for alive in (True, False)
        ),
    ],
)
def test_the_state_follows_from_the_record_alone(job, alive, state):
    assert job_state(job, alive) == state


@pytest.mark.parametrize(
    ("claimed", "valid"),
    [(None, False), (100.0, True), (100.1 - CLAIM_SECONDS, True), (99.0 - CLAIM_SECONDS, False),
     (101.0, False)],
)  # fmt: skip
def test_a_claim_is_void_after_a_while_and_before_its_time(claimed, valid):
    assert is_claimed(Job("a", (), claimed=claimed), now=100.0) is valid


def test_a_job_from_beginning_to_end(tmp_path):
    store = JobStore(tmp_path)
    job = store.begin("one", ("train", "qs3m"), device="cpu")
    assert is_alive(job) and job_state(store.load("one"), is_alive(job)) == "running"
    assert (job.kind, job.device, job.cwd) == ("train", "cpu", os.getcwd())
    later = store.beat(job)
    assert later.heartbeat >= job.heartbeat and store.load("one") == later
    store.end(later, "failed", "It broke.")
    assert store.load("one").error == "It broke."
    assert store.load("one").argv == ("train", "qs3m")


def test_what_is_known_of_an_end_stays(tmp_path):
    store = JobStore(tmp_path)
    job = store.begin("one", ())
    store.end(job, "cancelled")
    store.end(job, "finished")
    ended = store.load("one")
    assert ended.outcome == "cancelled"
    assert store.beat(job) == ended
    other = store.begin("one", ())
    store.end(replace(job, pid=job.pid + 1), "failed")
    assert store.load("one") == other


def test_another_process_of_the_same_number_is_not_the_job(tmp_path):
    job = JobStore(tmp_path).begin("one", ())
    assert not is_alive(replace(job, process_started=job.process_started - 1))


def test_a_process_of_another_machine_is_judged_by_its_heartbeat(tmp_path):
    job = replace(JobStore(tmp_path).begin("one", ()), host="elsewhere", pid=2**22 + 5)
    assert is_alive(job)
    assert not is_alive(replace(job, heartbeat=time.time() - 60))


def hold(folder):
    """Start a process that begins a job and then sleeps."""
    program = (
        "import time; from pathlib import Path; from subclust.jobs.store import JobStore;"
        f"JobStore(Path({str(folder)!r})).begin('one', ()); print('begun', flush=True);"
        "time.sleep(60)"
    )
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)


@pytest.mark.parametrize("with_proc", [True, False])
def test_a_killed_process_is_lost_even_before_it_is_buried(tmp_path, monkeypatch, with_proc):
    with hold(tmp_path) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"begun\n"
        if not with_proc:  # as on macOS and Windows
            monkeypatch.setattr(process, "PROC", tmp_path / "no-such-folder")
        store = JobStore(tmp_path)
        job = store.load("one")
        assert job.pid == child.pid != os.getpid()
        if not with_proc:
            job = replace(job, process_started=process.process_start(child.pid))
            store.save(job)
        assert is_alive(job)
        assert process.memory_of(child.pid) > 1
        with raises(InputError, job="one"):
            store.begin("one", ())
        child.kill()
        # It is a zombie now, since nobody has waited for it.
        wait_until(lambda: not is_alive(job))
        assert child.returncode is None
    assert job_state(job, is_alive(job)) == "lost"
    assert process.process_start(child.pid) is None
    assert store.begin("one", ()).pid == os.getpid()


def test_damaged_records_are_told_and_can_be_removed_and_unknown_ids_are_named(tmp_path):
    store = JobStore(tmp_path)
    store.begin("good", ())
    for id, content in {
        "torn": '{"id": "to',
        "odd": "[1]",
        "other": json.dumps(asdict(Job("one", ()))),
        "mistyped": json.dumps({**asdict(Job("mistyped", ())), "created": "yesterday"}),
    }.items():
        (tmp_path / id).mkdir()
        (tmp_path / id / "job.json").write_text(content)
        with raises(DamagedJobError, job=id):
            store.load(id)
        assert store.find(id) is None
    assert [job.id for job in store.jobs()] == ["good"]
    assert [one.name for one in store.damaged()] == ["mistyped", "odd", "other", "torn"]
    queue = JobQueue(store, LocalLauncher(Settings(data_dir=tmp_path)))
    for one in store.damaged():
        queue.remove(one.name)
    assert store.damaged() == []
    for id in ("bad", "torn", "../good", ""):
        with raises(InputError, there="good"):
            store.load(id)


def test_records_of_older_and_newer_versions_load(tmp_path):
    old = {
        "id": "qs3m-ours", "argv": ["tune", "qs3m"], "pid": 1, "process_started": 5.0,
        "created": 1.0, "heartbeat": 2.0, "finished": 3.0, "outcome": "finished", "error": None,
    }  # fmt: skip
    new = {**asdict(Job("newer", ("train",))), "field_to_come": 1}
    for value in (old, new):
        folder = tmp_path / str(value["id"])
        folder.mkdir()
        (folder / "job.json").write_text(json.dumps(value))
    job, newer = JobStore(tmp_path).load("qs3m-ours"), JobStore(tmp_path).load("newer")
    assert (job.kind, job.device, job.attempts, job.argv) == ("tune", None, 0, ("tune", "qs3m"))
    assert job_state(job, False) == "finished"
    assert newer == Job("newer", ("train",))


def test_a_waiting_job_is_not_begun_by_hand(tmp_path):
    store = JobStore(tmp_path)
    store.save(Job("one", ("train", "qs3m"), queued_at=1.0))
    with raises(InputError, job="one"):
        store.begin("one", ("train", "qs3m"))
    assert store.load("one").pid is None


def test_a_resumed_run_is_the_same_run_and_a_new_one_is_not(tmp_path):
    store = JobStore(tmp_path)
    first = store.begin("one", ("train", "qs3m"))
    store.end(first, "cancelled")
    resumed = store.begin("one", ("train", "qs3m", "--resume"))
    assert resumed.created == first.created and resumed.outcome is None
    store.end(resumed, "failed")
    assert store.begin("one", ("train", "qs3m")).created > first.created


def test_a_held_lock_is_one_sentence(tmp_path, monkeypatch):
    store = JobStore(tmp_path)
    store.save(Job("one", ()))
    monkeypatch.setattr("subclust.jobs.store.LOCK_SECONDS", 0.1)
    with store.locked(), raises(InputError):
        store.update("one", lambda job: replace(job, stage="training"))
    assert store.update("one", lambda job: replace(job, stage="training")).stage == "training"
    assert store.load("one").stage == "training"
