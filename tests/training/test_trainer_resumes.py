"""How a run stops, and how it goes on: by itself, by a file, by a signal, or killed."""

import json
import os
import signal
import subprocess
import sys
import threading
from unittest.mock import ANY

import pytest
import tiny_learner
import torch
from raising import raises
from short_run import QUICK, Scripted, train
from tiny_learner import TinyLearner, digest, untimed

from subclust.core.exceptions import TrainingError
from subclust.training.loop import state
from subclust.training.recipe import TrainingArguments


def test_a_run_that_patience_ended_stays_ended_when_resumed(tmp_path):
    # It may have been killed after that, before its checkpoint was written.
    first, learner = train(tmp_path, Scripted([0.1, 0.4, 0.3, 0.2, 0.9]), epochs=5, patience=2)
    again = Scripted([0.9] * 9)
    result, _ = train(tmp_path, again, epochs=5, patience=2, resume=True)
    assert (result.stopped, result.steps, result.best_step) == ("patience", 24, 8)
    assert digest(again.model) == digest(learner.model)
    assert result.metrics == first.metrics


def test_a_finished_run_stays_finished_when_resumed(tmp_path):
    first, learner = train(tmp_path)
    result, again = train(tmp_path, resume=True)
    assert (result.steps, result.history) == (first.steps, first.history)
    assert digest(again.model) == digest(learner.model)
    assert not again.seen


def test_a_stop_file_ends_the_run_cleanly_and_resume_goes_on(tmp_path):
    whole, undisturbed = train(tmp_path / "undisturbed")

    def stop(line):
        if line["step"] == 7:
            (tmp_path / "run" / "stop").touch()

    result, _ = train(tmp_path / "run", progress=stop)
    assert (result.stopped, result.steps) == ("stop", 7)
    result, learner = train(tmp_path / "run", resume=True)
    assert (result.stopped, result.steps) == ("finished", whole.steps)
    assert result.metrics == whole.metrics
    assert digest(learner.model) == digest(undisturbed.model)


def test_a_run_killed_before_its_first_state_begins_anew_in_its_progress_too(tmp_path):
    def give_up(line):
        if line["step"] == 7:
            raise LookupError

    with pytest.raises(LookupError):
        train(tmp_path, save_every=1000, progress=give_up)
    with (tmp_path / "progress.jsonl").open("a") as stream:
        stream.write('{"step": 8, "to')
    result, _ = train(tmp_path, save_every=1000, resume=True)
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    steps = [json.loads(line)["step"] for line in lines]
    assert steps == list(range(1, result.steps + 1))


def test_where_steps_are_slow_the_state_is_saved_by_the_clock(tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr("subclust.training.loop.run.SAVE_SECONDS", 0.0)

    def look(line):
        there = state._read_state(tmp_path)
        saved.append(there[1]["step"] if there else 0)

    train(tmp_path, save_every=1000, progress=look)
    assert saved == list(range(24))  # each step finds the one before


def test_sigterm_ends_the_run_cleanly_and_gives_the_signal_back(tmp_path):
    def terminate(line):
        if line["step"] == 4:
            signal.raise_signal(signal.SIGTERM)  # in this thread: another may hear it too late

    before = signal.getsignal(signal.SIGTERM)
    result, _ = train(tmp_path, progress=terminate)
    assert (result.stopped, result.steps) == ("stop", 4)
    assert signal.getsignal(signal.SIGTERM) is before
    assert state._read_state(tmp_path)[1]["step"] == 4


def test_sigterm_is_also_given_to_who_listened_before(tmp_path):
    heard = []

    def listen(number, frame):
        heard.append(number)

    before = signal.signal(signal.SIGTERM, listen)
    try:
        result, _ = train(tmp_path, progress=lambda line: signal.raise_signal(signal.SIGTERM))
        assert signal.getsignal(signal.SIGTERM) is listen
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (result.stopped, result.steps, heard) == ("stop", 1, [signal.SIGTERM])


def test_what_the_progress_raises_ends_the_run_at_once_and_leaves_nothing_open(tmp_path):
    whole, undisturbed = train(tmp_path / "whole")

    def give_up(line):
        if line["step"] == 8:  # a validation, and no step at which the state is saved
            raise LookupError

    before = signal.getsignal(signal.SIGTERM)
    learner = TinyLearner()
    with pytest.raises(LookupError):
        train(tmp_path / "run", learner, progress=give_up)
    assert len(learner.seen) == 8
    assert signal.getsignal(signal.SIGTERM) is before
    assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
    assert state._read_state(tmp_path / "run")[1]["step"] == 5
    # Others in the same process train as if it had not been, and it could itself go on.
    assert digest(train(tmp_path / "next")[1].model) == digest(undisturbed.model)
    result, resumed = train(tmp_path / "run", resume=True)
    assert digest(resumed.model) == digest(undisturbed.model)
    assert untimed(result.history) == untimed(whole.history)


def test_a_run_in_a_thread_leaves_signals_alone(tmp_path):
    results = []
    thread = threading.Thread(target=lambda: results.append(train(tmp_path)[0]))
    thread.start()
    thread.join()
    assert results[0].stopped == "finished"


def test_resume_without_a_state_starts_from_the_beginning(tmp_path):
    result, learner = train(tmp_path / "a", resume=True)
    expected, other = train(tmp_path / "b")
    assert untimed(result.history) == untimed(expected.history)
    assert digest(learner.model) == digest(other.model)


def test_a_new_run_forgets_the_old_state(tmp_path):
    # Killed before its first save, it must not go on from the end of the run before.
    train(tmp_path)

    class Dying(TinyLearner):
        def loss(self, batch):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, Dying())
    _, learner = train(tmp_path, resume=True)
    assert len(learner.seen) == 24


