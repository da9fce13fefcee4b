import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering import base, kmeans
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.centres import centre_distances, centre_strengths, split_by_centre
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.similarity.cosine import CosineSimilarity

QUERY = Query("anything")


def cloud(n=60, k=3, seed=0, spread=0.4):
    rng = np.random.default_rng(seed)
    gold = np.arange(n) % k
    points = np.eye(8)[gold] + rng.normal(size=(n, 8)) * spread
    return points / np.linalg.norm(points, axis=1, keepdims=True), gold


@pytest.mark.parametrize("rows", [7, 4096])
def test_distances_against_a_loop(monkeypatch, rows):
    monkeypatch.setattr("subclust.grouping.clustering.centres._ROWS", rows)
    points, labels = cloud(20)
    measured = centre_distances(points, labels)
    for i, point in enumerate(points):
        for group in range(3):
            centre = np.mean([p for p, g in zip(points, labels, strict=True) if g == group], axis=0)
            assert measured[i, group] == pytest.approx(sum((point - centre) ** 2), abs=1e-12)


def test_strengths_against_a_loop():
    points, labels = cloud(20, spread=0.7)
    labels[labels == 2] = 1
    labels[0] = 2  # alone
    centres = [points[labels == group].mean(axis=0) for group in range(3)]
    measured = centre_strengths(points, labels)
    assert measured[0] == 0
    for i in range(1, 20):
        a, *others = [((points[i] - centres[labels[i]]) ** 2).sum()] + [
            ((points[i] - centres[group]) ** 2).sum() for group in range(3) if group != labels[i]
        ]
        b = min(others)
        assert measured[i] == pytest.approx((b - a) / max(a, b), abs=1e-6)
    assert measured.min() < -0.1 and measured.max() > 0.3


def test_strengths_in_one_group_are_higher_at_the_centre():
    points = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [3.0, 3.0]])
    strengths = centre_strengths(points, np.zeros(4, dtype=np.int64))
    assert strengths[3] < 0 < strengths[0]
    assert centre_strengths(points[:1], np.zeros(1, dtype=np.int64)).tolist() == [0]


def test_splitting_takes_the_farthest_of_the_largest_group():
    points = np.array([[0.0], [0.1], [0.2], [5.0], [9.0], [9.1]])
    labels = np.array([4, 4, 4, 4, 7, 7])
    assert split_by_centre(points, labels, 3).tolist() == [0, 0, 0, 2, 1, 1]
    assert split_by_centre(points, labels, 2).tolist() == [0, 0, 0, 0, 1, 1]
    assert len(set(split_by_centre(points, labels, 99).tolist())) == 6
    assert len(set(split_by_centre(np.zeros((5, 2)), np.zeros(5, dtype=int), 4).tolist())) == 4


@pytest.fixture
def few_pairs(monkeypatch):
    """Let 40 passages be many."""
    monkeypatch.setattr(base, "MAX_PAIRWISE", 40)
    monkeypatch.setattr(kmeans, "MAX_PAIRWISE", 40)


def fit(clusterer, points):
    texts = [f"text {i:03}" for i in range(len(points))]
    return clusterer.fit(texts, query=QUERY, embeddings=points.astype("f4"))


def test_k_means_finds_the_same_groups_without_pairs(few_pairs, monkeypatch):
    points, gold = cloud(60)
    many = fit(KMeansSubtopics(3, max_other=0.2), points)
    assert many.scores_ is None
    assert (many.n_clusters_, many.n_clusters_source_) == (3, "user")
    monkeypatch.setattr(kmeans, "MAX_PAIRWISE", 1000)
    with_pairs = fit(KMeansSubtopics(3), points)
    assert with_pairs.scores_.shape == (60, 60)
    np.testing.assert_array_equal(many.labels_, with_pairs.labels_)
    assert adjusted_rand_index(gold, many.labels_) > 0.5
    assert np.corrcoef(many.strengths_, with_pairs.strengths_)[0, 1] > 0.9


def test_k_means_gives_as_many_groups_as_asked_for_of_the_same_passage(few_pairs):
    fitted = fit(KMeansSubtopics(5), np.ones((50, 3)) / np.sqrt(3))
    assert fitted.n_clusters_ == 5 and len(fitted.labels_) == 50


def test_too_many_passages_are_refused_with_a_sentence(few_pairs):
    points, _ = cloud(60)
    with raises(InputError, n_passages=60, max_pairwise=40):
        fit(AgglomerativeSubtopics(CosineSimilarity(), 3), points)
    with raises(InputError, count=60, max_pairwise=40):
        fit(KMeansSubtopics("auto"), points)
    assert fit(AgglomerativeSubtopics(CosineSimilarity(), 3), points[:40]).n_clusters_ == 3
