"""``python -m benchmarks divide``."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.dividing.learn import learn, with_thresholds, wordings
from benchmarks.dividing.measure import (
    Asked,
    Measuring,
    ask,
    change_of,
    learn_thresholds,
    means,
    share_right,
)
from benchmarks.results import RESULTS_DIR, story, write
from subclust.core.settings import Settings
from subclust.grouping.similarity.dividing import DividingSimilarity
from subclust.grouping.similarity.division import SHIPPED, DivisionGate, load_gate
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod, load_method
from subclust.text.encoders import Encoder, load_encoder

SEEDS = (0, 1, 2)
SHIPPED_NAME = "shipped"
VALIDATION = (
    "crossed_wikipedia_validation",
    "crossed_requests_validation",
    "crossed_methods_validation",
)


def add_divide(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``divide``."""
    parser.add_argument(
        "task",
        nargs="*",
        metavar="TASK",
        help="crossed tasks, by default those of validation; of another one, what the gate changes",
    )
    parser.add_argument(
        "--train", action="store_true", help="learn the gate anew, of three seeds the best"
    )
    parser.add_argument("--save", action="store_true", help="keep the results with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_divide(arguments: argparse.Namespace, settings: Settings) -> None:
    """Learn the gate where that is asked for, and measure it."""
    encoder = load_encoder(settings)
    gates = _gates(encoder, settings)
    found: dict[str, Any] = {}
    method = load_method("default", encoder=encoder, settings=settings)
    if arguments.train:
        found["training"] = train(method, encoder, settings)
        gates = _gates(encoder, settings)
    for task in arguments.task or VALIDATION:
        instances = load_task(task, settings)[1]
        _dividing(method, next(iter(gates.values())))
        if "crossed_" in task:
            questions = ask(instances, method)
            scores = {
                name: Measuring(method, gate).score(questions, whole=name == SHIPPED_NAME)
                for name, gate in gates.items()
            }
            told = {name: means(one) for name, one in scores.items()}
            found[task] = {"means": told, "gates": scores}
        else:
            told = {
                name: change_of(instances, method, gate, encoder) for name, gate in gates.items()
            }
            found[task] = {"change": told}
        if not arguments.json:
            print(task, json.dumps(told, indent=1), flush=True)
        if arguments.save:
            result = {
                "task": task,
                "n_questions": len(instances),
                **found[task],
                "training": found.get("training"),
                "story": story(encoder, settings.resolve_device()),
            }
            write(RESULTS_DIR / "divisions" / f"{task}.json", result)
    if arguments.json:
        print(json.dumps(found))


def _file(settings: Settings, seed: int) -> Path:
    return settings.data_dir / "divisions" / f"seed-{seed}.npz"


def _gates(encoder: Encoder, settings: Settings) -> dict[str, DivisionGate]:
    """Load the gate that is shipped, and those of all seeds where they were learnt here."""
    files = {SHIPPED_NAME: SHIPPED} | {f"seed {seed}": _file(settings, seed) for seed in SEEDS}
    found = {name: load_gate(encoder.revision, file) for name, file in files.items()}
    return {name: gate for name, gate in found.items() if gate is not None}


def train(method: LoadedMethod, encoder: Encoder, settings: Settings) -> dict[str, Any]:
    """Learn a gate of each seed and write them; the one that is best on validation is shipped.

    Returns
    -------
    dict
        Questions by way, and for each seed the share of validation questions understood.
    """
    questions = wordings(settings)
    gates: dict[str, DivisionGate] = {}
    rights: dict[str, list[float]] = {}
    held: list[Asked] = []
    for seed in SEEDS:
        gate = learn(questions, encoder, seed).gate(np.zeros(2, dtype=np.float32))
        held = held or [
            ask(load_task(task, settings)[1], _dividing(method, gate)) for task in VALIDATION
        ]
        thresholds = learn_thresholds(held[0], Measuring(method, gate))
        gates[f"seed {seed}"] = with_thresholds(gate, thresholds)
        rights[f"seed {seed}"] = [share_right(one, gate, encoder.embedding_dim) for one in held]
    best = max(rights, key=lambda name: sum(rights[name]))
    for seed in SEEDS:
        _file(settings, seed).parent.mkdir(parents=True, exist_ok=True)
        gates[f"seed {seed}"].save(_file(settings, seed), encoder.revision)
    gates[best].save(SHIPPED, encoder.revision)
    ways = [one.way for one in questions]
    return {
        "questions": {way: ways.count(way) for way in sorted(set(ways))},
        "right": {
            name: dict(zip(VALIDATION, right, strict=True)) for name, right in rights.items()
        },
        "shipped": best,
        "thresholds": gates[best].thresholds.tolist(),
    }


def _dividing(method: LoadedMethod, gate: DivisionGate) -> LoadedMethod:
    """Give the method a gate where it has none yet."""
    clusterer: Any = method.clusterer
    if not isinstance(clusterer.similarity, DividingSimilarity):
        assert method.checkpoint is not None
        clusterer.similarity = DividingSimilarity(
            clusterer.similarity.model, gate, float(method.checkpoint.config["threshold"])
        )
    return method
