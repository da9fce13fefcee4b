"""Whose turn it is, and what may be done with a job in which state."""

import time
from dataclasses import replace

import pytest
from queue_helpers import PaperLauncher, submit
from raising import raises

from subclust.core.exceptions import InputError, TrainingError
from subclust.jobs import JobQueue, JobStore
from subclust.jobs.queue import KILL_AFTER, TERM_AFTER
from subclust.jobs.record import CLAIM_SECONDS


@pytest.fixture
def launcher():
    return PaperLauncher()


@pytest.fixture
def queue(tmp_path, launcher):
    return JobQueue(JobStore(tmp_path), launcher)


def edit(queue, id, **values):
    return queue.store.update(id, lambda job: replace(job, **values))


def test_one_job_per_device_oldest_first(queue, launcher):
    ids = [submit(queue, name).id for name in ("c", "a", "b")]
    assert ids == ["qs3m-c", "qs3m-a", "qs3m-b"]
    other = submit(queue, "d", device="cuda").id
    assert [queue.position(id) for id in [*ids, other]] == [1, 2, 3, 1]
    assert [job.id for job in queue.advance()] == [ids[0], other]
    assert queue.advance() == []
    assert [queue.position(id) for id in ids] == [None, 1, 2]
    launcher.ends(queue.store, ids[0])
    assert [job.id for job in queue.advance()] == [ids[1]]
    launcher.ends(queue.store, ids[1], "failed")
    launcher.alive.discard(other)  # killed: it does not hold its device
    assert [job.id for job in queue.advance()] == [ids[2]]
    assert launcher.started == [ids[0], other, ids[1], ids[2]]
    states = [queue.state(queue.store.load(id)) for id in [*ids, other]]
    assert states == ["finished", "failed", "running", "lost"]


def test_the_order_holds_when_the_clock_stands_still_or_goes_back(queue, monkeypatch):
    clock = iter([100.0, 100.0, 50.0, 49.0, 100.0, *[101.0] * 99])
    monkeypatch.setattr("subclust.jobs.queue.time.time", lambda: next(clock))
    ids = [submit(queue, name).id for name in ("z", "y", "x")]
    assert [job.id for job in queue.waiting()] == ids


def test_a_backend_with_a_queue_of_its_own_gets_all_at_once(queue, launcher):
    launcher.one_per_device = False
    ids = [submit(queue, name).id for name in "abc"]
    assert [job.id for job in queue.advance()] == ids


def test_a_training_in_a_terminal_holds_its_device(queue, launcher):
    queue.store.begin("by-hand", ("train", "qss"), device="cpu")
    launcher.alive.add("by-hand")
    job = submit(queue, "a")
    assert queue.advance() == []
    launcher.ends(queue.store, "by-hand")
    assert [one.id for one in queue.advance()] == [job.id]


def test_a_job_that_only_prepares_what_comes_later_lets_the_next_begin(queue, launcher):
    job, after = submit(queue, "a"), submit(queue, "b")
    queue.advance()
    assert queue.advance() == [] and queue.position(after.id) == 1
    edit(queue, job.id, stage="preparing")
    assert queue.estimate_wait(after.id) == 0
    assert [one.id for one in queue.advance()] == [after.id]
    assert queue.state(queue.store.load(job.id)) == "running"


def test_a_name_is_refused_until_its_training_has_finished(queue, launcher):
    job = submit(queue, "a")
    with raises(InputError, title="qs3m/a", job="qs3m-a"):
        submit(queue, "a")
    queue.advance()
    with raises(InputError, title="qs3m/a", job="qs3m-a"):
        submit(queue, "a")
    launcher.ends(queue.store, job.id, "failed")  # resumed, it would make the model
    with raises(InputError, title="qs3m/a", job="qs3m-a"):
        submit(queue, "a")
    queue.resume(job.id)
    queue.advance()
    launcher.ends(queue.store, job.id)
    assert submit(queue, "a").id == "qs3m-a-2"


def test_the_name_of_a_training_that_was_removed_is_free(queue):
    queue.cancel(submit(queue, "a").id)
    queue.remove("qs3m-a")
    assert submit(queue, "a").id == "qs3m-a"


def test_other_jobs_that_failed_are_queued_again_under_their_title(queue, launcher):
    queue.submit(("import", "a.csv"), kind="import", title="a", device="cpu")
    queue.advance()
    launcher.ends(queue.store, "import-a", "failed")
    assert queue.submit(("import", "a.csv"), kind="import", title="a", device="cpu")


def test_a_title_without_a_letter_is_refused(queue):
    with raises(InputError, name="../.."):
        queue.submit(("train",), title="../..", device="cpu")
    assert queue.submit(("train",), title="../a b", device="cpu").id == "a-b"


def test_a_claim_that_nobody_follows_is_void(queue, launcher):
    job, later = submit(queue, "a"), submit(queue, "b")
    edit(queue, job.id, claimed=time.time() - 1, attempts=1)  # a dispatcher died just now
    assert queue.advance() == [] and queue.position(job.id) == 1
    edit(queue, job.id, claimed=time.time() - CLAIM_SECONDS - 1)
    assert [one.id for one in queue.advance()] == [job.id]
    assert queue.store.load(job.id).attempts == 2
    assert launcher.started == [job.id] and queue.position(later.id) == 1


def test_what_a_worker_wrote_before_its_starter_stays(queue, launcher, monkeypatch):
    job = submit(queue, "a")
    start = launcher.start

    def quick(claimed, store):
        given = start(claimed, store)
        store.update(claimed.id, lambda now: replace(now, pid=77, outcome="finished"))
        return given

    monkeypatch.setattr(launcher, "start", quick)
    queue.advance()
    assert (queue.store.load(job.id).pid, queue.store.load(job.id).outcome) == (77, "finished")


