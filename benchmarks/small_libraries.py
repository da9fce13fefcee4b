"""Libraries of abstracts: whether they are said to answer, and what is grouped where few do."""

import argparse
import gzip
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, IntArray
from subclust.core.records.arrays import BoolArray
from subclust.core.settings import Settings
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval.hit_words import counted, words_in
from subclust.text.retrieval.relevance import (
    RelevanceModel,
    cut_of,
    judge_hits,
    nearest_cosine,
    ranked,
    shipped_model,
)

FILE = "documents/arxiv_test.jsonl.gz"
ARCHIVES = ("astro-ph", "cond-mat", "math")
"""None of them is in the libraries on which the bounds of `sure_hits` were chosen."""

SIZES = (12, 50, 200, 600)
N_QUESTIONS = 200
"""Of each kind and size."""

_N_RECORDS, _N_HITS, _MOST_WORDS = 600, 100, 3
_FEW = range(3, 31)
"""Records that say all words of a question of which it is measured what is grouped."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True)
class Shelf:
    """Abstracts of one archive: their titles, texts and vectors, (n_records, embedding_dim)."""

    titles: Sequence[str]
    texts: Sequence[str]
    embeddings: FloatArray

    def of(self, rows: IntArray) -> "Shelf":
        """Return some of them, in this order."""
        titles, texts = ([one[row] for row in rows] for one in (self.titles, self.texts))
        return Shelf(titles, texts, self.embeddings[rows])


def words_of_title(title: str, random: np.random.Generator) -> str:
    """Return one to three words that stand together in a title and mean something, or nothing."""
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(title.lower()):
        if counted(word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    run = runs[random.integers(len(runs))]
    n_words = int(random.integers(1, _MOST_WORDS + 1))
    start = int(random.integers(max(1, len(run) - n_words + 1)))
    return " ".join(run[start : start + n_words])


@dataclass(frozen=True)
class Answer:
    """What is said of a question: by the models alone, and in the end; and of each hit.

    Parameters
    ----------
    by_models, answered : bool
        Whether something answers it.
    grouped, saying : ndarray of shape (n_hits,)
        Whether a hit is about the question, and whether it says all of its words.
    """

    by_models: bool
    answered: bool
    grouped: BoolArray
    saying: BoolArray


def answer(model: RelevanceModel, question: str, encoder: Encoder, shelf: Shelf) -> Answer:
    """Ask some records as a library does."""
    vector = encoder.encode_asked(question)
    whole = [f"{title}\n{text}" for title, text in zip(shelf.titles, shelf.texts, strict=True)]
    _, scores = ranked(question, vector, whole, shelf.embeddings)
    hits = shelf.of(np.argsort(-scores, kind="stable")[:_N_HITS])
    whole = [f"{title}\n{text}" for title, text in zip(hits.titles, hits.texts, strict=True)]
    ranks, scores = ranked(question, vector, whole, hits.embeddings)
    found = (question, vector, hits.titles, hits.texts, hits.embeddings, ranks, scores)
    probabilities = model.estimate(question, vector, hits.texts, hits.embeddings, ranks, scores)
    by_models = model.answers(probabilities, nearest_cosine(vector, hits.embeddings))
    judged, answered = judge_hits(model, *found)
    asked = words_in(question)
    saying = np.array([asked <= words_in(one) for one in whole])
    return Answer(by_models, answered, judged >= cut_of(judged), saying)


def measure(shelves: Sequence[Shelf], encoder: Encoder) -> Iterator[dict[str, Any]]:
    """Ask libraries of each size, and yield a row for it.

    ``denied`` is the share of questions on a record of the library of which it is said that nothing
    answers them, ``recognised`` that of questions on records of another archive; ``_by_models``
    without `sure_hits`. Of the ``n_few`` answered questions all of whose words three to thirty hits
    say: ``grouped`` is the mean number of hits that are grouped, ``grouped_say`` the mean share of
    these that say all words, ``say_grouped`` the mean share grouped of those that do.
    """
    model, random = shipped_model(), np.random.default_rng(0)
    for size in SIZES:
        said: dict[bool, list[Answer]] = {True: [], False: []}
        for place in range(N_QUESTIONS):
            own = shelves[place % len(shelves)]
            library = own.of(random.permutation(len(own.titles))[:size])
            for is_there in (True, False):
                asked = library if is_there else shelves[(place + 1) % len(shelves)]
                title = asked.titles[int(random.integers(len(asked.titles)))]
                if question := words_of_title(title, random):
                    said[is_there].append(answer(model, question, encoder, library))
        row: dict[str, Any] = {"n_records": size}
        for name, is_there in (("denied", True), ("recognised", False)):
            told = [(one.by_models, one.answered) for one in said[is_there]]
            alone, now = 1 - np.mean(np.array(told, dtype=float), axis=0)
            row |= {f"{name}_by_models": round(float(alone), 3), name: round(float(now), 3)}
        yield row | _grouped([one for one in said[True] if one.answered])


def _grouped(said: Sequence[Answer]) -> dict[str, Any]:
    few = [one for one in said if one.saying.sum() in _FEW]
    if not few:
        return {"n_few": 0}
    both = [(one.grouped & one.saying).sum() for one in few]
    n_grouped = [one.grouped.sum() for one in few]
    n_saying = [one.saying.sum() for one in few]
    return {
        "n_few": len(few),
        "grouped": round(float(np.mean(n_grouped)), 1),
        "grouped_say": round(float(np.mean(np.divide(both, n_grouped))), 3),
        "say_grouped": round(float(np.mean(np.divide(both, n_saying))), 3),
    }


def shelves_of(file: Path, encoder: Encoder) -> list[Shelf]:
    """Read the first abstracts of each archive.

    Raises
    ------
    InputError
        If there is no such file.
    """
    if not file.is_file():
        raise InputError("There is no file {path} with records.", path=file)
    found: dict[str, list[dict[str, str]]] = {archive: [] for archive in ARCHIVES}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if len(some := found.get(record["archive"], [])) < _N_RECORDS and record["title"]:
                some.append(record)
    shelves = []
    for records in found.values():
        titles, texts = ([one[key] for one in records] for key in ("title", "text"))
        whole = [f"{title}. {text}" for title, text in zip(titles, texts, strict=True)]
        shelves.append(Shelf(titles, texts, encoder.encode(whole)))
    return shelves


def add_small_libraries(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``small-libraries``."""
    add_output(parser)


def run_small_libraries(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure it on abstracts of archives that nothing was chosen on."""
    started = time.monotonic()
    encoder = load_encoder(settings)
    shelves = shelves_of((settings.benchmark_data_dir or Path()) / FILE, encoder)
    rows = list(measure(shelves, encoder))
    told = story(encoder, settings.resolve_device())
    told["seconds"] = round(time.monotonic() - started, 1)
    result = {"file": FILE, "archives": ARCHIVES, "sizes": rows, "story": told}
    if output(arguments, RESULTS_DIR / "small-libraries" / f"{encoder.revision}.json", result):
        return
    for row in rows:
        print(
            f"{row['n_records']:4} records: {row['denied']:.1%} denied "
            f"({row['denied_by_models']:.1%} by the models alone), "
            f"{row['recognised']:.1%} recognised ({row['recognised_by_models']:.1%}); "
            f"where few say what is asked, {row.get('grouped', 0)} grouped"
        )
