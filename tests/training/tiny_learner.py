"""A learner of a few numbers, and (run as a program) proof that a killed run loses nothing.

``python tiny_learner.py FOLDER`` trains once undisturbed, then again with SIGKILL at random
moments and a resume after each, and prints both ends as JSON. It forks instead of starting anew, so
that torch is imported once.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from subclust.training.loop.learner import Learner
from subclust.training.loop.trainer import train_learner
from subclust.training.recipe import TrainingArguments


class TinyLearner(Learner):
    """Regression with dropout, so that the random state counts.

    `varying` makes epochs of 5 to 8 batches, as learners do that pack queries of different sizes.
    """

    primary_metric = "fit"

    def __init__(self, *, varying: bool = False, dropout: float = 0.2, n_features: int = 4) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(
            nn.Linear(n_features, 6), nn.Tanh(), nn.Dropout(dropout), nn.Linear(6, 1)
        )
        self.varying = varying
        generator = torch.Generator().manual_seed(1)
        self.x = torch.randn(32, n_features, generator=generator)
        self.y = (self.x[:, :1] * self.x[:, 1:2]).tanh()
        self.seen: list[list[int]] = []

    def batches(self, generator: np.random.Generator) -> Sequence[list[int]]:
        n_batches = int(generator.integers(5, 9)) if self.varying else 8
        return [part.tolist() for part in np.array_split(generator.permutation(24), n_batches)]

    def loss(self, batch: list[int]) -> Tensor:
        self.seen.append(batch)
        return ((self.model(self.x[batch]) - self.y[batch]) ** 2).mean()

    def evaluate(self) -> Mapping[str, float]:
        return {"fit": -float(((self.model(self.x[24:]) - self.y[24:]) ** 2).mean())}


def digest(model: nn.Module) -> str:
    weights = [value.detach().numpy().tobytes() for value in model.state_dict().values()]
    return hashlib.sha256(b"".join(weights)).hexdigest()


def untimed(history: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the seconds, in which no two runs agree."""
    return [
        {name: value for name, value in line.items() if name != "training_seconds"}
        for line in history
    ]


def train_to_the_end(folder: Path) -> None:
    """Train with resume and leave the end in ``end.json``."""
    learner = TinyLearner(varying=True)
    arguments = TrainingArguments(
        epochs=12, learning_rate=0.01, evaluate_every=7, save_every=4, gradient_clip=0.5
    )
    result = train_learner(learner, arguments, folder, resume=True)
    end = {
        "weights": digest(learner.model),
        "steps": result.steps,
        "best_step": result.best_step,
        "metrics": dict(result.metrics),
        "history": untimed(result.history),
    }
    (folder / "end.json").write_text(json.dumps(end))


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    train_to_the_end(folder / "undisturbed")
    generator = random.Random(7)
    run, killed_at = folder / "killed", []
    while not (run / "end.json").exists():
        child = os.fork()
        if not child:
            train_to_the_end(run)
            os._exit(0)
        # After a few steps, and then at any moment of the next: in a step, in a save, between.
        until = lines(run) + generator.randint(2, 15)
        ended = 0
        while lines(run) < until and not ended:
            ended, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.0005)
        if not ended:
            time.sleep(generator.uniform(0, 0.004))
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            killed_at.append(lines(run))
        elif status:
            raise SystemExit("a resumed run failed")
    ends = {
        name: json.loads((folder / name / "end.json").read_text())
        for name in ("undisturbed", "killed")
    }
    print(json.dumps({**ends, "killed_at": killed_at}))


def lines(folder: Path) -> int:
    progress = folder / "progress.jsonl"
    return progress.read_bytes().count(b"\n") if progress.exists() else 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
