import numpy as np
import pytest

from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics

TEXTS = [f"text {number:04d}" for number in range(60)]


class Space:
    """Places texts where they are; groups them in halves, or not at all."""

    n_clusters = 3

    def __init__(self, own=True):
        self.own = own

    def place(self, embeddings, random_state):
        points = np.asarray(embeddings, dtype=np.float64)
        labels = (points[:, 0] > 0).astype(np.int64)
        return points, labels if self.own else None


def vectors(n=60, groups=3):
    angles = 2 * np.pi * (np.arange(n) % groups) / groups
    noise = np.random.default_rng(0).normal(0, 0.05, (n, 2))
    return (np.column_stack([np.cos(angles), np.sin(angles)]) + noise).astype(np.float32)


def fit(space, n_clusters="auto", n=60, **options):
    texts = [f"text {number:04d}" for number in range(n)]
    clusterer = LearntSpaceSubtopics(space, n_clusters, **options)
    return clusterer.fit(texts, query=Query(""), embeddings=vectors(n))


def test_the_network_s_own_groups_are_taken_even_where_some_are_empty():
    found = fit(Space())
    assert found.n_clusters_source_ == "trained" and found.n_clusters_ == 2
    assert (found.labels_ == (vectors()[:, 0] <= 0)).all() or (
        found.labels_ == (vectors()[:, 0] > 0)
    ).all()


def test_the_number_trained_for_splits_what_is_empty_and_another_is_k_means():
    assert fit(Space(), 3).n_clusters_ == 3
    found = fit(Space(), 6)
    assert found.n_clusters_ == 6 and found.n_clusters_source_ == "user"


def test_without_groups_of_its_own_k_means_finds_them():
    found = fit(Space(own=False))
    assert [len(set(found.labels_[group::3])) for group in range(3)] == [1, 1, 1]
    assert found.strengths_.min() > 0.5


@pytest.mark.parametrize("many", [False, True])
def test_a_space_may_be_divided_by_its_graph_instead(monkeypatch, many):
    if many:
        monkeypatch.setattr("subclust.grouping.clustering.learnt_space.MAX_PAIRWISE", 50)
    texts = [f"text {number:04d}" for number in range(120)]
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rings = np.concatenate([ring, 4 * ring]).astype(np.float32)
    found = {}
    for division in ("kmeans", "spectral"):
        clusterer = LearntSpaceSubtopics(Space(own=False), 2, division=division)
        labels = clusterer.fit(texts, query=Query(""), embeddings=rings).labels_
        found[division] = [len(set(labels[:60])), len(set(labels[60:]))]
    assert found["spectral"] == [1, 1] != found["kmeans"]


def test_beyond_all_pairs_there_are_no_scores_but_strengths(monkeypatch):
    monkeypatch.setattr("subclust.grouping.clustering.learnt_space.MAX_PAIRWISE", 50)
    for asked, own, expected in (
        ("auto", True, 2),
        (3, True, 3),
        (5, False, 5),
        ("auto", False, 3),
    ):
        found = fit(Space(own), asked)
        assert found.scores_ is None and found.n_clusters_ == expected
        assert found.strengths_.shape == (60,)


def test_over_a_whole_collection_k_means_starts_more_often(monkeypatch):
    generator = np.random.default_rng(0)
    centres = generator.normal(size=(40, 20))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    points = np.repeat(centres, 20, axis=0) + 0.2 * generator.normal(size=(800, 20))
    stray = generator.random(800) < 0.1
    points[stray] = generator.normal(size=(stray.sum(), 20))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    texts = [f"text {number:04d}" for number in range(800)]

    def squares():
        clusterer = LearntSpaceSubtopics(Space(own=False), 40)
        labels = clusterer.fit(texts, query=Query(""), embeddings=points.astype(np.float32)).labels_
        groups = [points[labels == label] for label in np.unique(labels)]
        return sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups)

    seldom = squares()
    monkeypatch.setattr("subclust.grouping.clustering.learnt_space.MAX_PAIRWISE", 500)
    assert squares() < seldom - 1


def test_without_vectors_it_says_so():
    with pytest.raises(InputError):
        LearntSpaceSubtopics(Space()).fit(TEXTS, query=Query(""))
