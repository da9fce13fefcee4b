"""What a run does: its steps, its validations, and the weights that it keeps."""

import json

import numpy as np
import pytest
import torch
from raising import raises
from short_run import Scripted, train
from tiny_learner import TinyLearner, digest

from subclust.core.exceptions import TrainingError
from subclust.training.loop import state
from subclust.training.loop.run import Run
from subclust.training.recipe import TrainingArguments


def test_training_brings_the_loss_down_and_reports(tmp_path):
    lines = []
    result, learner = train(tmp_path, epochs=20, progress=lambda line: lines.append(dict(line)))
    assert (result.steps, result.stopped) == (160, "finished")
    assert result.metrics["fit"] > result.history[0]["metrics"]["fit"] + 0.02
    with torch.no_grad():
        assert learner.evaluate() == pytest.approx(result.metrics)
    assert [line["step"] for line in lines] == list(range(1, 161))
    assert lines[-1]["loss"] < lines[0]["loss"]
    assert lines[-1]["eta"] == 0 and lines[0]["total"] == 160
    assert [line["step"] for line in lines if "metrics" in line] == list(range(8, 161, 8))
    written = (tmp_path / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in written] == lines


def test_the_weights_of_the_best_validation_are_kept(tmp_path):
    learner = Scripted([0.1, 0.2, 0.9, 0.3, 0.3])
    result, _ = train(tmp_path, learner, epochs=4)
    assert (result.best_step, result.steps) == (16, 32)
    assert result.metrics == {"fit": 0.9}
    assert digest(learner.model) == learner.weights[2] != learner.weights[-1]


def test_the_first_of_equal_validations_counts(tmp_path):
    result, _ = train(tmp_path, Scripted([0.5, 0.5, 0.5]), epochs=2)
    assert result.best_step == 0


def test_patience_ends_the_run(tmp_path):
    learner = Scripted([0.1, 0.4, 0.3, 0.2, 0.9, 0.9])
    result, _ = train(tmp_path, learner, epochs=5, patience=2)
    assert (result.stopped, result.steps, result.best_step) == ("patience", 24, 8)
    assert digest(learner.model) == learner.weights[1]


def test_accumulated_batches_make_one_step_of_their_mean(tmp_path):
    arguments = {"epochs": 1, "accumulate": 3, "gradient_clip": 0.0, "warmup": 0.0}
    learner = TinyLearner(dropout=0.0)
    result, _ = train(tmp_path, learner, schedule="constant", **arguments)
    # 8 batches: 3 + 3 + 2.
    assert result.steps == 3 and len(learner.seen) == 8

    slow = TinyLearner(dropout=0.0)
    optimizer = torch.optim.AdamW(slow.model.parameters(), lr=0.01, weight_decay=0.01)
    batches = slow.batches(np.random.default_rng([0, 0]))
    for part in (batches[:3], batches[3:6], batches[6:]):
        optimizer.zero_grad()
        torch.stack([slow.loss(batch) for batch in part]).mean().backward()
        optimizer.step()
    saved = state._read_state(tmp_path)[0]
    for name, parameter in slow.model.named_parameters():
        np.testing.assert_allclose(saved[f"model.{name}"], parameter.detach(), atol=1e-6)


def test_each_epoch_has_its_own_batches_and_uses_them_all(tmp_path):
    learner = TinyLearner(varying=True)
    train(tmp_path, learner, epochs=6)
    expected = []
    for epoch in range(20):
        expected += learner.batches(np.random.default_rng([0, epoch]))
    assert len({len(learner.batches(np.random.default_rng([0, e]))) for e in range(6)}) > 1
    assert learner.seen == expected[: len(learner.seen)]


@pytest.mark.parametrize("schedule", ["linear", "cosine", "constant"])
@pytest.mark.parametrize("warmup", [0.0, 0.1, 0.55, 1.0])
def test_the_learning_rate_rises_then_falls(tmp_path, schedule, warmup):
    total = 37
    arguments = TrainingArguments(schedule=schedule, warmup=warmup)
    run = Run(TinyLearner(), arguments, tmp_path)
    factors = []
    for step in range(total):
        run.step = step
        factors.append(run._factor(total))
    rising = int(warmup * total)
    assert min(factors) > 0
    # `learning_rate` is the highest one.
    assert max(factors) <= 1
    assert (np.diff(factors[: rising or 1]) > 0).all()
    falling = np.diff(factors[rising:])
    if schedule == "constant":
        assert (falling == 0).all()
    elif warmup < 1:
        assert (falling < 0).all()
        assert factors[-1] < 0.1
        assert factors[rising] > 0.9


