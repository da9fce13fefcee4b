"""Several processes that train together, over gloo on the CPU."""

import json
import os
import subprocess
import sys

import pytest
import torch
import worker_run
from raising import raises
from tiny_learner import TinyLearner

from subclust.core.exceptions import TrainingError
from subclust.training.loop import workers
from subclust.training.loop.state import _read_state
from subclust.training.loop.trainer import train_learner
from subclust.training.recipe import TrainingArguments

pytestmark = pytest.mark.app  # waits for processes

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def start(*words, **environment):
    done = subprocess.run(
        [*TORCHRUN, *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workers")
    done = start(worker_run.__file__, folder)
    assert done.returncode == 0, done.stderr
    return folder


def told(folder, scenario, worker, resumed=False):
    name = f"worker-{worker}{'-resumed' * resumed}.json"
    return json.loads((folder / scenario / name).read_text())


def alone(folder, learner, accumulate=2):
    arguments = TrainingArguments(**worker_run.ARGUMENTS, accumulate=accumulate)
    return train_learner(learner, arguments, folder)


@pytest.mark.parametrize(
    ("scenario", "make"),
    [
        ("plain", lambda: TinyLearner(dropout=0.0)),
        ("varying", lambda: TinyLearner(dropout=0.0, varying=True)),
        ("parts", worker_run.PartOnly),
    ],
)
def test_two_workers_do_as_one_that_accumulates_two(folder, tmp_path, scenario, make):
    learner = make()
    result = alone(tmp_path, learner)
    main, other = told(folder, scenario, 0), told(folder, scenario, 1)
    assert main["steps"] == result.steps
    start = dict(make().model.named_parameters())
    for name, parameter in learner.model.named_parameters():
        found = torch.tensor(main["weights"][name])
        torch.testing.assert_close(found, parameter.detach(), rtol=1e-5, atol=1e-6)
        assert torch.equal(found, start[name].detach()) == (name == "unused")
    for found, expected in zip(main["history"], result.history, strict=True):
        assert found["step"] == expected["step"]
        assert found["metrics"]["fit"] == pytest.approx(expected["metrics"]["fit"], abs=1e-6)
        if expected["step"]:
            assert found["loss"] == pytest.approx(expected["loss"], rel=1e-5)
    # Every batch went to one of them, in turn.
    both = [batch for pair in zip(main["seen"], other["seen"], strict=False) for batch in pair]
    if scenario == "plain":
        assert both == learner.seen
    else:
        assert sorted([*main["seen"], *other["seen"]]) == sorted(learner.seen)
        assert main["seen"] and other["seen"]


def test_the_main_worker_writes_and_the_others_are_done(folder):
    main, other = told(folder, "whole", 0), told(folder, "whole", 1)
    assert main["stopped"] == "finished" and "done" not in main
    assert other["done"] and "stopped" not in other
    lines = (folder / "whole" / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == list(range(1, main["steps"] + 1))
    # In drop-out each has numbers of its own, and both are in the state.
    assert main["random"] != other["random"]
    tensors, facts = _read_state(folder / "whole")
    assert facts["workers"] == 2
    assert not torch.equal(tensors["random.torch"], tensors["random.1.torch"])


@pytest.mark.parametrize("scenario", ["stopped", "signalled"])
def test_all_stop_at_one_step_and_go_on_to_the_same_weights(folder, scenario):
    main, other = told(folder, scenario, 0), told(folder, scenario, 1)
    assert (main["stopped"], main["steps"]) == ("stop", 4)
    assert len(main["seen"]) == len(other["seen"]) == 4
    whole, resumed = told(folder, "whole", 0), told(folder, scenario, 0, resumed=True)
    assert resumed["stopped"] == "finished"
    assert resumed["digest"] == whole["digest"]
    assert told(folder, scenario, 1, resumed=True)["seen"] == told(folder, "whole", 1)["seen"][4:]


def test_a_run_is_resumed_by_as_many_workers(folder, tmp_path):
    arguments = TrainingArguments(**worker_run.ARGUMENTS)
    with raises(TrainingError, before=2, count=1):
        train_learner(TinyLearner(dropout=0.0), arguments, folder / "plain", resume=True)


def test_one_worker_needs_no_others():
    with workers.joined(1, "cpu") as alone:
        assert workers.current() is alone
        assert alone.main and alone.count == 1
        assert alone.gather("a") == ["a"] and alone.from_main(lambda: 3) == 3
        assert alone.any(True) and not alone.any(False)
        with alone.main_first():
            alone.wait()


def test_what_cannot_be_shared_out_is_one_sentence(monkeypatch):
    with raises(TrainingError, count=2):
        with workers.joined(2, "mps"):
            pass
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    with raises(TrainingError, local_number=3, count=2):
        with workers.joined(3, "cuda", 2):
            pass


def test_training_alone_imports_no_accelerate():
    code = (
        "import sys, subclust.training.loop.trainer as t, subclust.training.loop.workers as w\n"
        "with w.joined(1, 'cpu'): pass\n"
        "assert not {'accelerate', 'peft'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_command_trains_with_workers(tmp_path):
    data = tmp_path / "set.csv"
    rows = ["query,text,label"]
    for query in range(8):
        for label, word in (("War", "army battle"), ("Books", "shelf map")):
            rows += [f"question {query},note {word} {n},{label}" for n in range(3)]
    data.write_text("\n".join(rows))
    words = ["-m", "subclust", "train", "qss", "--data", data, "--name", "mine", "--json"]
    settings = ["--set", "epochs=3", "--set", "batch_passages=6"]
    environment = {
        "SUBCLUST_DATA_DIR": str(tmp_path / "data"),
        "SUBCLUST_MODELS_DIR": str(tmp_path / "models"),
        "SUBCLUST_ENCODER": "hashing",
        "SUBCLUST_DEVICE": "cpu",
    }
    done = start(*words, *settings, **environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["name"] == "mine"
    assert (tmp_path / "models" / "qss" / "mine" / "weights.safetensors").exists()
    folder = tmp_path / "data" / "jobs" / "qss-mine"
    assert json.loads((folder / "job.json").read_text())["outcome"] == "finished"
    lines = (folder / "progress.jsonl").read_text().splitlines()
    steps = [json.loads(line)["step"] for line in lines]
    assert steps == list(range(1, len(steps) + 1)) and steps
    # The others neither train under that name again nor write over it.
    done = start(*words, *settings, **environment)
    assert done.returncode != 0
    assert "named mine" in done.stderr
