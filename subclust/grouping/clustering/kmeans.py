"""k-means on the passages' embeddings."""

import warnings
from collections.abc import Sequence

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray, IntArray, Query
from subclust.grouping.clustering.base import (
    MAX_PAIRWISE,
    NumberOfClusters,
    SubtopicClusterer,
    check_scores,
)
from subclust.grouping.clustering.centres import (
    centre_strengths,
    split_by_centre,
    split_to,
    squared_distance_scores,
)
from subclust.grouping.clustering.cluster_count import ClusterCount, SilhouetteCount, decide
from subclust.grouping.clustering.strength import settle


class KMeansSubtopics(SubtopicClusterer):
    """Groups passages by k-means on their embeddings; the query changes nothing.

    The pair scores are minus the squared Euclidean distance, which k-means minimises within its
    groups; for normalised embeddings they rank pairs as the cosine does. Above `MAX_PAIRWISE`
    passages they are not computed: the number of groups must then be given, the strengths come from
    the groups' centres, and no passage is set aside, since none is nearer to another centre.

    Parameters
    ----------
    n_clusters : int or "auto"
        Exactly ``min(n_clusters, n_passages)`` groups, or chosen by `count`.
    count : ClusterCount, optional
        Rule for ``"auto"``, applied to the average-link tree of the pair scores; `SilhouetteCount`
        where none is given.
    max_other : float
        Largest share of passages, 0 to 1, that may go to "other passages" (label -1).
    random_state : int
        Of the starting points.
    """

    needs_pairs = False

    def __init__(
        self,
        n_clusters: NumberOfClusters = "auto",
        *,
        count: ClusterCount | None = None,
        max_other: float = 0.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(n_clusters, max_other=max_other, random_state=random_state)
        self.count = count

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        if embeddings is None:
            raise InputError("k-means needs the embeddings of the passages.")
        points = np.asarray(embeddings, dtype=np.float64)
        if len(points) > MAX_PAIRWISE:
            return self._fit_many(points)
        scores = check_scores(squared_distance_scores(points), len(passages))
        n_clusters, self.n_clusters_source_ = decide(
            self.n_clusters, self.count or SilhouetteCount(), scores
        )
        labels, strengths = settle(
            scores,
            split_to(kmeans_labels(points, n_clusters, self.random_state), n_clusters, scores),
            max_other=self.max_other,
            exact=self.n_clusters != "auto",
        )
        return labels, strengths, scores

    def _fit_many(self, points: Float64Array) -> tuple[IntArray, FloatArray, None]:
        if self.n_clusters == "auto":
            raise InputError(
                "k-means cannot choose the number of groups of {count:,} passages, since that "
                "takes all pairs of at most {max_pairwise:,}; give the number, or fewer passages.",
                count=len(points),
                max_pairwise=MAX_PAIRWISE,
            )
        n_clusters, self.n_clusters_source_ = int(self.n_clusters), "user"
        found = kmeans_labels(points, min(n_clusters, len(points)), self.random_state)
        labels = split_by_centre(points, found, n_clusters)
        return labels, centre_strengths(points, labels), None


def kmeans_labels(
    points: Float64Array, n_clusters: int, random_state: int, n_init: int = 10
) -> IntArray:
    """Run k-means from several starts and keep the one that ends nearest to its centres.

    Parameters
    ----------
    points : ndarray of shape (n_passages, n_dimensions)
    n_clusters : int
        At most n_passages.
    random_state : int
    n_init : int
        Starts.

    Returns
    -------
    ndarray of shape (n_passages,)
        At most `n_clusters` different labels; fewer where points coincide.
    """
    model = KMeans(n_clusters=n_clusters, n_init=n_init, random_state=random_state)
    with warnings.catch_warnings():
        # It warns of coinciding points, for which the caller makes up.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit_predict(points), dtype=np.int64)