def test_parameters_learn_at_their_own_rates(tmp_path):
    class Halved(TinyLearner):
        def rate(self, name):
            return 0.5 if name.startswith("3.") else 0.0

    learner = Halved()
    before = {name: value.clone() for name, value in learner.model.state_dict().items()}
    rates = []
    run = Run(learner, TrainingArguments(warmup=0.0, schedule="constant"), tmp_path)
    run._draw(0)
    run._one_step(10)
    rates = {group["lr"] for group in run.optimizer.param_groups}
    assert rates == {0.0, 0.0005}
    after = learner.model.state_dict()
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed == {"3.weight", "3.bias"}


def test_the_gradient_is_clipped(tmp_path):
    class Steep(TinyLearner):
        def loss(self, batch):
            return 1000 * super().loss(batch)

    norms = {}
    for clip in (0.0, 0.25):
        learner = Steep()
        run = Run(learner, TrainingArguments(gradient_clip=clip), tmp_path)
        run._draw(0)
        run._one_step(10)
        gradients = [parameter.grad.flatten() for parameter in learner.model.parameters()]
        norms[clip] = torch.cat(gradients).norm().item()
    assert norms[0.25] == pytest.approx(0.25, rel=1e-3)
    assert norms[0.0] > 10


def test_frozen_parameters_are_neither_trained_nor_saved(tmp_path):
    learner = TinyLearner()
    learner.model[0].requires_grad_(False)
    before = learner.model[0].weight.clone()
    train(tmp_path, learner)
    assert torch.equal(learner.model[0].weight, before)
    names = set(state._read_state(tmp_path)[0])
    assert "model.3.weight" in names and "model.0.weight" not in names


@pytest.mark.parametrize(
    ("precision", "native", "dtype"),
    [
        ("float32", "bfloat16", torch.float32),
        ("bfloat16", "float32", torch.bfloat16),
        ("auto", "float32", torch.float32),
        ("auto", "bfloat16", torch.bfloat16),
    ],
)
def test_precision_is_that_of_autocast(tmp_path, monkeypatch, precision, native, dtype):
    monkeypatch.setattr("subclust.training.loop.run.native_precision", lambda device: native)

    class Looking(TinyLearner):
        def loss(self, batch):
            seen.add(self.model(self.x[batch]).dtype)
            return super().loss(batch).float()

    seen = set()
    train(tmp_path, Looking(), precision=precision, epochs=1)
    assert seen == {dtype}


def test_a_loss_that_is_not_finite_ends_the_run(tmp_path):
    class Exploding(TinyLearner):
        def loss(self, batch):
            return super().loss(batch) * (float("inf") if len(self.seen) == 4 else 1)

    with raises(TrainingError, step=4):
        train(tmp_path, Exploding())


def test_weights_that_are_not_finite_end_the_run_before_they_are_validated(tmp_path):
    class Exploding(TinyLearner):
        def loss(self, batch):
            loss = super().loss(batch)
            if len(self.seen) == 8:  # the last before the validation
                self.model[0].weight.data.fill_(float("inf"))
            return loss

        def evaluate(self):
            assert not self.seen  # at the beginning only
            return super().evaluate()

    with raises(TrainingError, step=8):
        train(tmp_path, Exploding(), epochs=1)


def test_nothing_to_train_on_is_said(tmp_path):
    class Empty(TinyLearner):
        def batches(self, generator):
            return []

    with raises(TrainingError):
        train(tmp_path, Empty())


def test_validations_come_every_so_many_steps_and_at_both_ends(tmp_path):
    result, _ = train(tmp_path / "a", evaluate_every=7)
    assert [line["step"] for line in result.history] == [0, 7, 14, 21, 24]
    result, _ = train(tmp_path / "b", evaluate_every=8)
    assert [line["step"] for line in result.history] == [0, 8, 16, 24]
    for line in (tmp_path / "b" / "progress.jsonl").read_text().splitlines():
        told = json.loads(line)
        assert ("metrics" in told) == (told["step"] % 8 == 0)
        assert set(told) == {"step", "total", "loss", "seconds", "eta"} | (
            {"metrics", "epoch", "training_seconds", "validation_seconds"}
            if told["step"] % 8 == 0
            else set()
        )
