"""How surely questions that a library answers are told from those that it does not."""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.retrieval_tasks import RETRIEVAL_TASKS, load_retrieval_set
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.judging.bench import embed
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval.answering import BOUNDS, N_NEAREST, nearest_cosine, roots
from subclust.text.sources.base import Document
from subclust.text.sources.jsonl import JsonLines

FALSE_ALARM = 2.0
"""How many unanswered questions must be recognised to make up for one answered that is denied."""

_BOUNDS = tuple(round(hundredth / 100, 2) for hundredth in range(-100, 101))


@dataclass(frozen=True)
class Asked:
    """One question put to one library.

    Parameters
    ----------
    question : str
    cosine : float
        Mean of the nearest passages.
    held : bool
        Whether a passage holds all words of the question that mean something.
    """

    question: str
    cosine: float
    held: bool


class Pool:
    """Passages that questions are put to, as to a library.

    Parameters
    ----------
    texts : sequence of n_passages str
    embeddings : ndarray of shape (n_passages, embedding_dim)
    """

    def __init__(self, texts: Sequence[str], embeddings: FloatArray) -> None:
        self.embeddings = embeddings
        self._holding: dict[str, set[int]] = {}
        for row, text in enumerate(texts):
            for word in roots(text):
                self._holding.setdefault(word, set()).add(row)

    def ask(self, question: str, vector: FloatArray, without: range = range(0)) -> Asked:
        """Put a question to the passages, except to those of some rows."""
        kept = np.ones(len(self.embeddings), dtype=bool)
        kept[list(without)] = False
        cosine = nearest_cosine(vector, self.embeddings[kept])
        if cosine is None:
            raise BenchmarkError("A question cannot be put to a library without passages.")
        having = [self._holding.get(word, set()) for word in roots(question)]
        holding = set.intersection(*having) if having else set()
        return Asked(question, round(cosine, 4), bool(holding - set(without)))


def ask_and_take_out(
    instances: Sequence[ClusteringInstance],
    vectors: FloatArray,
    embeddings: Sequence[FloatArray],
) -> tuple[list[Asked], list[Asked]]:
    """Put each query to a library of all passages, and again once its own have been taken out.

    Parameters
    ----------
    instances : sequence of n_queries ClusteringInstance
    vectors : ndarray of shape (n_queries, embedding_dim)
    embeddings : sequence of n_queries ndarray of shape (n_passages, embedding_dim)

    Returns
    -------
    answered, unanswered : list of Asked
    """
    pool = Pool(
        [passage.text for instance in instances for passage in instance.passages],
        np.concatenate(embeddings),
    )
    answered, unanswered, start = [], [], 0
    for instance, vector in zip(instances, vectors, strict=True):
        own = range(start, start + len(instance.passages))
        start = own.stop
        answered.append(pool.ask(instance.query.text, vector))
        unanswered.append(pool.ask(instance.query.text, vector, own))
    return answered, unanswered


def denied(asked: Sequence[Asked], bound: float) -> float:
    """Compute the share of questions, 0 to 1, of which a bound says that nothing answers them."""
    return float(np.mean([one.cosine < bound and not one.held for one in asked]))


def choose_bound(answered: Sequence[Asked], unanswered: Sequence[Asked]) -> float:
    """Choose the bound, a hundredth, that is worth most; the lowest where several are.

    Worth is the share of unanswered questions that it recognises, less `FALSE_ALARM` times the
    share of answered ones that it denies.
    """
    worth = [denied(unanswered, b) - FALSE_ALARM * denied(answered, b) for b in _BOUNDS]
    return _BOUNDS[int(np.argmax(np.round(worth, 9)))]


def summed_up(
    answered: Sequence[Asked], unanswered: Sequence[Asked], bound: float
) -> dict[str, Any]:
    """Sum up what a bound does on one set.

    Returns
    -------
    dict
        ``false_alarms`` (answered questions denied) and ``recognised`` (unanswered questions),
        shares of 0 to 1, each also by the cosine alone; and what they rest on, in the order of the
        questions.
    """
    return {
        "n_answered": len(answered),
        "n_unanswered": len(unanswered),
        "false_alarms": round(denied(answered, bound), 4),
        "recognised": round(denied(unanswered, bound), 4),
        "by_cosine_alone": {
            "false_alarms": round(float(np.mean([one.cosine < bound for one in answered])), 4),
            "recognised": round(float(np.mean([one.cosine < bound for one in unanswered])), 4),
        },
        "answered": _columns(answered),
        "unanswered": _columns(unanswered),
    }


def _columns(asked: Sequence[Asked]) -> Mapping[str, list[Any]]:
    return {
        "cosine": [one.cosine for one in asked],
        "held": [int(one.held) for one in asked],
    }


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
