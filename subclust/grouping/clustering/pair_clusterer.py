"""What groups passages by the scores of their pairs."""

from collections.abc import Sequence

from subclust.core.records import FloatArray, Query
from subclust.grouping.clustering.base import (
    NumberOfClusters,
    ScoresPairs,
    SubtopicClusterer,
    check_scores,
)
from subclust.grouping.clustering.cluster_count import ClusterCount


class PairClusterer(SubtopicClusterer):
    """Groups passages by the score matrix of a similarity; a subclass says how.

    Parameters
    ----------
    similarity : ScoresPairs
        Returns the score matrix; scores may be on any scale.
    n_clusters : int or "auto"
        Exactly ``min(n_clusters, n_passages)`` groups, or chosen by `count`.
    count : ClusterCount, optional
        Rule for ``"auto"``, applied to the average-link tree of the pair scores; `SilhouetteCount`
        where none is given.
    max_other : float
        Largest share of passages, 0 to 1, that may go to "other passages" (label -1).
    random_state : int
        Of whatever is drawn.
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

    def _scores(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> FloatArray:
        scores = self.similarity.score_matrix(query, passages, embeddings)
        return check_scores(scores, len(passages))
