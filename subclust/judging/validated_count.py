"""How many groups a method that is not trained makes, as validation queries advise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.evaluation.metrics import GROUPING_METRICS
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.cluster_count import ClusterCount, MeanCount, SilhouetteCount
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.clustering.spectral import SpectralSubtopics
from subclust.grouping.clustering.threshold_count import (
    ThresholdCount,
    beside_mean,
    learn_mean_share,
    learn_threshold,
)
from subclust.methods import LoadedMethod

COMBINED = ("nmi", "ami", "ri", "ari")
"""A rule is chosen by the sum of these. Source: CACTUS, appendix E."""

Counting = AgglomerativeSubtopics | KMeansSubtopics | SpectralSubtopics
"""Clusterers that take a rule."""


@dataclass(frozen=True)
class ValidatedCount:
    """A rule that was chosen.

    Parameters
    ----------
    told : dict
        ``rule`` and its ``value`` and ``mean_share``, if any; where there was a choice,
        ``validation`` has the combined score of each rule, 4 at most.
    """

    rule: ClusterCount
    told: dict[str, Any]


def mean_number(instances: Sequence[ClusteringInstance]) -> float:
    """Average the number of gold subtopics.

    Raises
    ------
    BenchmarkError
        If there are no instances.
    """
    if not instances:
        raise BenchmarkError("The mean number of groups needs at least one training question.")
    return float(np.mean([len(set(instance.gold())) for instance in instances]))


def takes_rule(method: LoadedMethod) -> bool:
    """Return whether a rule can be chosen for a method: a trained one has learnt its own."""
    return method.checkpoint is None and isinstance(method.clusterer, Counting)


def choose_count(
    method: LoadedMethod,
    validation: Sequence[ClusteringInstance],
    queries: Sequence[Query],
    embeddings: Sequence[FloatArray],
    mean: float,
) -> ValidatedCount:
    """Choose a rule for the number of groups.

    Average link gets the similarity threshold at which its groups are best, and the share of the
    mean similarity in it, as what is trained does; k-means and spectral clustering the better of
    silhouette and the mean number of the training queries.

    Source: CACTUS, section 4.2, "Unsupervised".

    Parameters
    ----------
    method : LoadedMethod
        For which `takes_rule` holds; its clusterer is left with ``n_clusters`` ``"auto"``.
    queries : sequence of Query
        Theirs, with what the method needs.
    embeddings : sequence of ndarray of shape (n_passages, embedding_dim)
    mean : float
        Groups of a training query, on average.

    Raises
    ------
    InputError
        If no validation query has two passages.
    """
    clusterer = method.clusterer
    assert isinstance(clusterer, Counting)
    if isinstance(clusterer, AgglomerativeSubtopics):
        scored = _scored(clusterer, validation, queries, embeddings)
        share = learn_mean_share(scored)
        threshold = learn_threshold([(beside_mean(one, share), gold) for one, gold in scored])
        return ValidatedCount(
            ThresholdCount(threshold, mean_share=share),
            {"rule": ThresholdCount.name, "value": threshold, "mean_share": share},
        )
    rules: dict[str, ClusterCount] = {
        SilhouetteCount.name: SilhouetteCount(),
        MeanCount.name: MeanCount(mean),
    }
    combined = {}
    for name, rule in rules.items():
        clusterer.count = rule
        combined[name] = _combined(clusterer, validation, queries, embeddings)
    best = max(combined, key=lambda name: combined[name])
    told: dict[str, Any] = {"rule": best, "validation": combined}
    return ValidatedCount(rules[best], told | ({"value": mean} if best == MeanCount.name else {}))


def _scored(
    clusterer: AgglomerativeSubtopics,
    instances: Sequence[ClusteringInstance],
    queries: Sequence[Query],
    embeddings: Sequence[FloatArray],
) -> list[tuple[FloatArray, list[str]]]:
    return [
        (
            clusterer.similarity.score_matrix(query, [p.text for p in instance.passages], vectors),
            instance.gold(),
        )
        for instance, query, vectors in zip(instances, queries, embeddings, strict=True)
    ]


def _combined(
    clusterer: KMeansSubtopics | SpectralSubtopics,
    instances: Sequence[ClusteringInstance],
    queries: Sequence[Query],
    embeddings: Sequence[FloatArray],
) -> float:
    clusterer.n_clusters = "auto"
    total = 0.0
    for instance, query, vectors in zip(instances, queries, embeddings, strict=True):
        texts = [passage.text for passage in instance.passages]
        labels = clusterer.fit(texts, query=query, embeddings=vectors).labels_
        gold = instance.gold()
        total += sum(GROUPING_METRICS[name](gold, labels) for name in COMBINED)
    return total / len(instances)