def test_resume_with_another_recipe_or_model_is_refused(tmp_path):
    train(tmp_path)
    with pytest.raises(TrainingError):
        train(tmp_path, learning_rate=0.02, resume=True)
    with pytest.raises(TrainingError):
        train(tmp_path, TinyLearner(n_features=5), resume=True)


def test_resume_with_another_objective_is_refused(tmp_path):
    class Pulling(TinyLearner):
        def __init__(self, objective):
            super().__init__()
            self.objective = objective

    train(tmp_path, Pulling({"loss": "bce"}))
    with raises(TrainingError):
        train(tmp_path, Pulling({"loss": "mse"}), resume=True)
    train(tmp_path, Pulling({"loss": "bce"}), resume=True)


class _Stopped(LookupError):
    """Ends a run from its progress."""


def _broken_off(folder, change):
    """Break a run off after its fifth step, and change the facts of its state."""

    def give_up(line):
        if line["step"] == 7:
            raise _Stopped

    with pytest.raises(_Stopped):
        train(folder, progress=give_up)
    path = folder / "state/facts.json"
    facts = json.loads(path.read_text())
    change(facts)
    path.write_text(json.dumps(facts))


def test_a_state_with_the_repr_of_its_arguments_goes_on(tmp_path):
    def as_before(facts):
        for name in ("version", "training_seconds", "workers"):
            del facts[name]
        facts["arguments"] = repr(TrainingArguments(**QUICK))
        facts["objective"] = repr(None)

    _, undisturbed = train(tmp_path / "whole")
    for name in ("same", "other"):
        _broken_off(tmp_path / name, as_before)
    _, resumed = train(tmp_path / "same", resume=True)
    assert digest(resumed.model) == digest(undisturbed.model)
    with pytest.raises(TrainingError):
        train(tmp_path / "other", learning_rate=0.02, resume=True)


def test_an_argument_that_came_later_does_not_make_a_state_another(tmp_path):
    _, undisturbed = train(tmp_path / "whole")
    _broken_off(tmp_path / "run", lambda facts: facts["arguments"].pop("gradient_clip"))
    assert digest(train(tmp_path / "run", resume=True)[1].model) == digest(undisturbed.model)


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.update(version=99),
        lambda facts: facts.pop("step"),
        lambda facts: facts.update(history=3),
    ],
)
def test_facts_that_cannot_be_used_are_refused(tmp_path, change):
    _broken_off(tmp_path, change)
    with raises(TrainingError, state=ANY):
        train(tmp_path, resume=True)


def test_progress_has_each_step_once_after_a_resume(tmp_path):
    class Dying(TinyLearner):
        def loss(self, batch):
            if len(self.seen) == 13:
                raise KeyboardInterrupt
            return super().loss(batch)

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, Dying())
    # Killed in the middle of a line.
    with (tmp_path / "progress.jsonl").open("a") as stream:
        stream.write('{"step": 14, "tot')
    train(tmp_path, resume=True)
    lines = (tmp_path / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == list(range(1, 25))


@pytest.mark.app
def test_a_run_killed_at_random_moments_ends_at_the_same_weights(tmp_path):
    done = subprocess.run(
        [sys.executable, tiny_learner.__file__, tmp_path],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["killed_at"]) >= 5
    assert told["killed"] == told["undisturbed"]
