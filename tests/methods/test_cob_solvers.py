import time

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from test_cob_blackbox import slow_average_link

from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.similarity.cosine import EuclideanSimilarity
from subclust.methods.cob.blackbox import AverageLink, ByClusterer, points_of


def points(n, dim=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n, dim))


@pytest.mark.parametrize("n_clusters", [1, 2, 5, 11, 12])
def test_average_link_is_that_of_a_slow_loop(n_clusters):
    distances = cdist(points(12), points(12))
    found = AverageLink().labels([distances], [n_clusters])[0]
    assert len(set(found)) == n_clusters
    assert adjusted_rand_index(slow_average_link(distances, n_clusters), found) == 1


def test_classical_scaling_gives_points_of_these_distances():
    given = points(9)
    distances = cdist(given, given)
    found = points_of(distances)
    np.testing.assert_allclose(cdist(found, found), distances, atol=1e-5)


@pytest.mark.parametrize(
    "clusterer", [KMeansSubtopics(), AgglomerativeSubtopics(EuclideanSimilarity())]
)
def test_a_clusterer_groups_in_the_order_of_the_distances(clusterer):
    truth = np.array([2, 0, 1, 0, 2, 1, 1, 0, 2, 0])
    given = np.eye(5)[truth] * 8 + points(10) * 0.3
    found = ByClusterer(clusterer).labels([cdist(given, given)], [3])[0]
    assert adjusted_rand_index(truth, found) == 1


def test_average_link_of_the_layer_is_that_of_the_clusterer():
    given = points(20, seed=3)
    distances = cdist(given, given)
    by_clusterer = ByClusterer(AgglomerativeSubtopics(EuclideanSimilarity()))
    for count in (2, 4, 9):
        one, other = (s.labels([distances], [count])[0] for s in (AverageLink(), by_clusterer))
        assert adjusted_rand_index(one, other) == 1


def test_clustering_fifty_passages_takes_far_less_than_encoding_them():
    given = points(50, 8)
    distances = cdist(given, given)
    started = time.perf_counter()
    for _ in range(20):
        AverageLink().labels([distances], [18])
    # A training step over 50 passages takes at least 0.4 s where the encoder learns.
    assert (time.perf_counter() - started) / 20 < 0.02
