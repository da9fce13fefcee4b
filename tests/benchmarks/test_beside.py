"""Embedding a query beside a training."""

import os
from dataclasses import replace

import pytest
from raising import raises

from benchmarks import beside
from benchmarks.beside import ALLOWED, demo_queries, time_beside_training
from subclust.core.exceptions import InputError
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.jobs import LocalLauncher
from subclust.jobs.process import process_start


class Trainings:
    """A launcher whose job is at one stage after another, or ends."""

    backend = "local"
    one_per_device = True
    gone = LocalLauncher.gone

    def __init__(self, stages, outcome=None):
        self.stages = list(stages)
        self.outcome = outcome
        self.job = self.store = None

    def start(self, job, store):
        self.job, self.store = job, store
        here = replace(job, pid=os.getpid(), process_started=process_start(os.getpid()))
        store.save(replace(here, stage=self.stages[0]))
        return here

    def is_alive(self, job):
        if job.pid is None or job.outcome is not None or job.cancel_asked is not None:
            return False
        if len(self.stages) > 1:
            self.stages.pop(0)
            self.store.save(replace(job, stage=self.stages[0]))
        elif self.outcome:
            self.store.save(replace(job, outcome=self.outcome, error="No memory is left."))
        return True


@pytest.fixture
def instances():
    return demo_queries(2, 4)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(beside, "PAUSE", 0.0)


def test_queries_are_timed_before_beside_and_after(settings, store, instances):
    launcher = Trainings(["reading"] * 3 + ["encoding"] * 12 + ["training"])
    result = time_beside_training(
        settings, "qs3m", instances=instances, n_queries=40, launcher=launcher
    )
    assert result["method"] == "qs3m" and result["allowed"] == ALLOWED
    assert result["idle"]["n"] == result["beside_training"]["n"] == 40
    assert result["beside_encoding"]["n"] >= 4 and "beside_reading" not in result
    assert result["beside"]["n"] >= 40 + result["beside_encoding"]["n"]
    worst = max(result[stage]["median_ms"] for stage in ("beside_encoding", "beside_training"))
    # The medians are told in tenths of a millisecond, which is much of the few that a query takes.
    told = 0.051 / worst + 0.051 / result["idle"]["median_ms"]
    assert result["ratio"] == pytest.approx(worst / result["idle"]["median_ms"], rel=told + 0.001)
    words = launcher.job.argv
    assert words[:2] == ("train", "qs3m") and words[words.index("--base") + 1] == "tiny"
    assert launcher.job.device == "cpu"


def test_a_training_that_ends_too_early_is_told(settings, store, instances):
    launcher = Trainings(["reading", "training"], outcome="failed")
    with raises(InputError, reason="No memory is left."):
        time_beside_training(settings, "qs3m", instances=instances, launcher=launcher)


def test_the_demo_gives_queries_with_subtopics():
    first, second = demo_queries(1, 30), demo_queries(2, 30, first=1)
    assert [one.query.text for one in first + second][:2] == ["Anarchism", "Autism"]
    for instance in first + second:
        assert 2 <= len(set(instance.gold())) and len(instance.passages) <= 30


@pytest.mark.slow
@pytest.mark.parametrize("method", ["centred-qs3m", "sbert-triplet"])
def test_a_training_lets_queries_be_embedded(tmp_path, monkeypatch, method):
    monkeypatch.setattr(beside, "PAUSE", 0.02)
    settings = Settings(data_dir=tmp_path, models_dir=PROJECT_ROOT / "models")
    result = time_beside_training(settings, method)
    assert result["beside_training"]["n"] == 200
    assert result["ratio"] <= ALLOWED, result
