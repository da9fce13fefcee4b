import shutil
import tempfile
from pathlib import Path

import pytest
import torch
from raising import raises
from torch import nn

from subclust.core.exceptions import TrainingError
from subclust.training.loop import state
from subclust.training.loop.state import (
    _read_state,
    optimizer_tensors,
    restore_optimizer,
    write_state,
)


class Killed(BaseException):
    """What a test raises where a process would die."""


def save(folder, number):
    write_state(folder, {"x": torch.full((3,), float(number))}, {"step": number})


def saved(folder):
    tensors, facts = _read_state(folder)
    assert tensors["x"].tolist() == [facts["step"]] * 3
    return facts["step"]


def test_what_was_written_is_read(tmp_path):
    assert _read_state(tmp_path) is None
    tensors = {"a": torch.arange(6.0).reshape(2, 3).T, "n": torch.tensor(7), "b": torch.rand(4)}
    write_state(tmp_path / "run", tensors, {"step": 3, "best": {"ari": 0.25}, "loss": None})
    read, facts = _read_state(tmp_path / "run")
    assert facts == {"step": 3, "best": {"ari": 0.25}, "loss": None}
    assert set(read) == set(tensors)
    assert all(torch.equal(read[name], tensors[name]) for name in tensors)


def test_the_newest_counts_and_nothing_else_is_left(tmp_path):
    for number in (1, 2, 3):
        save(tmp_path, number)
    assert saved(tmp_path) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def die_at(monkeypatch, owner, name, call):
    """Let the process die at the given call of a function, before it does anything."""
    original, calls = getattr(owner, name), []

    def dying(*arguments, **options):
        calls.append(arguments)
        if len(calls) == call:
            raise Killed
        return original(*arguments, **options)

    monkeypatch.setattr(owner, name, dying)


POINTS = [
    (tempfile, "mkdtemp", 1),
    (state, "save_file", 1),
    (Path, "write_text", 1),
    (Path, "rename", 1),
    (Path, "rename", 2),
    (shutil, "rmtree", 1),
    (shutil, "rmtree", 2),
]


@pytest.mark.parametrize(("owner", "name", "call"), POINTS)
def test_killed_anywhere_in_a_save_a_whole_state_is_there(tmp_path, monkeypatch, owner, name, call):
    save(tmp_path, 1)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        die_at(patch, owner, name, call)
        save(tmp_path, 2)
    # Before the last rename the old one, after it the new one.
    assert saved(tmp_path) == (2 if (name, call) == ("rmtree", 2) else 1)
    save(tmp_path, 3)
    assert saved(tmp_path) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


@pytest.mark.parametrize(("owner", "name", "call"), POINTS)
def test_killed_in_two_saves_one_after_the_other(tmp_path, monkeypatch, owner, name, call):
    save(tmp_path, 1)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        die_at(patch, Path, "rename", 2)
        save(tmp_path, 2)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        die_at(patch, owner, name, call)
        save(tmp_path, 3)
        raise Killed
    assert saved(tmp_path) in (1, 3)


def test_killed_in_the_first_save_there_is_no_state(tmp_path, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(Killed):
        die_at(patch, Path, "rename", 1)
        save(tmp_path, 1)
    assert _read_state(tmp_path) is None


@pytest.mark.parametrize("damage", ["facts", "tensors", "no facts", "no tensors"])
def test_a_damaged_state_is_said(tmp_path, damage):
    save(tmp_path, 1)
    facts, tensors = tmp_path / "state/facts.json", tmp_path / "state/tensors.safetensors"
    match damage:
        case "facts":
            facts.write_text('{"step": ')
        case "tensors":
            tensors.write_bytes(tensors.read_bytes()[:-4])
        case "no facts":
            facts.unlink()
        case "no tensors":
            tensors.unlink()
    with raises(TrainingError):
        _read_state(tmp_path)


def test_an_optimizer_goes_on_as_if_nothing_had_been():
    def step(model, optimizer, seed):
        optimizer.zero_grad()
        generator = torch.Generator().manual_seed(seed)
        (model(torch.randn(5, 3, generator=generator)) ** 2).mean().backward()
        optimizer.step()

    def fresh():
        torch.manual_seed(0)
        model = nn.Linear(3, 2)
        return model, torch.optim.AdamW(model.parameters(), lr=0.1)

    model, optimizer = fresh()
    for seed in range(3):
        step(model, optimizer, seed)
    other, restored = fresh()
    other.load_state_dict(model.state_dict())
    copies = {name: tensor.clone() for name, tensor in optimizer_tensors(optimizer).items()}
    restore_optimizer(restored, copies)
    naive = torch.optim.AdamW(copied := [p.detach().clone() for p in model.parameters()], lr=0.1)
    step(model, optimizer, 3)
    step(other, restored, 3)
    for one, two in zip(model.parameters(), other.parameters(), strict=True):
        assert torch.equal(one, two)
        assert one.grad.abs().max() > 0
    # Without its state it would have gone elsewhere.
    for value, parameter in zip(copied, model.parameters(), strict=True):
        value.grad = parameter.grad.clone()
    naive.step()
    assert not torch.allclose(copied[0], next(model.parameters()))
