"""Training on a Ray cluster of two machines, of which one dies."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from local_cluster import two_machines, until
from small_sets import labelled

from subclust.checkpoints import CheckpointStore
from subclust.jobs import JobStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra [ray]"),
]

STEPS_BEFORE = 20


def test_two_jobs_run_at_once_and_the_one_whose_machine_dies_goes_on_elsewhere(settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl", n_queries=8)
    store = JobStore(settings.jobs_dir)
    with two_machines(tmp_path) as (address, head, other):
        environment = {
            **os.environ,
            **settings.variables(),
            "SUBCLUST_JOBS": address,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }

        def subclust(*words):
            command = [sys.executable, "-m", "subclust", *map(str, words), "--json"]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, (done.stderr, logs(store))
            return json.loads(done.stdout)

        settled = ["--set", "epochs=300", "--set", "save_every=1", "--set", "evaluate_every=25"]
        names = ["first", "second", "third"]
        ids = [
            subclust("train", "qs3m", "--data", data, "--name", name, *settled, "--queue")["job"]
            for name in names
        ]
        both = ids[:2]
        until(lambda: all(steps(store, id) >= STEPS_BEFORE for id in both), [head, other])
        jobs = [store.load(id) for id in both]
        assert [job.outcome for job in jobs] == [None, None], "the training is too short"
        assert sorted(other.runs(job.pid) for job in jobs) == [False, True]
        assert sorted(head.runs(job.pid) for job in jobs) == [False, True]
        [killed] = [job for job in jobs if other.runs(job.pid)]

        # No machine is left for the third: it waits in the cluster, and is taken from there.
        third = subclust("jobs", "show", ids[2])
        assert (third["state"], third["pid"], third["backend"]) == ("queued", None, "ray")
        assert subclust("jobs", "cancel", ids[2])["state"] == "cancelled"

        assert store.load(killed.id).outcome is None, "the training is too short"
        other.die()
        done_before = steps(store, killed.id)
        for id in both:
            assert subclust("jobs", "wait", id)["state"] == "finished"

        again = store.load(killed.id)
        assert (again.restarts, again.attempts) == (1, 2) and again.pid != killed.pid
        assert "queued again" in (store.path(again.id) / "log.txt").read_text()
        numbers = [json.loads(line)["step"] for line in progress(store, again.id)]
        assert numbers == sorted(set(numbers)), "steps were done twice"
        assert numbers[-1] > done_before >= STEPS_BEFORE
        assert store.load(ids[2]).outcome == "cancelled" and steps(store, ids[2]) == 0

    # The one that was interrupted has learnt what the other one has.
    models = CheckpointStore(settings.models_dir)
    first, second = (models.load("qs3m", name) for name in names[:2])
    assert first.tensors.keys() == second.tensors.keys()
    for name, tensor in first.tensors.items():
        np.testing.assert_array_equal(tensor, second.tensors[name])
    assert first.card["scores"] == second.card["scores"]


def progress(store, id):
    path = store.path(id) / "progress.jsonl"
    # The last line may be half written.
    return path.read_text().splitlines(keepends=False)[: lines(path)] if path.exists() else []


def steps(store, id):
    path = store.path(id) / "progress.jsonl"
    return lines(path) if path.exists() else 0


def lines(path):
    return path.read_bytes().count(b"\n")


def logs(store):
    return {path.parent.name: path.read_text()[-2000:] for path in store.folder.glob("*/log.txt")}
