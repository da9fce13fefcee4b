"""Measures whether a question decides how its hits divide, on the crossed tasks."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.tasks.crossings import N_WORDINGS
from subclust.core.records import (
    ClusteringInstance,
    FloatArray,
    IntArray,
    Query,
    documents_by_text,
)
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.base import NumberOfClusters, SubtopicClusterer
from subclust.grouping.clustering.threshold_count import learn_threshold
from subclust.grouping.similarity.dividing import DividingSimilarity, share_documents
from subclust.grouping.similarity.division import WAYS, DivisionGate, Way
from subclust.judging.bench import embed, embed_queries
from subclust.methods import LoadedMethod
from subclust.text.encoders import Encoder

SIDES = ("rows", "columns")


@dataclass(frozen=True)
class Asked:
    """The questions of a crossed task with all that a method needs.

    Parameters
    ----------
    instances : list of ClusteringInstance
        Each hit set ``2 * N_WORDINGS`` times in a row, as the task has it.
    queries : list of Query
        With embeddings and documents.
    embeddings : list of ndarray of shape (n_passages, 2 * embedding_dim)
    """

    instances: list[ClusteringInstance]
    queries: list[Query]
    embeddings: list[FloatArray]


def ask(instances: list[ClusteringInstance], method: LoadedMethod) -> Asked:
    """Encode the hits of a crossed task once each, and its questions."""
    step = 2 * N_WORDINGS
    firsts = embed(instances[::step], method.encoder)
    embeddings = [vectors for vectors in firsts for _ in range(step)]
    return Asked(instances, embed_queries(instances, embeddings, method, "title"), embeddings)


def side_of(place: int) -> int:
    """Return which division the question at a place of a crossed task asks for, 0 or 1."""
    return place % (2 * N_WORDINGS) // N_WORDINGS


def ways_found(found: Asked, gate: DivisionGate, embedding_dim: int) -> list[Way]:
    """Return the way that a gate takes for each question."""
    result = []
    for query in found.queries:
        assert query.embedding is not None
        base = query.embedding[embedding_dim:]
        shared = share_documents(query.documents)
        result.append(gate.way(base / np.linalg.norm(base), shared_documents=shared))
    return result


def share_right(found: Asked, gate: DivisionGate, embedding_dim: int) -> float:
    """Return the share of questions of which the gate takes the way of their side."""
    ways = ways_found(found, gate, embedding_dim)
    return float(np.mean([way == WAYS[side_of(place)] for place, way in enumerate(ways)]))


class Measuring:
    """A method whose gate is given.

    Parameters
    ----------
    method : LoadedMethod
        Of which the similarity is a `DividingSimilarity`.
    gate : DivisionGate
    """

    def __init__(self, method: LoadedMethod, gate: DivisionGate) -> None:
        self.clusterer: SubtopicClusterer = method.clusterer
        similarity: Any = method.clusterer.similarity  # type: ignore[attr-defined]
        assert isinstance(similarity, DividingSimilarity)
        self.similarity = similarity
        self.similarity.gate = gate

    def labels(
        self, found: Asked, place: int, query: Query, n_clusters: NumberOfClusters
    ) -> IntArray:
        """Group the hits of one question under a query."""
        texts = [passage.text for passage in found.instances[place].passages]
        self.clusterer.n_clusters, self.clusterer.max_other = n_clusters, 0.0
        return self.clusterer.fit(texts, query=query, embeddings=found.embeddings[place]).labels_

    def score(self, found: Asked, *, whole: bool = True) -> dict[str, Any]:
        """Measure a crossed task.

        Parameters
        ----------
        found : Asked
        whole : bool
            Whether all is measured, or only ``true_k``.

        Returns
        -------
        dict
            For ``rows`` and ``columns`` the adjusted Rand index of each question: at the true
            number (``true_k``) and the method's own (``auto_k``), with the question of the other
            side (``wrong``), with none (``none``), and where nothing is known of documents
            (``text_alone``); ``agreement`` of the two divisions of each hit set, lower is better;
            ``ways`` that were taken, and ``milliseconds`` a question.
        """
        variants: dict[str, Callable[[int], Query]] = {
            "true_k": lambda place: found.queries[place],
            "auto_k": lambda place: found.queries[place],
            "wrong": lambda place: found.queries[_other(place)],
            "none": lambda place: replace(found.queries[place], context="passages"),
            "text_alone": lambda place: replace(found.queries[place], documents=None),
        }
        if not whole:
            variants = {"true_k": variants["true_k"]}
        scores: dict[str, Any] = {side: {name: [] for name in variants} for side in SIDES}
        kept: list[IntArray] = []
        seconds = 0.0
        for place, instance in enumerate(found.instances):
            gold = instance.gold()
            for name, query_of in variants.items():
                number: NumberOfClusters = "auto" if name == "auto_k" else len(set(gold))
                started = time.perf_counter()
                labels = self.labels(found, place, query_of(place), number)
                if name == "true_k":
                    seconds += time.perf_counter() - started
                    kept.append(labels)
                index = float(adjusted_rand_index(gold, labels))
                scores[SIDES[side_of(place)]][name].append(round(index, 6))
        ways = ways_found(found, self.similarity.gate, self.similarity.model.embedding_dim)
        return {
            **scores,
            "agreement": [
                round(float(adjusted_rand_index(kept[start], kept[start + N_WORDINGS])), 6)
                for start in range(0, len(kept), 2 * N_WORDINGS)
            ],
            "ways": {
                side: {way: ways_of.count(way) for way in WAYS}
                for side, ways_of in (
                    (SIDES[number], [w for p, w in enumerate(ways) if side_of(p) == number])
                    for number in (0, 1)
                )
            },
            "milliseconds": round(1000 * seconds / len(found.instances), 2),
        }


def _other(place: int) -> int:
    return place + N_WORDINGS if side_of(place) == 0 else place - N_WORDINGS


def learn_thresholds(found: Asked, measuring: Measuring) -> list[float]:
    """Learn at what scores groups merge, by subjects and by aspects, on validation questions.

    Returns
    -------
    list of float
        On the scale of the scores before they are moved.
    """
    similarity = measuring.similarity
    result = []
    for way in WAYS[:2]:
        pairs = []
        for place, instance in enumerate(found.instances):
            if place % N_WORDINGS or WAYS[side_of(place)] != way:
                continue
            texts = [passage.text for passage in instance.passages]
            scores = similarity.scores_of(way, found.queries[place], texts, found.embeddings[place])
            pairs.append((scores, instance.gold()))
        result.append(learn_threshold(pairs))
    return result


def means(scores: dict[str, Any]) -> dict[str, float]:
    """Sum up what `Measuring.score` returns."""
    found = {
        f"{side}_{name}": float(np.mean(scores[side][name]))
        for side in SIDES
        for name in scores[side]
    }
    found["mean"] = (found["rows_true_k"] + found["columns_true_k"]) / 2
    found["agreement"] = float(np.mean(scores["agreement"]))
    return {name: round(value, 4) for name, value in found.items()}


def change_of(
    instances: Sequence[ClusteringInstance], method: LoadedMethod, gate: DivisionGate, base: Encoder
) -> dict[str, Any]:
    """Measure what the gate changes where each question has a subject and one division.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        Of a task that is not crossed.
    method : LoadedMethod
        Of which the similarity is a `DividingSimilarity`.
    gate : DivisionGate
    base : Encoder
        The base encoder.

    Returns
    -------
    dict
        ``ways`` that the questions take; ``taken``, those that are not usual; ``change`` of the
        mean adjusted Rand index at the true number over all questions, which the others leave as
        it is.
    """
    vectors = base.encode([instance.query.text for instance in instances])
    ways = [
        gate.way(vector, shared_documents=share_documents(documents_by_text(instance.passages)))
        for vector, instance in zip(vectors, instances, strict=True)
    ]
    taken = [one for one, way in zip(instances, ways, strict=True) if way != "usual"]
    changes = []
    for instance in taken:
        embeddings = embed([instance], method.encoder)
        queries = embed_queries([instance], embeddings, method, "title")
        found = Asked([instance], queries, embeddings)
        gold = instance.gold()
        never = replace(gate, out_shift=np.array([0, 0, 1e3], dtype=np.float32))
        index = [
            adjusted_rand_index(
                gold, Measuring(method, one).labels(found, 0, queries[0], len(set(gold)))
            )
            for one in (gate, never)
        ]
        changes.append(float(index[0] - index[1]))
    return {
        "n_questions": len(instances),
        "ways": {way: ways.count(way) for way in WAYS},
        "taken": [instance.query.text for instance in taken],
        "change": round(sum(changes) / len(instances), 6),
    }
