"""Average-link agglomerative clustering on any pair similarity."""

from collections.abc import Sequence

import numpy as np

from subclust.core.records import FloatArray, IntArray, Query
from subclust.grouping.clustering.average_link import average_link
from subclust.grouping.clustering.base import (
    NumberOfClusters,
    ScoresPairs,
    SubtopicClusterer,
    check_scores,
)
from subclust.grouping.clustering.cluster_count import ClusterCount, decide
from subclust.grouping.clustering.settled import set_aside, settled_labels, settled_strengths
from subclust.grouping.clustering.silhouette_count import SilhouetteCount


class AgglomerativeSubtopics(SubtopicClusterer):
    """Groups passages by average link over the score matrix of a similarity.

    Source: Kashyapi and Dietz, JCDL 2022, section 3, step 3.

    Parameters
    ----------
    similarity : ScoresPairs
        Gives the score matrix; scores may be on any scale.
    n_clusters : int or "auto"
        Exactly ``min(n_clusters, n_passages)`` groups, or chosen by `count`.
    count : ClusterCount, optional
        Rule for ``"auto"``; `SilhouetteCount` where none is given.
    max_other : float
        Largest share of passages, 0 to 1, that may go to "other passages" (label -1): those that
        fit nowhere when the number of groups is automatic, whatever number is asked for.
    random_state : int
        Not used: nothing is drawn.
    """

    def __init__(
        self,
        similarity: ScoresPairs,
        n_clusters: NumberOfClusters = "auto",
        *,
        count: ClusterCount | None = None,
        max_other: float = 0.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(n_clusters, max_other=max_other, random_state=random_state)
        self.similarity = similarity
        self.count = count

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        scores = check_scores(
            self.similarity.score_matrix(query, passages, embeddings), len(passages)
        )
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
        asked = self.n_auto_ if self.n_clusters == "auto" else n_clusters
        labels = settled_labels(tree, self.aside_, self.n_auto_, asked)
        return labels, settled_strengths(scores, labels, strengths), scores
