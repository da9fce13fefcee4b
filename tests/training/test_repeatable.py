import os
import random

import numpy as np
import pytest
import torch
from tiny_learner import TinyLearner, digest

from subclust.core.settings import let_cublas_repeat
from subclust.training.loop.state import random_states, restore_random_states, seed_all
from subclust.training.loop.trainer import _repeatable_kernels, train_learner
from subclust.training.recipe import TrainingArguments


def draws():
    """Draw from every generator; an odd number of normals leaves half a pair behind."""
    return [
        *torch.rand(3).tolist(),
        *np.random.normal(size=3).tolist(),
        np.random.randint(10**9),
        random.gauss(0, 1),
        random.random(),
    ]


@pytest.mark.parametrize("n_before", [0, 1, 2])
def test_every_generator_goes_on_where_it_was(n_before):
    seed_all(3)
    for _ in range(n_before):
        draws()
    states = {name: state.clone() for name, state in random_states("cpu").items()}
    expected = draws()
    assert len(set(expected)) == len(expected)
    assert draws() != expected
    restore_random_states(states, "cpu")
    assert draws() == expected


def test_a_seed_decides_and_another_differs():
    seen = []
    for seed in (1, 1, 2):
        seed_all(seed)
        seen.append(draws())
    assert seen[0] == seen[1] and not set(seen[0]) & set(seen[2])


def test_a_state_of_torch_alone_is_taken():
    seed_all(1)
    state = random_states("cpu")["torch"]
    expected = torch.rand(2)
    restore_random_states({"torch": state}, "cpu")
    assert torch.equal(torch.rand(2), expected)


class Drawing(TinyLearner):
    """A loss that draws from all generators."""

    def loss(self, batch):
        noise = np.random.normal() + random.gauss(0, 1) + float(torch.randn(()))
        return super().loss(batch) * (1 + 0.5 * np.tanh(noise))


def test_a_stopped_run_goes_on_with_the_same_draws(tmp_path):
    arguments = TrainingArguments(epochs=2, learning_rate=0.01)
    whole = Drawing()
    train_learner(whole, arguments, tmp_path / "whole")

    def stop(line):
        if line["step"] == 5:
            (tmp_path / "run" / "stop").touch()

    train_learner(Drawing(), arguments, tmp_path / "run", progress=stop)
    draws()  # whatever another program has drawn since
    resumed = Drawing()
    train_learner(resumed, arguments, tmp_path / "run", resume=True)
    assert digest(resumed.model) == digest(whole.model)


def test_cuda_is_made_repeatable_and_then_left_as_it_was(monkeypatch):
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    monkeypatch.setattr(torch.backends.cudnn, "benchmark", True)
    with pytest.raises(KeyError), _repeatable_kernels("cuda"):
        assert torch.are_deterministic_algorithms_enabled()
        assert torch.is_deterministic_algorithms_warn_only_enabled()
        assert not torch.backends.cudnn.benchmark
        assert torch.backends.cuda.math_sdp_enabled()
        assert not torch.backends.cuda.flash_sdp_enabled()
        assert not torch.backends.cuda.mem_efficient_sdp_enabled()
        assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
        raise KeyError
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.backends.cudnn.benchmark
    assert torch.backends.cuda.mem_efficient_sdp_enabled()
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    let_cublas_repeat()
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"
    with _repeatable_kernels("cpu"):
        assert not torch.are_deterministic_algorithms_enabled()
