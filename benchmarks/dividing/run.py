"""``python -m benchmarks divide``."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.dividing import learn_listed
from benchmarks.dividing.learn import learn, with_thresholds, wordings
from benchmarks.dividing.learn_metric import learn_metric, metric_sets, with_metric_thresholds
from benchmarks.dividing.measure import (
    Asked,
    Measuring,
    ask,
    change_of,
    learn_metric_thresholds,
    learn_thresholds,
    means,
    share_right,
)
from benchmarks.dividing.neighbours import SUFFIX, with_neighbours
from benchmarks.dividing.wordings import written
from benchmarks.results import RESULTS_DIR, story, write
from subclust.core.settings import Settings
from subclust.grouping.similarity import division, listed_things, question_metric
from subclust.grouping.similarity.dividing import DividingSimilarity
from subclust.grouping.similarity.division import SHIPPED, DivisionGate, load_gate
from subclust.grouping.similarity.question_metric import SHIPPED as SHIPPED_METRIC
from subclust.grouping.similarity.question_metric import QuestionMetric, load_metric
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod, load_method
from subclust.methods.qs3m.clusterer import encode_things
from subclust.text.encoders import Encoder, RememberedEncoder, StackedEncoder, load_encoder

SEEDS = (0, 1, 2)
SHIPPED_NAME = "shipped"
VALIDATION = (
    "crossed_wikipedia_validation",
    "crossed_requests_validation",
    "crossed_methods_validation",
    "crossed_products_validation",
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
        "--train", action="store_true", help="learn gate and metric anew, of three seeds the best"
    )
    parser.add_argument(
        "--train-lists",
        action="store_true",
        help="learn anew what goes with the things that a question lists, of three seeds the best",
    )
    parser.add_argument(
        "--seed",
        type=int,
        action="append",
        choices=SEEDS,
        help="with --train: this one alone; the best of all that were learnt here is shipped",
    )
    parser.add_argument(
        "--neighbours",
        action="store_true",
        help="mix the hit sets of tasks that are not crossed with the passages most like them",
    )
    parser.add_argument("--save", action="store_true", help="keep the results with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_divide(arguments: argparse.Namespace, settings: Settings) -> None:
    """Learn gate and metric where that is asked for, and measure them."""
    encoder = load_encoder(settings)
    learnt = _learnt(encoder, settings)
    found: dict[str, Any] = {}
    method = load_method("default", encoder=encoder, settings=settings)
    if arguments.train:
        found["training"] = train(method, encoder, settings, arguments.seed or SEEDS)
        learnt = _learnt(encoder, settings)
    if arguments.train_lists:
        found["training"] = train_lists(method, encoder, settings)
    for task in arguments.task or VALIDATION:
        instances = load_task(task, settings)[1]
        _dividing(method, learnt[SHIPPED_NAME][0])
        if "crossed_" in task:
            questions = ask(instances, method)
            scores = {
                name: Measuring(method, *pair).score(questions, whole=name == SHIPPED_NAME)
                for name, pair in learnt.items()
            }
            told = {name: means(one) for name, one in scores.items()}
            found[task] = {"means": told, "gates": scores}
            told[SHIPPED_NAME]["compared"] = scores[SHIPPED_NAME]["compared"]
        else:
            if arguments.neighbours:
                task, instances = task + SUFFIX, with_neighbours(instances, encoder)
            told = {
                name: change_of(instances, method, *pair, encoder) for name, pair in learnt.items()
            }
            lists = learn_listed.score_lists(instances, method)
            told["lists"] = {name: round(float(np.mean(one)), 4) for name, one in lists.items()}
            told["right_question"] = learn_listed.right_question(lists)
            found[task] = {"change": told, "lists": lists}
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


def _files(settings: Settings, seed: int) -> tuple[Path, Path]:
    folder = settings.data_dir / "divisions"
    return folder / f"seed-{seed}.npz", folder / f"metric-{seed}.npz"


def _learnt(encoder: Encoder, settings: Settings) -> dict[str, tuple[DivisionGate, QuestionMetric]]:
    """Load what is shipped, and gate and metric of all seeds where they were learnt here."""
    files = {SHIPPED_NAME: (SHIPPED, SHIPPED_METRIC)}
    files |= {f"seed {seed}": _files(settings, seed) for seed in SEEDS}
    found = {}
    for name, (gate_file, metric_file) in files.items():
        gate = load_gate(encoder.revision, gate_file)
        metric = load_metric(encoder.revision, metric_file)
        if gate is not None and metric is not None:
            found[name] = (gate, metric)
    return found


def _save(
    learnt: tuple[DivisionGate, QuestionMetric], files: tuple[Path, Path], encoder: Encoder
) -> None:
    gate, metric = learnt
    gate.save(files[0], encoder.revision)
    metric.save(files[1], encoder.revision)


def _scored(held: list[Asked], measuring: Measuring) -> list[float]:
    """Return the mean adjusted Rand index of each validation task at the true number."""
    return [means(measuring.score(one, whole=False))["mean"] for one in held]


def train(
    method: LoadedMethod, encoder: Encoder, settings: Settings, seeds: Sequence[int] = SEEDS
) -> dict[str, Any]:
    """Learn gate and metric of each seed and write them; the best on validation are shipped.

    Returns
    -------
    dict
        For each seed that was learnt here, now or before: questions by way, the share of validation
        questions that the gate understands, the mean adjusted Rand index of each validation task
        and the thresholds; and which is ``shipped``.
    """
    questions = wordings(settings)
    ways = [one.way for one in questions]
    sets = metric_sets(settings, encoder)
    others = [one.text for one in written(load_task("wiki2014_train", settings)[1], seed=0)]
    held: list[Asked] = []
    for seed in seeds:
        gate = learn(questions, encoder, seed).gate(np.zeros(2, dtype=np.float32))
        metric = learn_metric(sets, others, encoder, seed)
        held = held or [
            ask(load_task(task, settings)[1], _dividing(method, gate)) for task in VALIDATION
        ]
        gate = with_thresholds(gate, learn_thresholds(held[0], Measuring(method, gate, metric)))
        thresholds = learn_metric_thresholds(held[1:], Measuring(method, gate, metric))
        metric = with_metric_thresholds(metric, thresholds)
        right = [share_right(one, gate, encoder.embedding_dim) for one in held]
        scores = _scored(held, Measuring(method, gate, metric))
        files = _files(settings, seed)
        files[0].parent.mkdir(parents=True, exist_ok=True)
        _save((gate, metric), files, encoder)
        told = {
            "questions": {way: ways.count(way) for way in sorted(set(ways))},
            "right": dict(zip(VALIDATION, right, strict=True)),
            "validation": dict(zip(VALIDATION, scores, strict=True)),
            "thresholds": [gate.thresholds.tolist(), metric.thresholds.tolist()],
        }
        write(_record(settings, seed), told)
    records = {
        seed: json.loads(_record(settings, seed).read_text(encoding="utf-8"))
        for seed in SEEDS
        if _record(settings, seed).is_file()
    }
    best = max(records, key=lambda seed: sum(records[seed]["validation"].values()))
    for mine, shipped in zip(_files(settings, best), (SHIPPED, SHIPPED_METRIC), strict=True):
        shutil.copyfile(mine, shipped)
    division.forget()
    question_metric.forget()
    return {"seeds": {f"seed {seed}": one for seed, one in records.items()}, "shipped": best}


def train_lists(method: LoadedMethod, encoder: Encoder, settings: Settings) -> dict[str, Any]:
    """Learn what goes with listed things with each seed; the best on validation is shipped.

    Returns
    -------
    dict
        ``lists``, of each seed the mean adjusted Rand index on validation of what
        `learn_listed.score_lists` asks, and ``shipped``.
    """
    articles = load_task(learn_listed.TASK, settings)[1]
    held = load_task(learn_listed.VALIDATION, settings)[1]
    sections, headings = learn_listed.sections_of(articles, encoder)
    similarity: Any = _dividing(method, _learnt(encoder, settings)[SHIPPED_NAME][0])
    similarity = similarity.clusterer.similarity
    told: dict[int, dict[str, float]] = {}
    made = {}
    for seed in SEEDS:
        similarity.listed = made[seed] = learn_listed.learn_listed(sections, headings, seed)
        scores = learn_listed.score_lists(held, method)
        told[seed] = {name: round(float(np.mean(one)), 4) for name, one in scores.items()}
        print(f"seed {seed}: {json.dumps(told[seed])}", file=sys.stderr, flush=True)
    best = max(SEEDS, key=lambda seed: told[seed]["all"] + told[seed]["half"])
    made[best].save(listed_things.SHIPPED, encoder.revision)
    similarity.listed = listed_things.load_listed(encoder.revision)
    return {"lists": {f"seed {seed}": one for seed, one in told.items()}, "shipped": best}


def _record(settings: Settings, seed: int) -> Path:
    return settings.data_dir / "divisions" / f"seed-{seed}.json"


def _dividing(method: LoadedMethod, gate: DivisionGate) -> LoadedMethod:
    """Give the method a gate where it has none yet, and what remembers the things of questions."""
    clusterer: Any = method.clusterer
    encode = encode_things(_remembered(method.encoder))
    if not isinstance(clusterer.similarity, DividingSimilarity):
        assert method.checkpoint is not None
        clusterer.similarity = DividingSimilarity(
            clusterer.similarity.model,
            gate,
            float(method.checkpoint.config["threshold"]),
        )
    clusterer.similarity.encode = encode
    return method


@lru_cache(maxsize=1)
def _remembered(encoder: Encoder) -> Encoder:
    base = encoder.encoders[-1] if isinstance(encoder, StackedEncoder) else encoder
    return RememberedEncoder(base)
