"""Measures whether a question decides how its hits divide, on the crossed tasks."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from subclust.core.records import (
    ClusteringInstance,
    FloatArray,
    IntArray,
    Query,
    documents_by_text,
)
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.evaluation.significance import paired_test
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.base import NumberOfClusters, SubtopicClusterer
from subclust.grouping.clustering.threshold_count import learn_threshold
from subclust.grouping.similarity.cosine import CentredCosineSimilarity
from subclust.grouping.similarity.dividing import DividingSimilarity, centred, share_documents
from subclust.grouping.similarity.division import WAYS, DivisionGate, Way
from subclust.grouping.similarity.question_metric import QuestionMetric
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
        Each hit set ``2 * n_wordings`` times in a row, as the task has it.
    queries : list of Query
        With embeddings and documents.
    embeddings : list of ndarray of shape (n_passages, 2 * embedding_dim)
    n_wordings : int
        Questions for each division of a hit set.
    """

    instances: list[ClusteringInstance]
    queries: list[Query]
    embeddings: list[FloatArray]
    n_wordings: int

    def side(self, place: int) -> int:
        """Return which division the question at a place asks for, 0 or 1."""
        return place % (2 * self.n_wordings) // self.n_wordings

    def other(self, place: int) -> int:
        """Return the place of a question that asks for the other division."""
        return place + (1 - 2 * self.side(place)) * self.n_wordings


