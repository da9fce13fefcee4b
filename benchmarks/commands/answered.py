"""``python -m benchmarks answered``."""

import argparse
import json
import time
from typing import Any

from benchmarks.answered import (
    FALSE_ALARM,
    Asked,
    Pool,
    ask_and_take_out,
    choose_bound,
    summed_up,
)
from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.retrieval_tasks import RETRIEVAL_TASKS, load_retrieval_set
from subclust.cli.printing import progress_bar
from subclust.core.settings import Settings
from subclust.judging.bench import embed
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval.answering import BOUNDS, N_NEAREST
from subclust.text.sources.base import Document
from subclust.text.sources.jsonl import JsonLines

VALIDATION = "wiki2014_validation"
TESTS = ("wiki2021_test", "trec_car_a", "demo")


def add_answered(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``answered``."""
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_answered(arguments: argparse.Namespace, settings: Settings) -> None:
    """Choose the bound on validation queries and report it on the others."""
    started = time.monotonic()
    encoder = load_encoder(settings)
    chosen_on = _articles(VALIDATION, settings, encoder)
    bound = choose_bound(*chosen_on)
    tests = {name: _articles(name, settings, encoder) for name in TESTS}
    tests |= _each_other(settings, encoder)
    result: dict[str, Any] = {
        "encoder_revision": encoder.revision,
        "bound": bound,
        "recipe": {
            "n_nearest": N_NEAREST,
            "false_alarm": FALSE_ALARM,
            "articles": "each title put to the passages of all articles, then without its own",
            "retrieval": "the questions put to their own documents, then to the other set's",
        },
        "validation": {VALIDATION: summed_up(*chosen_on, bound)},
        "test": {name: summed_up(*asked, bound) for name, asked in tests.items()},
        "story": story(encoder, settings.resolve_device())
        | {"seconds": round(time.monotonic() - started, 1)},
    }
    if arguments.save:
        write(RESULTS_DIR / "answered" / f"{encoder.revision}.json", result)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    used = BOUNDS.get(encoder.revision)
    print(f"{encoder.revision}: bound {bound:.2f} (in use: {used})")
    for name, told in {**result["validation"], **result["test"]}.items():
        print(
            f"  {name:20} {told['n_answered']:4} answered, {told['false_alarms']:6.1%} denied; "
            f"{told['n_unanswered']:4} unanswered, {told['recognised']:6.1%} recognised"
        )


def _articles(task: str, settings: Settings, encoder: Encoder) -> tuple[list[Asked], list[Asked]]:
    name, instances = load_task(task, settings)
    told = progress_bar(f"Reading {name}")
    embeddings = embed(instances, encoder, name, lambda _, done, total: told(done, total))
    vectors = encoder.encode([instance.query.text for instance in instances])
    return ask_and_take_out(instances, vectors, embeddings)


def _each_other(settings: Settings, encoder: Encoder) -> dict[str, tuple[list[Asked], list[Asked]]]:
    """Put the questions of each retrieval set to its own documents and to the other's."""
    sets = {name: load_retrieval_set(name, settings) for name in RETRIEVAL_TASKS}
    pools = {}
    for name, found in sets.items():
        read = JsonLines(found.documents, name)
        passages = [
            one for document in read if isinstance(document, Document) for one in document.passages
        ]
        texts = [f"{one.title}. {one.text}" for one in passages]
        pools[name] = Pool(texts, encoder.encode(texts, progress=progress_bar(f"Reading {name}")))
    asked = {}
    for name, found in sets.items():
        questions = list(found.queries.values())
        vectors = encoder.encode(questions)
        (other,) = pools.keys() - {name}
        asked[name] = (
            [pools[name].ask(*one) for one in zip(questions, vectors, strict=True)],
            [pools[other].ask(*one) for one in zip(questions, vectors, strict=True)],
        )
    return asked
