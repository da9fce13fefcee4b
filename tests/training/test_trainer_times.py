"""The times and passes that a run's history tells."""

import json

import numpy as np
import pytest
from short_run import train
from tiny_learner import TinyLearner


class Clocked(TinyLearner):
    """Of which a batch takes one second, a validation 100, and drawing an epoch nothing."""

    def __init__(self, monkeypatch, *, dies_after=None, **options):
        super().__init__(**options)
        self.now = 5000.0
        self.dies_after = dies_after
        monkeypatch.setattr("subclust.training.loop.run.time.monotonic", lambda: self.now)

    def loss(self, batch):
        if len(self.seen) == self.dies_after:
            raise KeyboardInterrupt
        self.now += 1
        return super().loss(batch)

    def evaluate(self):
        self.now += 100
        return super().evaluate()


def test_history_tells_the_time_in_steps_and_the_passes_so_far(tmp_path, monkeypatch):
    result, _ = train(tmp_path, Clocked(monkeypatch), evaluate_every=4)
    assert [line["training_seconds"] for line in result.history] == [0, 4, 8, 12, 16, 20, 24]
    assert [line["epoch"] for line in result.history] == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    assert (result.training_seconds, result.steps_per_epoch) == (24, 8)
    assert result.seconds == 24 + 600
    written = map(json.loads, (tmp_path / "progress.jsonl").read_text().splitlines())
    validated = [line for line in written if "metrics" in line]
    for line, kept in zip(validated, result.history[1:], strict=True):
        assert line.items() >= {k: v for k, v in kept.items() if k != "loss"}.items()


def test_a_resumed_run_goes_on_counting_its_seconds(tmp_path, monkeypatch):
    whole, _ = train(tmp_path / "whole", Clocked(monkeypatch, varying=True), evaluate_every=3)
    with pytest.raises(KeyboardInterrupt):
        # The 12th and 13th step were not saved, and are done and counted anew.
        train(tmp_path / "cut", Clocked(monkeypatch, varying=True, dies_after=13), evaluate_every=3)
    cut, _ = train(
        tmp_path / "cut", Clocked(monkeypatch, varying=True), evaluate_every=3, resume=True
    )
    assert [dict(line) for line in cut.history] == [dict(line) for line in whole.history]
    assert cut.training_seconds == whole.training_seconds == whole.steps
    finished, learner = train(
        tmp_path / "cut", evaluate_every=3, resume=True, learner=TinyLearner(varying=True)
    )
    assert finished.training_seconds == whole.training_seconds and not learner.seen


def test_epochs_of_different_lengths_are_counted_whole(tmp_path):
    learner = TinyLearner(varying=True)
    result, _ = train(tmp_path, learner, epochs=6, evaluate_every=1)
    lengths = [len(learner.batches(np.random.default_rng([0, epoch]))) for epoch in range(8)]
    assert len(set(lengths)) > 1 and result.steps_per_epoch == lengths[0]
    expected = [0.0]
    for epoch, length in enumerate(lengths):
        expected += [epoch + (step + 1) / length for step in range(length)]
    found = [line["epoch"] for line in result.history]
    assert found == pytest.approx(expected[: len(found)], abs=1e-6)


def test_without_epochs_no_time_is_spent_in_steps(tmp_path):
    result, _ = train(tmp_path, epochs=0)
    assert (result.training_seconds, result.steps_per_epoch) == (0, 0)
    assert [(line["epoch"], line["training_seconds"]) for line in result.history] == [(0, 0)]
