"""Average-link agglomerative clustering on any pair similarity."""

from collections.abc import Sequence

from subclust.clustering.average_link import average_link, cut_to
from subclust.clustering.base import (
    NumberOfClusters,
    ScoresPairs,
    SubtopicClusterer,
    check_scores,
)
from subclust.clustering.cluster_count import ClusterCount, decide
from subclust.clustering.silhouette_count import SilhouetteCount
from subclust.clustering.strength import settle
from subclust.records import FloatArray, IntArray, Query


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
        Largest share of passages, 0 to 1, that may go to "other passages" (label -1).
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
        n_clusters, self.n_clusters_source_ = decide(
            self.n_clusters, self.count or SilhouetteCount(), scores, tree
        )
        labels, strengths = settle(
            scores,
            cut_to(tree, n_clusters),
            max_other=self.max_other,
            exact=self.n_clusters != "auto",
        )
        return labels, strengths, scores
