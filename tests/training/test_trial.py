"""What a trial tells after each of its steps, and what it does not count."""

import pytest

from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.training.estimates import trial as trials
from subclust.training.estimates.trial import run_trial
from subclust.training.recipe import Recipe
from subclust.training.training_run import TrainingRun

STEP, VALIDATION, NOTING = 0.02, 0.05, 0.2


class Clock:
    """Time passes only where a test says so."""

    now = 0.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(trials, "time", clock)
    return clock


def instance(query):
    passages = tuple(
        Passage(id=f"{query}-{n}", text=f"{query} {n}", label=str(n % 2)) for n in range(6)
    )
    return ClusteringInstance(Query(query), passages)


def trainer(run):
    run.encoder.encode([passage.text for one in run.training for passage in one.passages])
    for step in range(1, 30):
        trials.time.sleep(STEP)
        line = {"step": step, "total": 29, "seconds": step * STEP}
        if step % run.recipe.training.evaluate_every == 0:
            trials.time.sleep(VALIDATION)
            line |= {"metrics": {"ari": 0.5}, "validation_seconds": VALIDATION}
        run.progress(line)


@pytest.fixture
def trial(tmp_path):
    def make(**options):
        sets = [instance("apples"), instance("pears")], [instance("plums")]
        run = TrainingRun("x", "trial", Recipe(), *sets, HashingEncoder(), tmp_path)
        return run_trial(trainer, run, **options)

    return make


def test_each_step_tells_what_is_known_so_far(trial):
    told = []
    whole = trial(note=told.append)
    assert [one.n_steps for one in told] == list(range(1, 10)) and whole.n_steps == 10
    assert {one.steps for one in [*told, whole]} == {29}
    assert {one.texts_to_encode for one in [*told, whole]} == {12}
    assert len({one.seconds_per_text for one in [*told, whole]}) == 1
    assert [one.seconds_per_validation > 0.5 * VALIDATION for one in told] == [
        n >= 4 for n in range(1, 10)
    ]


def test_noting_is_not_counted_as_training(trial, clock):
    whole = trial(note=lambda found: clock.sleep(NOTING))
    assert whole.seconds_per_step == pytest.approx(STEP)
    assert whole.seconds_per_validation == pytest.approx(VALIDATION)
