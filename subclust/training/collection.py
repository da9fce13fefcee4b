"""A whole collection, as methods that learn to cluster it without labels see it: texts alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, IntArray
from subclust.evaluation.metrics import GROUPING_METRICS

FEWEST_TEXTS = 200
"""Below which nothing reliable can be learnt of a collection without labels."""

SCORED = ("acc", "nmi_geometric", "ami", "ari", "bcubed_f1")
"""Told in the card where the collection has labels; nothing is chosen by them."""


@dataclass(frozen=True)
class Collection:
    """The texts of a collection, without labels.

    Parameters
    ----------
    texts : tuple of str
    """

    texts: tuple[str, ...]

    def __len__(self) -> int:
        """Count the texts."""
        return len(self.texts)


def collection_of(instances: Sequence[ClusteringInstance], method: str) -> Collection:
    """Take the texts of all passages.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        As a task or a labelled set gives them; queries and labels are not looked at.
    method : str
        For the error.

    Raises
    ------
    TrainingError
        If there are too few, or all are alike.
    """
    texts = tuple(passage.text for instance in instances for passage in instance.passages)
    if len(texts) < FEWEST_TEXTS:
        raise TrainingError(
            "{method} learns from a whole collection of at least {fewest_texts} texts, but there "
            "are {count}; give more, or take a method that needs no training, such as kmeans.",
            method=method,
            fewest_texts=FEWEST_TEXTS,
            count=len(texts),
        )
    if len(set(texts)) < 2:
        raise TrainingError(
            "All {count:,} texts are the same, so nothing divides them.", count=len(texts)
        )
    return Collection(texts)


def gold_of(instances: Sequence[ClusteringInstance]) -> IntArray | None:
    """Return the gold labels of the passages as numbers from 0, None where a passage has none.

    Returns
    -------
    ndarray of shape (n_texts,) or None
    """
    gold = [label for instance in instances for label in instance.gold()]
    if not all(gold):
        return None
    return np.asarray(np.unique(np.array(gold, dtype=object), return_inverse=True)[1], np.int64)


def number_of_clusters(
    asked: object, instances: Sequence[ClusteringInstance], collection: Collection
) -> int:
    """Return how many groups are to be learnt: what was asked for, or as many as there are labels.

    The second is what the papers give every method; of the labels nothing but their number is used.

    Parameters
    ----------
    asked : object
        ``n_clusters`` of the recipe's ``[model]``, or None.
    instances : sequence of ClusteringInstance
    collection : Collection

    Raises
    ------
    TrainingError
        If it is not known, or no number that fits the collection.
    """
    gold = gold_of(instances)
    if asked is None and gold is None:
        raise TrainingError(
            "The collection has no labels that would tell how many groups there are; say how many "
            "with --set model.n_clusters=20 or the like."
        )
    n_clusters = asked if gold is None or asked is not None else len(np.unique(gold))
    if asked is None and n_clusters == 1:
        raise TrainingError(
            "All texts of the collection have the same label, so the labels do not tell how many "
            "groups there are; say how many with --set model.n_clusters=20 or the like."
        )
    if not isinstance(n_clusters, int) or isinstance(n_clusters, bool) or n_clusters < 2:
        raise TrainingError(
            "n_clusters must be a whole number of at least 2, but is {count!r}.",
            count=n_clusters,
        )
    if n_clusters > len(collection):
        raise TrainingError(
            "n_clusters is {n_clusters:,}, but the collection has only {count:,} texts.",
            n_clusters=n_clusters,
            count=len(collection),
        )
    return n_clusters


def scores_of(gold: IntArray | None, labels: IntArray) -> dict[str, float]:
    """Measure a grouping by the labels of the collection, for its card alone.

    Returns
    -------
    dict of str to float
        One of each of `SCORED`; empty where there are no labels.
    """
    if gold is None:
        return {}
    return {name: GROUPING_METRICS[name](gold, labels) for name in SCORED}
