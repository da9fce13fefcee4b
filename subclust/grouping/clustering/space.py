"""The vectors that a method compares, where it does not compare the encoder's own."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from subclust.core.records import FloatArray, Query
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics


@runtime_checkable
class _HasSpace(Protocol):
    """A clusterer, or its ``similarity``, that moves the passages before it compares them."""

    def space(self, query: Query, embeddings: FloatArray) -> FloatArray:
        """Return the passages where they are compared; shape (n_passages, space_dim)."""
        ...


def space_of(
    clusterer: SubtopicClusterer, query: Query, passages: Sequence[str], embeddings: FloatArray
) -> FloatArray:
    """Return the vectors of the passages as a clusterer sees them.

    Parameters
    ----------
    clusterer : SubtopicClusterer
    query : Query
        With `embedding` set where the method is query-specific.
    passages : sequence of str
        Some methods place them by their words instead of their embeddings.
    embeddings : ndarray of shape (n_passages, embedding_dim)

    Returns
    -------
    ndarray of shape (n_passages, space_dim)
        `embeddings` where neither the clusterer nor its similarity has a space of its own.
    """
    if isinstance(clusterer, LearntSpaceSubtopics):
        return clusterer.points(passages, embeddings).astype(np.float32)
    for part in (clusterer, getattr(clusterer, "similarity", None)):
        if isinstance(part, _HasSpace):
            return part.space(query, embeddings)
    return embeddings
