"""Average-link clustering on any pair similarity, of all hits or of the relevant ones."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from subclust.core.records import OTHER_PASSAGES, FloatArray, IntArray, Query
from subclust.grouping.clustering.average_link import Tree, average_link, prune
from subclust.grouping.clustering.base import ScoresPairs, check_scores
from subclust.grouping.clustering.cluster_count import SilhouetteCount, decide
from subclust.grouping.clustering.grounds import set_aside, settled_labels, settled_strengths
from subclust.grouping.clustering.pair_clusterer import PairClusterer

MOST_UNDIVIDED = 10
"""Passages from which on one group of them all is no answer. Where a rule chose two groups and one
of them was a stranger, the silhouette chooses how the others divide."""

LEAST_SHARE = 0.1
"""Of the hits, that are grouped even where fewer are about the query."""


class AgglomerativeSubtopics(PairClusterer):
    """Groups passages by average link over the score matrix of a similarity.

    Source: Kashyapi and Dietz, JCDL 2022, section 3, step 3.

    Passages are set aside that fit nowhere when the number of groups is automatic, whatever number
    is asked for. Where that leaves one group of `MOST_UNDIVIDED` passages or more, the silhouette
    chooses the number. Nothing is drawn.
    """

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        scores = self._scores(passages, query, embeddings)
        tree = average_link(scores)
        count = self.count or SilhouetteCount()
        n_clusters, self.n_clusters_source_ = decide(self.n_clusters, count, scores, tree)
        self.tree_, self.leaves_ = tree, np.arange(len(scores), dtype=np.int64)
        self.leaf_scores_, self.n_auto_source_ = scores, self.n_clusters_source_
        self.aside_, self.n_auto_ = np.zeros(len(scores), dtype=bool), n_clusters
        strengths = np.zeros(len(scores), dtype=np.float32)
        if self.max_other > 0:
            chosen = n_clusters if self.n_clusters == "auto" else count.choose(tree, scores)
            self.n_auto_source_ = count.name
            self.aside_, strengths, self.n_auto_ = set_aside(scores, tree, chosen, self.max_other)
            if self.n_auto_ == 1 and np.count_nonzero(~self.aside_) >= MOST_UNDIVIDED:
                self._divide(tree, scores)
            if self.n_clusters == "auto":
                self.n_clusters_source_ = self.n_auto_source_
        asked = self.n_auto_ if self.n_clusters == "auto" else n_clusters
        labels = settled_labels(tree, self.aside_, self.n_auto_, asked)
        return labels, settled_strengths(scores, labels, strengths), scores

    def _divide(self, tree: Tree, scores: FloatArray) -> None:
        """Choose the number of groups anew, among those that are not set aside."""
        kept = np.flatnonzero(~self.aside_)
        rule = SilhouetteCount(max(2, len(kept) // MOST_UNDIVIDED))
        self.n_auto_ = rule.choose(prune(tree, kept), scores[np.ix_(kept, kept)])
        if self.n_auto_ > 1:
            self.n_auto_source_ = rule.name


class PrecomputedScores:
    """Returns pair scores by position instead of computing them.

    In place of embeddings it is given `positions`, since a clusterer puts passages in an order of
    its own.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    """

    def __init__(self, scores: FloatArray) -> None:
        self.scores = scores

    @staticmethod
    def positions(rows: IntArray) -> FloatArray:
        """Write positions in the place of embeddings; shape (n_rows, 1)."""
        return np.asarray(rows, dtype=np.float32)[:, None]

    def score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None = None
    ) -> FloatArray:
        """Return the scores of the passages at these positions.

        Parameters
        ----------
        query, passages
            Not looked at.
        embeddings : ndarray of shape (n_rows, 1)
            Of `positions`.

        Returns
        -------
        ndarray of shape (n_rows, n_rows)
        """
        assert embeddings is not None
        rows = embeddings[:, 0].astype(np.int64)
        return self.scores[np.ix_(rows, rows)]


class _JudgesRelevance(ScoresPairs, Protocol):
    """What `GatedSubtopics` needs of a similarity beside its scores."""

    def relevance(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray
    ) -> FloatArray:
        """Return how far each passage is about the query, 0 to 1; shape (n_passages,)."""
        ...

    def way(self, query: Query, embeddings: FloatArray | None) -> str:
        """Return the way to divide that the query wants; ``"usual"`` where it has a subject."""
        ...


class GatedSubtopics(AgglomerativeSubtopics):
    """Average link that sets aside what a relevance gate finds to be about something else.

    Only where "other passages" are allowed at all (``max_other`` above 0); otherwise every hit is
    grouped, and the gate is not asked; nor where the query has no subject of its own, but says how
    to divide ("by country"). The passages set aside are not counted in ``max_other``,
    which bounds those that are about the query but fit nowhere. Where the gate leaves fewer than
    `LEAST_SHARE` of the hits, or fewer than the groups asked for, the hits that it finds to be most
    about the query are grouped, so many as that.

    Parameters
    ----------
    similarity : _JudgesRelevance
    n_clusters, count, max_other, random_state
        As for `AgglomerativeSubtopics`.

    Attributes
    ----------
    n_beside_ : int
        Passages set aside as about something else.
    """

    similarity: _JudgesRelevance
    n_beside_: int

    def _widths(self, embedding_dim: int) -> tuple[int, ...]:
        # The base encoder's vectors, by which the gate judges, may stand beside the others.
        return (embedding_dim, 2 * embedding_dim)

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        n_passages = len(passages)
        about = np.ones(n_passages, dtype=np.float32)
        is_asked = self.max_other > 0 and self.similarity.way(query, embeddings) == "usual"
        if embeddings is not None and query.embedding is not None and is_asked:
            about = self.similarity.relevance(query, passages, embeddings)
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
        # Scored a second time, with those set aside: the scores reported are of all passages.
        scores = self.similarity.score_matrix(query, passages, embeddings)
        return labels, strengths, check_scores(scores, n_passages)
