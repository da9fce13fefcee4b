"""``train --queue`` and what ``jobs`` does with it, with workers that run within the test."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from raising import numbers
from small_sets import labelled

from subclust.api import runs
from subclust.checkpoints import CheckpointStore
from subclust.cli import main
from subclust.core.settings import PROJECT_ROOT
from subclust.jobs import JobStore

pytestmark = pytest.mark.app  # waits for processes


class Here:
    """Runs a worker to its end, in this process, when it is started; or starts none."""

    backend = "local"
    one_per_device = True
    busy = False

    def start(self, job, store):
        main([*job.argv, "--job", job.id])
        return job

    def is_alive(self, job):
        return job.pid is not None and job.outcome is None

    def cancel(self, job, *, kill=False):
        raise AssertionError("no worker should need it")

    def gone(self, job, store):
        raise AssertionError("no worker should go without a word")


@pytest.fixture
def launcher(monkeypatch):
    launcher = Here()
    monkeypatch.setattr("subclust.jobs.opening._launcher_of", lambda settings: launcher)
    monkeypatch.setattr("subclust.cli.give_way", lambda: None)
    return launcher


@pytest.fixture
def words(settings, tmp_path, launcher):
    data = labelled(tmp_path / "set.jsonl")
    return ["train", "qs3m", "--data", data, "--set", "epochs=2", "--queue", "--name"]


@pytest.fixture
def busy(settings, launcher):
    """Keep the device busy with another training."""
    store = JobStore(settings.jobs_dir)
    job = store.begin("by-hand", ("train", "qss"), device="cpu")
    return lambda: store.end(job, "finished")


def show(run, id):
    return json.loads(run("jobs", "show", id, "--json")[1])


def test_a_queued_training_is_done_and_can_be_watched(run, words, settings):
    status, out, err = run(*words, "ours", "--judge", "--json")
    assert status == 0, err
    assert json.loads(out.splitlines()[-1])["job"] == "qs3m-ours"
    job = show(run, "qs3m-ours")
    assert (job["state"], job["kind"], job["title"]) == ("finished", "train", "qs3m/ours")
    assert (job["device"], job["attempts"], job["stage"]) == ("cpu", 1, "saving")
    assert job["progress"]["fraction"] == 1 and job["curves"]["loss"]
    assert job["curves"]["metrics"]["ari"]
    card = CheckpointStore(settings.models_dir).load("qs3m", "ours").card
    assert card["job"] == {"id": "qs3m-ours", "created": job["created"]}
    kept = json.loads((settings.jobs_dir / "qs3m-ours" / "judgement.json").read_text())
    assert kept == card["judgement"] and kept["verdict"] in ("better", "worse", "unclear")
    assert "qs3m-ours" in run("jobs", "list")[1]
    assert run("jobs", "wait", "qs3m-ours")[0] == 0


def test_what_was_set_aside_is_what_a_model_is_judged_on(run, words, settings):
    assert run(*words, "ours", "--judge", "--set", "test_share=0.3")[0] == 0
    kept = json.loads((settings.jobs_dir / "qs3m-ours" / "judgement.json").read_text())
    split = json.loads((settings.jobs_dir / "qs3m-ours" / "split.json").read_text())
    assert kept["part"] == "test"
    assert [one["query"] for one in kept["queries"]] == split["test"] and len(split["test"]) == 2


def test_a_failed_judgement_costs_no_model(run, words, settings, monkeypatch):
    def fail(*args, **options):
        raise ZeroDivisionError("no pairs")

    monkeypatch.setattr("subclust.judging.judgement.judge_checkpoint", fail)
    status, _, err = run(*words, "ours", "--judge")
    assert status == 0 and "(no pairs)" in err
    assert show(run, "qs3m-ours")["state"] == "finished"
    card = CheckpointStore(settings.models_dir).load("qs3m", "ours").card
    assert "judgement" not in card and card["scores"]


def test_queued_jobs_have_their_turn_in_order(run, words, busy, settings):
    ids = [run(*words, name)[1].strip() for name in ("b", "a")]
    assert [show(run, id)["position"] for id in ids] == [1, 2]
    assert "place 2" in run("jobs", "list")[1]
    busy()
    rows = json.loads(run("jobs", "list", "--json")[1].splitlines()[-1])["jobs"]
    assert [(row["id"], row["state"]) for row in rows] == [
        ("by-hand", "finished"), ("qs3m-b", "finished"), ("qs3m-a", "finished"),
    ]  # fmt: skip
    assert rows[1]["finished"] <= rows[2]["started"]


def test_a_taken_name_is_refused_when_it_is_queued(run, words, busy):
    assert run(*words, "ours")[0] == 0
    status, out, err = run(*words, "ours")
    assert status == 1 and err.count("\n") == 1
    assert err.values == {"title": "qs3m/ours", "job": "qs3m-ours"}
    busy()
    run("jobs", "list")
    run.refused(*words, "ours", card="qs3m", job="ours")


@pytest.mark.parametrize(
    ("more", "values"),
    [
        (["--data", "absent.csv"], {"file": "absent.csv"}),
        (["--base", "absent"], {"method": "qs3m", "there": "none", "same": "qs3m"}),
        (["--set", "epochs=-1"], {"name": "epochs", "value": -1.0}),
        (["--recipe", "absent.toml"], {"path": "absent.toml"}),
        (["--resume"], {}),
    ],
)
def test_what_cannot_work_is_refused_before_it_waits(run, words, settings, more, values):
    run.refused(*words, "ours", *more, **values)
    assert not JobStore(settings.jobs_dir).jobs()


def test_a_waiting_job_is_cancelled_resumed_cloned_and_removed(run, words, busy, settings):
    id = run(*words, "ours")[1].strip()
    assert json.loads(run("jobs", "cancel", id, "--json")[1])["state"] == "cancelled"
    run.refused("jobs", "cancel", id, job=id)
    run.refused(*words, "ours", title="qs3m/ours", job=id)
    assert run("jobs", "wait", id)[0] == 1
    assert json.loads(run("jobs", "resume", id, "--json")[1])["position"] == 1
    clone = json.loads(
        run("jobs", "clone", id, "--name", "other", "--set", "epochs=1", "--json")[1]
    )
    assert (clone["id"], clone["parent"], clone["position"]) == ("qs3m-other", id, 2)
    run.refused("jobs", "remove", clone["id"], job=clone["id"])
    busy()
    run("jobs", "list")
    cards = {n: CheckpointStore(settings.models_dir).load("qs3m", n).card["training"]["epochs"]
             for n in ("ours", "other")}  # fmt: skip
    assert cards == {"ours": 2, "other": 1}
    run.refused("jobs", "clone", id, "--name", "other", method="qs3m", name="other")
    assert run("jobs", "remove", id)[0] == 0
    run.refused("jobs", "show", id, job=id)
    assert CheckpointStore(settings.models_dir).names("qs3m") == ["other", "ours"]


def test_a_failure_is_told_with_its_way_out_and_resumed_once_mended(
    run, words, busy, settings, tmp_path
):
    id = run(*words, "ours")[1].strip()
    data = (tmp_path / "set.jsonl").read_text()
    (tmp_path / "set.jsonl").unlink()
    busy()
    run("jobs", "list")
    job = show(run, id)
    assert job["state"] == "failed" and "set.jsonl" in job["error"] and job["way_out"]
    status, _, err = run("jobs", "wait", id)
    assert status == 1 and "set.jsonl" in err
    (tmp_path / "set.jsonl").write_text(data)
    assert run("jobs", "resume", id)[0] == 0
    job = show(run, id)
    assert (job["state"], job["error"], job["attempts"]) == ("finished", None, 2)


def test_where_memory_runs_out_smaller_batches_are_offered(run, words, settings, monkeypatch):
    def train_checkpoint(*args, **options):
        raise MemoryError

    monkeypatch.setattr(runs, "train_checkpoint", train_checkpoint)
    status, _, err = run(*words, "ours", "--set", "batch_passages=48")
    assert status == 0 and "Traceback" not in err
    job = show(run, "qs3m-ours")
    assert job["state"] == "failed" and job["changes"] == {"batch_passages": 24}
    assert "memory" in job["error"]
    status, _, err = run(*[word for word in words if word != "--queue"], "there")
    assert status == 1 and {"64", "128"} <= set(numbers(err)) and err.count("\n") == 1


def test_a_worker_killed_after_saving_its_checkpoint_knows_it_as_its_own(
    run, words, settings, monkeypatch
):
    assert run(*words, "ours")[0] == 0
    store = JobStore(settings.jobs_dir)
    before = CheckpointStore(settings.models_dir).load("qs3m", "ours").card
    lost = replace(store.load("qs3m-ours"), outcome=None, finished=None, process_started=1.0)
    store.save(replace(lost, pid=None, claimed=None, queued_at=1.0))

    def train_again(*args, **options):
        raise AssertionError("it was trained already")

    monkeypatch.setattr(runs, "train_method", train_again)
    run("jobs", "list")
    assert show(run, "qs3m-ours")["state"] == "finished"
    assert CheckpointStore(settings.models_dir).load("qs3m", "ours").card == before


def test_a_checkpoint_of_somebody_else_is_not_taken_for_its_own(run, words, busy, settings):
    id = run(*words, "ours")[1].strip()
    queued = JobStore(settings.jobs_dir).load(id)
    JobStore(settings.jobs_dir).save(replace(queued, started=1.0))  # so that it is resumed
    checkpoints = CheckpointStore(settings.models_dir)
    assert run(*[w for w in words if w != "--queue"], "other")[0] == 0
    checkpoints.save(replace(checkpoints.load("qs3m", "other"), name="ours"))
    busy()
    run("jobs", "list")
    assert "named ours" in show(run, id)["error"]


def test_a_job_is_not_begun_without_having_been_claimed(run, words, busy, settings):
    id = run(*words, "ours")[1].strip()
    status, _, err = run(*[w for w in words if w != "--queue"], "ours", "--job", id)
    assert status == 1 and err.values["id"] == "qs3m-ours"
    assert run("methods", "--json", "--job", "absent")[2].values["job"] == "absent"


def test_a_log_is_shown_from_its_end(run, words, busy, settings):
    id = run(*words, "ours")[1].strip()
    (settings.jobs_dir / id / "log.txt").write_text("one\ntwo\nthree\n")
    assert run("jobs", "log", id, "--lines", "2")[1] == "two\nthree\n"
    assert json.loads(run("jobs", "log", id, "--json")[1])["log"] == "one\ntwo\nthree"


def test_a_kept_set_is_trained_on_as_it_was_when_it_was_queued(
    run, words, busy, settings, tmp_path
):
    def keep(n_queries):
        path = labelled(tmp_path / "kept.jsonl", n_queries=n_queries)
        status, _, err = run("sets", "add", path, "--name", "mine")
        assert status == 0, err

    keep(6)
    words[words.index("--data") + 1] = "set:mine"
    id = run(*words, "ours")[1].strip()
    keep(8)
    job = show(run, id)
    assert job["data"] == {"set": "mine", "version": 1} and "set:mine@1" in job["argv"]
    busy()
    run("jobs", "list")
    (source,) = CheckpointStore(settings.models_dir).load("qs3m", "ours").card["training_data"]
    assert (source["set"], source["version"]) == ("mine", 1)


def test_a_model_that_another_job_needs_is_not_replaced(run, words, settings):
    assert run(*words, "ours")[0] == 0
    jobs = JobStore(settings.jobs_dir)
    job = jobs.begin("other", ("train", "cob", "--base", "qs3m/ours", "--name", "new"))
    for how in (words, [word for word in words if word != "--queue"]):
        status, _, said = run(*how, "ours", "--replace")
        assert status == 1 and "other" in said
    assert run("models", "remove", "qs3m", "ours")[0] == 1
    jobs.end(job, "finished")
    assert run(*words, "ours", "--replace")[0] == 0
    assert run("models", "remove", "qs3m", "ours")[0] == 0


def subclust(*words, status=0):
    """Run a command in a session of its own, as a terminal's would be; give its last line."""
    done = subprocess.run(
        [sys.executable, "-m", "subclust", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == status, done.stderr
    return (done.stdout or done.stderr).splitlines()[-1]


@pytest.mark.slow
def test_two_trainings_one_after_the_other(settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    train = ["train", "qs3m", "--data", data, "--set", "epochs=2", "--queue", "--judge", "--name"]
    ids = [subclust(*train, name) for name in ("one", "two")]
    assert ids == ["qs3m-one", "qs3m-two"]
    shown = [json.loads(subclust("jobs", "wait", id, "--json")) for id in reversed(ids)][::-1]
    assert [job["state"] for job in shown] == ["finished", "finished"]
    assert [job["attempts"] for job in shown] == [1, 1]
    assert shown[0]["finished"] <= shown[1]["started"]
    said = json.loads(subclust("jobs", "log", ids[0], "--json"))["log"]
    assert "step " in said and "Saved" in said and "Traceback" not in said
    names = CheckpointStore(settings.models_dir).names("qs3m")
    assert names == ["one", "two"]
    assert "finished; clone it" in subclust("jobs", "resume", ids[0], status=1)
