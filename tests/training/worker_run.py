"""What the workers of `test_workers` do, started by torchrun: ``worker_run.py FOLDER``.

Each scenario is a run of the tiny learner in a folder of its own; every worker leaves what it saw
in ``FOLDER/SCENARIO/worker-N.json``.
"""

import json
import os
import signal
import sys
from pathlib import Path

import torch
from tiny_learner import TinyLearner, digest

from subclust.core.settings import Settings
from subclust.training.loop.state import random_states
from subclust.training.loop.trainer import train_learner
from subclust.training.loop.workers import WorkDone, Workers, joined
from subclust.training.recipe import TrainingArguments

ARGUMENTS = {"epochs": 3, "learning_rate": 0.01, "save_every": 3, "gradient_clip": 0.5}


class Signalled(TinyLearner):
    """Of which one worker is asked to end, in the middle of its fourth batch."""

    def __init__(self, worker: int) -> None:
        super().__init__(dropout=0.2)
        self.worker = worker

    def loss(self, batch):
        if len(self.seen) == 3 and self.worker == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().loss(batch)


class PartOnly(TinyLearner):
    """A weight that no batch uses, and one that only the first worker's batches use."""

    def __init__(self) -> None:
        super().__init__(dropout=0.0)
        self.model.register_parameter("unused", torch.nn.Parameter(torch.ones(3)))
        self.model.register_parameter("sometimes", torch.nn.Parameter(torch.ones(1)))

    def loss(self, batch):
        loss = super().loss(batch)
        return loss * self.model.sometimes.sum() if min(batch) < 4 else loss


def run(folder: Path, workers: Workers, learner: TinyLearner, *, resume=False, progress=None):
    """Train and leave what this worker saw."""
    told, end = {"seen": [], "worker": workers.number}, None
    arguments = TrainingArguments(**ARGUMENTS)
    try:
        result = train_learner(learner, arguments, folder, progress=progress, resume=resume)
        told |= {"stopped": result.stopped, "steps": result.steps, "history": result.history}
        end = digest(learner.model)
    except WorkDone:
        told["done"] = True
    told |= {
        "seen": learner.seen,
        "digest": end,
        "random": str(random_states("cpu")["torch"].sum()),
    }
    told["weights"] = {n: p.detach().tolist() for n, p in learner.model.named_parameters()}
    workers.wait()
    (folder / f"worker-{workers.number}{'-resumed' * resume}.json").write_text(json.dumps(told))


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    settings = Settings.from_environment()
    with joined(settings.n_workers, "cpu", settings.local_worker) as workers:
        run(folder / "plain", workers, TinyLearner(dropout=0.0))
        run(folder / "varying", workers, TinyLearner(dropout=0.0, varying=True))
        run(folder / "parts", workers, PartOnly())
        run(folder / "whole", workers, TinyLearner(dropout=0.2))

        def stop(line):
            if line["step"] == 4:
                (folder / "stopped" / "stop").touch()

        run(folder / "stopped", workers, TinyLearner(dropout=0.2), progress=stop)
        run(folder / "stopped", workers, TinyLearner(dropout=0.2), resume=True)
        run(folder / "signalled", workers, Signalled(workers.number))
        run(folder / "signalled", workers, TinyLearner(dropout=0.2), resume=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
