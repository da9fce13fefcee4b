"""A search over a learner of a few numbers, and (run as a program) proof that it survives a kill.

``python tiny_search.py FOLDER`` searches once undisturbed, and again with SIGKILL in the middle of
two trials and in the rehearsal, and prints both ends and how often each trial was trained.
"""

import json
import os
import signal
import sys
from pathlib import Path

import torch
from tiny_learner import TinyLearner

from subclust.core.exceptions import TrainingStopped
from subclust.training.loop.trainer import train_learner
from subclust.training.recipe import Recipe
from subclust.training.search.search import Search

TABLES = {
    "training": {"epochs": 2, "evaluate_every": 4, "save_every": 3, "schedule": "constant"},
    "search": {
        "trials": 4,
        "startup_trials": 2,
        "training.learning_rate": {"low": 1e-4, "high": 0.1, "log": True},
        "model.dropout": {"choices": [0.0, 0.2]},
        "model.n_features": {"low": 3, "high": 5},
    },
}


class Learner(TinyLearner):
    primary_metric = "ari"

    def evaluate(self):
        return {"ari": super().evaluate()["fit"], "other": 1.0}


class Training:
    """Trains, and remembers what it was asked to."""

    def __init__(self):
        self.rehearsed = []
        self.steps = []

    def __call__(self, name, recipe, folder, *, resume, brief, tell):
        if brief:
            self.rehearsed.append(recipe)
        else:
            self.steps.append((name, []))

        def follow(line):
            if not brief:
                self.steps[-1][1].append(line["step"])
            tell(line)

        learner = Learner(**recipe.model)
        result = train_learner(learner, recipe.training, folder, progress=follow, resume=resume)
        if result.stopped == "stop":
            raise TrainingStopped("Stopped.")
        return {"validation_ari": -1.0}


def make(folder, training=None, tables=None, **facts):
    recipe = Recipe.from_tables(tables or TABLES, "The recipe")
    facts = {"training data": ["a"], **facts}
    return Search(Path(folder), recipe, facts, training or Training())


def told(trials):
    """Give what must be the same, which the time is not."""
    return [{k: v for k, v in trial.to_dict().items() if k != "seconds"} for trial in trials]


def search_and_die(folder, kill_at, steps):
    """Search, and be killed at a step of a trial, or in the rehearsal."""
    current = []

    class Dying(Training):
        def __call__(self, name, *arguments, **options):
            if kill_at == "rehearsal":
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(name, *arguments, **options)

    def tell(line):
        with steps.open("a") as stream:
            stream.write(f"{current[-1]} {line['step']}\n")
        if (current[-1], line["step"]) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    make(folder, Dying()).run(began=lambda number, values: current.append(number), tell=tell)


def main(folder):
    torch.set_num_threads(1)
    whole = told(make(folder / "whole").run())
    killed, steps, n_kills = folder / "killed", folder / "steps.txt", 0
    for kill_at in ["rehearsal", (1, 11), (2, 1), (3, 4), None]:
        child = os.fork()
        if not child:
            search_and_die(killed, kill_at, steps)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        n_kills += os.WIFSIGNALED(status)
        if not os.WIFSIGNALED(status) and status:
            raise SystemExit("a resumed search failed")
    again = told(make(killed).run())
    print(
        json.dumps(
            {
                "whole": whole,
                "killed": again,
                "n_kills": n_kills,
                "steps": [line.split() for line in steps.read_text().splitlines()],
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