def test_a_job_that_cannot_be_started_fails_with_the_reason_and_the_next_begins(queue, launcher):
    job, after = submit(queue, "a"), submit(queue, "b")
    launcher.refuses.add(job.id)
    queue.advance()
    failed = queue.store.load(job.id)
    assert (failed.outcome, failed.error) == ("failed", "No memory is left; close other programs.")
    assert launcher.started == [after.id]


def test_the_reason_keeps_its_values_so_that_it_can_be_translated(queue, launcher, monkeypatch):
    def refuse(job, store):
        raise TrainingError("No memory is left for {job}.", job=job.id)

    job = submit(queue, "a")
    monkeypatch.setattr(launcher, "start", refuse)
    queue.advance()
    assert queue.store.load(job.id).error.values == {"job": job.id}


def test_a_waiting_job_is_cancelled_at_once_and_never_starts(queue, launcher):
    job = submit(queue, "a")
    assert queue.cancel(job.id).outcome == "cancelled"
    assert queue.advance() == [] and launcher.started == []
    with raises(InputError, job="qs3m-a"):
        queue.cancel(job.id)


def test_a_running_job_is_asked_then_told_then_ended(queue, launcher):
    job = submit(queue, "a")
    queue.advance()
    queue.cancel(job.id)
    assert (queue.store.path(job.id) / "stop").exists()
    assert queue.state(queue.store.load(job.id)) == "cancelling"
    assert queue.cancel(job.id).cancel_asked is not None
    queue.advance()
    assert launcher.cancelled == []
    edit(queue, job.id, cancel_asked=time.time() - TERM_AFTER - 0.2)
    queue.advance()
    assert launcher.cancelled == [(job.id, False)]
    edit(queue, job.id, cancel_asked=time.time() - KILL_AFTER - 0.2)
    queue.advance()
    assert launcher.cancelled[1:] == [(job.id, True)]
    queue.advance()
    assert queue.store.load(job.id).outcome == "cancelled"


def test_what_is_being_saved_is_let_be(queue, launcher):
    job = submit(queue, "a")
    queue.advance()
    edit(queue, job.id, cancel_asked=time.time() - 10, stage="saving")
    queue.advance()
    assert launcher.cancelled == []


def test_a_lost_job_says_why_and_can_be_resumed(queue, launcher):
    job = submit(queue, "a")
    queue.advance()
    edit(queue, job.id, started=5.0)
    with raises(InputError, job="qs3m-a"):
        queue.resume(job.id)
    launcher.alive.clear()
    queue.advance()
    lost = queue.store.load(job.id)
    assert queue.state(lost) == "lost" and "process is gone" in lost.error and lost.way_out
    (queue.store.path(job.id) / "stop").touch()
    queue.resume(job.id)
    assert not (queue.store.path(job.id) / "stop").exists()
    with raises(InputError, job="qs3m-a"):
        queue.resume(job.id)
    assert [one.id for one in queue.advance()] == [job.id]
    again = queue.store.load(job.id)
    assert (again.error, again.attempts, again.started) == (None, 2, 5.0)


def test_a_resumed_job_waits_behind_the_others(queue, launcher):
    first, second = submit(queue, "a"), submit(queue, "b")
    queue.cancel(first.id)
    queue.resume(first.id)
    assert [job.id for job in queue.waiting()] == [second.id, first.id]


def test_a_finished_job_is_not_resumed_but_cloned(queue, launcher):
    job = submit(queue, "a", data={"set": "mine", "version": 2}, cwd="/somewhere")
    queue.advance()
    launcher.ends(queue.store, job.id)
    with raises(InputError, job="qs3m-a"):
        queue.resume(job.id)
    clone = queue.clone(job.id, {"epochs": "2"}, "b")
    assert (clone.id, clone.title, clone.parent) == ("qs3m-b", "qs3m/b", job.id)
    assert clone.argv[-4:] == ("--name", "b", "--set", "epochs=2")
    assert (clone.data, clone.cwd, clone.device) == (job.data, "/somewhere", "cpu")
    assert [one.id for one in queue.advance()] == [clone.id]


def test_only_ended_jobs_are_removed(queue, launcher):
    job, other = submit(queue, "a"), submit(queue, "b")
    queue.advance()
    for id in (job.id, other.id):
        with raises(InputError, job=id):
            queue.remove(id)
    launcher.ends(queue.store, job.id)
    queue.remove(job.id)
    assert [one.id for one in queue.store.jobs()] == [other.id]
    assert not list(queue.store.folder.glob(f"*{job.id}*"))


def test_the_wait_is_estimated_from_what_runs_and_what_others_took(queue, launcher):
    running, between, last = (submit(queue, name) for name in "abc")
    queue.advance()
    assert queue.estimate_wait(running.id) is None
    assert queue.estimate_wait(between.id) is None  # nothing is known yet
    progress = queue.store.path(running.id) / "progress.jsonl"
    progress.write_text('{"step": 1, "total": 4, "loss": 1.0, "eta": 90.0}\n')
    assert queue.estimate_wait(between.id) == pytest.approx(90, abs=2)
    assert queue.estimate_wait(last.id) is None
    for name, seconds in (("d", 30.0), ("e", 50.0), ("f", 900.0)):
        ended = submit(queue, name).id
        edit(queue, ended, outcome="finished", started=10.0, finished=10.0 + seconds)
    assert queue.estimate_wait(last.id) == pytest.approx(140, abs=2)
