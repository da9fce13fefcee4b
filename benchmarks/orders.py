"""Ways to order the hits of words and meaning, beside the rank fusion: what was tried."""

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.rank_fusion import RRF_K
from benchmarks.relevance import shelf_of
from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.retrieval_tasks import CUT, RETRIEVAL_TASKS, load_retrieval_set, ndcg
from benchmarks.shelves import Found, Shelf, question_on
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray, Passage, Query
from subclust.core.records.arrays import Float64Array
from subclust.core.settings import Settings
from subclust.evaluation.significance import paired_test
from subclust.judging.bench import embed
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval import fusion
from subclust.text.retrieval.fusion import fuse
from subclust.text.retrieval.retriever import FUSION_DEPTH
from subclust.text.sources.textfile import TextFile

CHOSEN_ON = ("wiki2014_validation", "openstax_chapters_train")
"""Sets that the constants of the fusion were chosen on; CISI and Cranfield are only measured."""

_FEEDBACK, _WORDS = 10, 30
"""First hits that a question is widened by, and the most frequent of their words."""

_PART_OF = 3.0
"""Gain of a passage under the heading asked for; that of the article's others is 1."""


@dataclass(frozen=True)
class Sight:
    """One question, what was found for it, and what each hit is worth.

    Parameters
    ----------
    gains : mapping of int to float
        Row of the library to its gain, above 0.
    embeddings : ndarray of shape (n_hits, embedding_dim)
    words : sparse matrix of shape (n_hits, n_words)
    widened : ndarray of shape (n_hits,)
        BM25 of the question widened by words of its first hits (RM3).
    moved : ndarray of shape (n_hits,)
        Cosines with the question's vector moved towards its first hits (Rocchio).
    """

    found: Found
    gains: Mapping[int, float]
    embeddings: FloatArray
    words: sparse.csr_matrix
    widened: Float64Array
    moved: Float64Array

    def ndcg(self, scores: Float64Array) -> float:
        """Compute nDCG@10 of the hits in the order of some scores."""
        best = self.found.rows[np.argsort(-scores, kind="stable")[:CUT]]
        return ndcg([str(row) for row in best], {str(k): v for k, v in self.gains.items()})


def look(shelf: Shelf, question: str, vector: FloatArray, gains: Mapping[int, float]) -> Sight:
    """Put one question to a library in memory."""
    found = shelf.find(question, vector, FUSION_DEPTH)
    words, _ = shelf.word_vectors(question, found.rows)
    first = found.rows[np.argsort(-found.bm25, kind="stable")[:_FEEDBACK]]
    nearest = found.rows[np.argsort(-found.cosines, kind="stable")[:_FEEDBACK]]
    moved = vector + shelf.embeddings[nearest].mean(0)
    return Sight(
        found,
        gains,
        shelf.embeddings[found.rows],
        words[:-1],
        shelf.bm25(_widened(shelf, question, first))[found.rows],
        shelf.embeddings[found.rows].astype(np.float64) @ moved,
    )


def _widened(shelf: Shelf, question: str, first: Any) -> dict[int, float]:
    """Weigh the columns of a question and of its first hits, half and half (RM3)."""
    asked = shelf.columns(question)
    weights = {column: 0.5 * asked.count(column) / len(asked) for column in asked}
    counts = shelf.counts[first]
    lengths = np.maximum(np.asarray(counts.sum(1)).ravel(), 1)
    likely = np.asarray((sparse.diags(1 / lengths) @ counts).sum(0)).ravel()
    best = np.argsort(-likely, kind="stable")[:_WORDS]
    total = max(float(likely[best].sum()), 1e-9)
    for column in best.tolist():
        weights[column] = weights.get(column, 0.0) + 0.5 * likely[column] / total
    return weights


def _with(meaning: float, share: float) -> Callable[[Sight], Float64Array]:
    def order(sight: Sight) -> Float64Array:
        return fuse(
            sight.found.bm25,
            sight.found.cosines,
            sight.embeddings,
            sight.words,
            meaning=meaning,
            share=share,
        )

    return order


def _of(bm25: str, cosines: str) -> Callable[[Sight], Float64Array]:
    def order(sight: Sight) -> Float64Array:
        by_words = sight.widened if bm25 == "widened" else sight.found.bm25
        by_meaning = sight.moved if cosines == "moved" else sight.found.cosines
        return fuse(by_words, by_meaning, sight.embeddings, sight.words, share=0.0)

    return order


def _ranks(sight: Sight) -> Float64Array:
    ranks = (sight.found.by_words, sight.found.by_meaning)
    depth = FUSION_DEPTH
    by_words, by_meaning = (np.where(r <= depth, 1.0 / (RRF_K + r), 0.0) for r in ranks)
    return np.asarray(by_words + by_meaning)