def ask(instances: list[ClusteringInstance], method: LoadedMethod) -> Asked:
    """Encode the hits of a crossed task once each, and its questions."""
    ids = [[passage.id for passage in instance.passages] for instance in instances]
    step = next((place for place, one in enumerate(ids) if one != ids[0]), len(ids))
    firsts = embed(instances[::step], method.encoder)
    embeddings = [vectors for vectors in firsts for _ in range(step)]
    queries = embed_queries(instances, embeddings, method, "title")
    return Asked(instances, queries, embeddings, step // 2)


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
    return float(np.mean([way == WAYS[found.side(place)] for place, way in enumerate(ways)]))


def ceiling(gold: Sequence[str], embeddings: FloatArray, embedding_dim: int) -> float:
    """Return how well the labels of all other passages tell that of each.

    Each passage goes to the label whose other passages have the nearest mean, over the centred
    vectors of both encoders side by side.

    Returns
    -------
    float
        Adjusted Rand index with `gold`.
    """
    _, labels = np.unique(np.asarray(gold), return_inverse=True)
    halves = (embeddings[:, :embedding_dim], embeddings[:, embedding_dim:])
    vectors = np.concatenate([centred(half) for half in halves], axis=1)
    members = np.eye(labels.max() + 1, dtype=np.float32)[labels]
    sums, counts = members.T @ vectors, members.sum(axis=0)
    found = []
    for row, vector in enumerate(vectors):
        means_ = (sums - members[row][:, None] * vector) / np.maximum(counts - members[row], 1)[
            :, None
        ]
        lengths = np.maximum(np.linalg.norm(means_, axis=1), 1e-6)
        found.append(int(np.argmax(means_ @ vector / lengths)))
    return float(adjusted_rand_index(labels, np.asarray(found)))


class Measuring:
    """A method whose gate is given.

    Parameters
    ----------
    method : LoadedMethod
        Of which the similarity is a `DividingSimilarity`.
    metric : QuestionMetric, optional
        By default that of the similarity.
    """

    def __init__(
        self, method: LoadedMethod, gate: DivisionGate, metric: QuestionMetric | None = None
    ) -> None:
        self.clusterer: SubtopicClusterer = method.clusterer
        similarity: Any = method.clusterer.similarity  # type: ignore[attr-defined]
        assert isinstance(similarity, DividingSimilarity)
        self.similarity = similarity
        self.similarity.gate = gate
        if metric is not None:
            self.similarity.metric = metric

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
        whole : bool
            Whether all is measured, or only ``true_k``.

        Returns
        -------
        dict
            For ``rows`` and ``columns`` the adjusted Rand index of each question: at the true
            number (``true_k``) and the method's own (``auto_k``), with the question of the other
            side (``wrong``), with none (``none``), where nothing is known of documents
            (``text_alone``), by the centred cosine of the base encoder (``untuned``), and the
            `ceiling`; ``agreement`` of the two divisions of each hit set, lower is better; ``ways``
            that were taken, ``milliseconds`` a question, and `compared`.
        """
        variants: dict[str, Callable[[int], Query]] = {
            "true_k": lambda place: found.queries[place],
            "auto_k": lambda place: found.queries[place],
            "wrong": lambda place: found.queries[found.other(place)],
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
                scores[SIDES[found.side(place)]][name].append(round(index, 6))
            if whole:
                self._without_question(found, place, scores[SIDES[found.side(place)]])
        pairs = zip(found.queries, found.embeddings, strict=True)
        ways = [self.similarity.way(query, embeddings) for query, embeddings in pairs]
        return {
            **scores,
            "agreement": [
                round(float(adjusted_rand_index(kept[start], kept[found.other(start)])), 6)
                for start in range(0, len(kept), 2 * found.n_wordings)
            ],
            "ways": {
                side: {way: ways_of.count(way) for way in WAYS}
                for side, ways_of in (
                    (SIDES[number], [w for p, w in enumerate(ways) if found.side(p) == number])
                    for number in (0, 1)
                )
            },
            "milliseconds": round(1000 * seconds / len(found.instances), 2),
            **({"compared": compared(scores, found.n_wordings)} if whole else {}),
        }

    def _without_question(self, found: Asked, place: int, scores: dict[str, list[float]]) -> None:
        """Add the scores of what no question changes."""
        instance, dim = found.instances[place], self.similarity.model.embedding_dim
        gold, embeddings = instance.gold(), found.embeddings[place]
        untuned = AgglomerativeSubtopics(CentredCosineSimilarity(), len(set(gold)))
        texts = [passage.text for passage in instance.passages]
        labels = untuned.fit(
            texts, query=found.queries[place], embeddings=embeddings[:, dim:]
        ).labels_
        index = float(adjusted_rand_index(gold, labels))
        scores.setdefault("untuned", []).append(round(index, 6))
        scores.setdefault("ceiling", []).append(round(ceiling(gold, embeddings, dim), 6))


def compared(scores: dict[str, Any], n_wordings: int) -> dict[str, Any]:
    """Compare the right question with none and with untuned vectors, hit set by hit set.

    Parameters
    ----------
    scores : dict
        As `Measuring.score` gathers them.
    n_wordings : int
        Questions for each division of a hit set.

    Returns
    -------
    dict
        For ``none`` and ``untuned``: for ``rows``, ``columns`` and ``both`` the mean ``difference``
        and the ``p`` value of a paired test over the means of the hit sets; ``better`` counts the
        questions that score above and ``worse`` those below.
    """
    told: dict[str, Any] = {}
    for name in ("none", "untuned"):
        differences = {
            side: np.subtract(scores[side]["true_k"], scores[side][name]) for side in SIDES
        }
        sets = {
            side: found.reshape(-1, n_wordings).mean(axis=1) for side, found in differences.items()
        }
        sets["both"] = (sets["rows"] + sets["columns"]) / 2
        every = np.concatenate(list(differences.values()))
        told[name] = {
            **{
                side: {
                    "difference": round(float(found.mean()), 4),
                    "p": float(paired_test(found.tolist(), [0.0] * len(found)).p_value),
                }
                for side, found in sets.items()
            },
            "better": int((every > 0).sum()),
            "worse": int((every < 0).sum()),
        }
    return told


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
            if place % found.n_wordings or WAYS[found.side(place)] != way:
                continue
            texts = [passage.text for passage in instance.passages]
            scores = similarity.scores_of(way, found.queries[place], texts, found.embeddings[place])
            pairs.append((scores, instance.gold()))
        result.append(learn_threshold(pairs))
    return result


def learn_metric_thresholds(asked: Sequence[Asked], measuring: Measuring) -> list[float]:
    """Learn at what scores groups merge where hits share no documents.

    Parameters
    ----------
    asked : sequence of Asked
        Of validation tasks.
    measuring : Measuring
        With a metric.

    Returns
    -------
    list of float
        Of questions that the metric does not know, and of those that it knows.
    """
    similarity, dim = measuring.similarity, measuring.similarity.model.embedding_dim
    metric = similarity.metric
    assert metric is not None
    pairs: list[list[tuple[FloatArray, list[str]]]] = [[], []]
    for found in asked:
        for place, (instance, query) in enumerate(zip(found.instances, found.queries, strict=True)):
            if place % found.n_wordings:
                continue
            assert query.embedding is not None
            base = query.embedding[dim:]
            known = metric.knows(base / np.linalg.norm(base))
            texts = [passage.text for passage in instance.passages]
            way = similarity.way(query, found.embeddings[place])
            if way == "usual":
                continue
            scores = similarity.scores_of(way, query, texts, found.embeddings[place])
            pairs[int(known)].append((scores, instance.gold()))
    return [learn_threshold(some) if some else 0.0 for some in pairs]


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
    instances: Sequence[ClusteringInstance],
    method: LoadedMethod,
    gate: DivisionGate,
    metric: QuestionMetric | None,
    base: Encoder,
) -> dict[str, Any]:
    """Measure what the gate changes where each question has a subject and one division.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        Of a task that is not crossed.
    method : LoadedMethod
        Of which the similarity is a `DividingSimilarity`.
    metric : QuestionMetric, optional
        By default that of the similarity.
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
        found = Asked([instance], queries, embeddings, 1)
        gold = instance.gold()
        never = replace(gate, out_shift=np.array([0, 0, 1e3], dtype=np.float32))
        index = [
            adjusted_rand_index(
                gold, Measuring(method, one, metric).labels(found, 0, queries[0], len(set(gold)))
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
