"""Commands for a Ray cluster: what they refuse, what they say, and what it then runs."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_sets import labelled

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import ClusterError
from subclust.jobs import JobStore
from subclust.jobs.ray_jobs import RayLauncher

pytestmark = pytest.mark.app  # waits for processes


class Cluster:
    """Takes what is submitted, or does not answer."""

    address = "http://cluster:8265"

    def __init__(self):
        self.submitted = []
        self.answers = True

    def submit(self, id, entrypoint, *, cpus, gpus, variables):
        if not self.answers:
            raise ClusterError("The Ray cluster at http://cluster:8265 does not answer.")
        self.submitted.append((entrypoint, cpus, gpus, dict(variables)))


@pytest.fixture
def cluster(settings, monkeypatch):
    cluster = Cluster()
    monkeypatch.setenv("SUBCLUST_JOBS", cluster.address)
    there = replace(settings, jobs_backend=cluster.address)
    monkeypatch.setattr(
        "subclust.jobs.opening._launcher_of", lambda settings: RayLauncher(there, cluster)
    )
    return cluster


@pytest.fixture
def words(tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    return ["train", "qs3m", "--data", data, "--set", "epochs=2", "--queue", "--name", "ours"]


def test_a_training_asks_for_cards_and_cores(run, words, cluster, settings):
    status, out, err = run(*words, "--gpus", "2", "--cpus", "3")
    assert (status, out, err) == (0, "qs3m-ours\n", "")
    [(entrypoint, cpus, gpus, variables)] = cluster.submitted
    assert (cpus, gpus, variables["SUBCLUST_DEVICE"]) == (3, 2, "cuda")
    assert "--queue" not in entrypoint
    job = JobStore(settings.jobs_dir).load("qs3m-ours")
    assert (job.gpus, job.cpus, job.backend) == (2, 3, "ray")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--gpus", "-1"], "--gpus"),
        (["--cpus", "0"], "--cpus"),
        (["--gpus", "2", "--folds", "5"], "--folds"),
    ],
)
def test_what_no_machine_can_give_is_refused(run, words, cluster, options, sentence):
    status, _, err = run(*words, *options)
    assert status == 1 and sentence in err and err.count("\n") == 1
    assert cluster.submitted == []


def test_a_cluster_that_does_not_answer_is_told_and_the_job_waits(run, words, cluster, settings):
    cluster.answers = False
    status, out, err = run(*words, "--gpus", "0")
    assert (status, out) == (0, "qs3m-ours\n") and "does not answer" in err
    job = JobStore(settings.jobs_dir).load("qs3m-ours")
    assert (job.outcome, job.backend_id) == (None, None)


def test_only_the_first_of_those_that_train_together_keeps_the_record(run, monkeypatch, settings):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert run("methods", "--json", "--job", "one")[0] == 0
    assert not settings.jobs_dir.exists()


@pytest.mark.slow
def test_several_workers_of_one_machine_do_a_job_together(run, words, cluster, settings):
    assert run(*words, "--gpus", "2")[0] == 0
    [(entrypoint, _, _, variables)] = cluster.submitted
    environment = {
        **os.environ,
        **variables,
        "SUBCLUST_DEVICE": "cpu",  # as there are no cards here
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(["sh", "-c", entrypoint], env=environment, check=False)
    store = JobStore(settings.jobs_dir)
    log = (store.path("qs3m-ours") / "log.txt").read_text()
    assert done.returncode == 0, log
    assert store.load("qs3m-ours").outcome == "finished"
    assert log.count("Saved ") == 1
    lines = (store.path("qs3m-ours") / "progress.jsonl").read_text().splitlines()
    numbers = [json.loads(line)["step"] for line in lines]
    assert numbers == sorted(set(numbers)) and numbers
    assert CheckpointStore(settings.models_dir).names("qs3m") == ["ours"]