ORDERS: dict[str, Callable[[Sight], Float64Array]] = {
    "rank fusion": _ranks,
    "words": lambda sight: sight.found.bm25,
    "meaning": lambda sight: sight.found.cosines,
    "widened words (RM3)": lambda sight: sight.widened,
    "moved vector (Rocchio)": lambda sight: sight.moved,
    "weighted, widened words": _of("widened", ""),
    "weighted, moved vector": _of("", "moved"),
} | {
    f"meaning {meaning}, neighbours twice {share}": _with(meaning, share)
    for meaning, share in (
        *((fusion.MEANING, share) for share in (0.0, 0.2, 0.3, 0.4)),
        *((meaning, fusion.SHARE_OF_NEIGHBOURS) for meaning in (0.5, 0.6, 0.8)),
    )
}
"""Each way: a score of every hit, higher is better."""


def compare(sights: Sequence[Sight]) -> dict[str, dict[str, float]]:
    """Compute nDCG@10 of every way, and a paired test of it against the rank fusion."""
    scores = {name: [s.ndcg(order(s)) for s in sights] for name, order in ORDERS.items()}
    before = scores["rank fusion"]
    result = {}
    for name, those in scores.items():
        mean = float(np.mean(those))
        result[name] = {"ndcg_at_10": round(mean, 4)}
        if name != "rank fusion":
            test = paired_test(those, before)
            result[name] |= {
                "gain": round(mean / float(np.mean(before)) - 1, 4),
                "p_value": round(test.p_value, 5),
            }
    return result


def add_orders(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``orders``."""
    parser.add_argument("--limit", type=int, default=300, metavar="N", help="questions of each set")
    add_output(parser)


def run_orders(arguments: argparse.Namespace, settings: Settings) -> None:
    """Compare ways to order hits, on what they are chosen on and on CISI and Cranfield."""
    started = time.monotonic()
    encoder = load_encoder(settings)
    sets: dict[str, dict[str, Any]] = {}
    for name in (*CHOSEN_ON, *RETRIEVAL_TASKS):
        make = _documents if name in RETRIEVAL_TASKS else _articles
        sights = make(name, settings, encoder, arguments.limit)
        sets[name] = {"n_questions": len(sights), "orders": compare(sights)}
    result = {
        "encoder_revision": encoder.revision,
        "chosen_on": list(CHOSEN_ON),
        "constants": {
            "meaning": fusion.MEANING,
            "neighbours": fusion.NEIGHBOURS,
            "share_of_neighbours": fusion.SHARE_OF_NEIGHBOURS,
        },
        "sets": sets,
        "story": story(encoder, settings.resolve_device())
        | {"seconds": round(time.monotonic() - started, 1)},
    }
    if output(arguments, Path(RESULTS_DIR) / "fusion" / f"{encoder.revision}.json", result):
        return
    for name in ORDERS:
        told = " ".join(
            f"{one['orders'][name]['ndcg_at_10']:.3f} ({one['orders'][name].get('gain', 0):+.1%})"
            for one in sets.values()
        )
        print(f"{name:32} {told}")


def _articles(task: str, settings: Settings, encoder: Encoder, limit: int) -> list[Sight]:
    """Ask for parts of articles, in a library of all of them."""
    shelf = shelf_of((task,), settings, encoder)
    random = np.random.default_rng(0)
    asked, gains = [], []
    start = np.concatenate([[0], np.cumsum([len(one.passages) for one in shelf.instances])])
    for _ in range(limit):
        article = int(random.integers(len(shelf.instances)))
        instance = shelf.instances[article]
        labels = [passage.label or "" for passage in instance.passages]
        form = ("part", "part", "title", "lead")[int(random.integers(4))]
        heading = labels[int(random.integers(len(labels)))]
        text = (
            f"{heading} of {instance.query.text}"
            if form == "part"
            else question_on(instance, form, random)
        )
        is_part = [form == "part" and label == heading for label in labels]
        asked.append(text)
        gains.append(
            {int(start[article]) + n: _PART_OF if is_part[n] else 1.0 for n in range(len(labels))}
        )
    vectors = encoder.encode(asked)
    return [look(shelf, *one) for one in zip(asked, vectors, gains, strict=True)]


def _documents(task: str, settings: Settings, encoder: Encoder, limit: int) -> list[Sight]:
    """Ask the questions of a retrieval task."""
    data = load_retrieval_set(task, settings)
    instances, row_of = [], {}
    with TextFile.look(data.documents).text() as lines:
        for row, line in enumerate(lines):
            one = json.loads(line)
            text = f"{one['title']}. {one['text']}" if one["title"] else one["text"]
            row_of[one["id"]] = row
            instances.append(
                ClusteringInstance(Query(one["id"]), (Passage(one["id"], text, label=""),))
            )
    told = progress_bar(f"Reading {task}")
    shelf = Shelf(instances, embed(instances, encoder, task, lambda _, n, of: told(n, of)))
    ids = list(data.queries)[:limit]
    vectors = [encoder.encode_asked(data.queries[id_]) for id_ in ids]
    return [
        look(
            shelf,
            data.queries[id_],
            vector,
            {row_of[one]: 1.0 for one in data.relevant[id_] if one in row_of},
        )
        for id_, vector in zip(ids, vectors, strict=True)
    ]
