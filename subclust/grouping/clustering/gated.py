"""Average link over the hits that are about the query; the rest are "other passages"."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from subclust.core.records import OTHER_PASSAGES, FloatArray, IntArray, Query
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.base import ScoresPairs, check_scores

LEAST_SHARE = 0.1
"""Of the hits, that are grouped even where fewer are about the query."""


class JudgesRelevance(ScoresPairs, Protocol):
    """What `GatedSubtopics` needs of a similarity beside its scores."""

    def relevance(self, query: Query, embeddings: FloatArray) -> FloatArray:
        """Return how far each passage is about the query, 0 to 1; shape (n_passages,)."""
        ...


class GatedSubtopics(AgglomerativeSubtopics):
    """Average link that sets aside what a relevance gate finds to be about something else.

    Only where "other passages" are allowed at all (``max_other`` above 0); otherwise every hit is
    grouped, and the gate is not asked. The passages set aside are not counted in ``max_other``,
    which bounds those that are about the query but fit nowhere. Where the gate leaves fewer than
    `LEAST_SHARE` of the hits, or fewer than the groups asked for, the hits that it finds to be most
    about the query are grouped, so many as that.

    Parameters
    ----------
    similarity : JudgesRelevance
    n_clusters, count, max_other, random_state
        As for `AgglomerativeSubtopics`.

    Attributes
    ----------
    n_beside_ : int
        Passages set aside as about something else.
    """

    similarity: JudgesRelevance
    n_beside_: int

    def _widths(self, embedding_dim: int) -> tuple[int, ...]:
        # The base encoder's vectors, by which the gate judges, may stand beside the others.
        return (embedding_dim, 2 * embedding_dim)

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        n_passages = len(passages)
        about = np.ones(n_passages, dtype=np.float32)
        if embeddings is not None and query.embedding is not None and self.max_other > 0:
            about = self.similarity.relevance(query, embeddings)
        inside = np.flatnonzero(about >= 0.5)
        least = 2 if self.n_clusters == "auto" else max(2, int(self.n_clusters))
        least = max(least, math.ceil(LEAST_SHARE * n_passages))
        if len(inside) < least:
            inside = np.sort(np.argsort(-about, kind="stable")[:least])
        self.n_beside_ = n_passages - len(inside)
        if embeddings is None or not self.n_beside_:
            return super()._fit(passages, query, embeddings)
        labels = np.full(n_passages, OTHER_PASSAGES, dtype=np.int64)
        strengths = 2 * about - 1
        labels[inside], strengths[inside], _ = super()._fit(
            [passages[int(i)] for i in inside], query, embeddings[inside]
        )
        self.leaves_ = inside
        scores = self.similarity.score_matrix(query, passages, embeddings)
        return labels, strengths, check_scores(scores, n_passages)
