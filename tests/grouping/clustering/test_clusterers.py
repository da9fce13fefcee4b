"""The contract of every clusterer here, then what each adds."""

import math

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Passage, Query
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.clustering.centres import split_to
from subclust.grouping.clustering.kmeans import KMeansSubtopics
from subclust.grouping.clustering.spectral import SpectralSubtopics, affinities
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.grouping.similarity.cosine import (
    CentredCosineSimilarity,
    CosineSimilarity,
    EuclideanSimilarity,
)

QUERY = Query("rivers of Europe")


class GivenScores:
    """Scores kept by text, so that they follow passages into any order."""

    def __init__(self, passages, scores):
        self.position = {text: i for i, text in enumerate(passages)}
        self.scores = scores

    def score_matrix(self, query, passages, embeddings=None):
        at = [self.position[text] for text in passages]
        return self.scores[np.ix_(at, at)]


def agglomerative(n_clusters="auto", **options):
    return AgglomerativeSubtopics(CentredCosineSimilarity(), n_clusters, **options)


def euclidean(n_clusters="auto", **options):
    return AgglomerativeSubtopics(EuclideanSimilarity(), n_clusters, **options)


def spectral(n_clusters="auto", **options):
    return SpectralSubtopics(CosineSimilarity(), n_clusters, **options)


EVERY = pytest.mark.parametrize("make", [agglomerative, euclidean, spectral, KMeansSubtopics])


def passages_and_vectors(n, n_groups=4, seed=0, dim=24):
    rng = np.random.default_rng(seed)
    gold = rng.permutation(np.arange(n) % n_groups)
    vectors = np.eye(dim)[gold] * 2 + rng.normal(size=(n, dim)) * 0.4 + 1
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [f"passage {i} {rng.integers(10**6)}" for i in range(n)]
    return texts, vectors.astype(np.float32), gold


def same_groups(first, second):
    return len(set(zip(first, second, strict=True))) == len(set(first)) == len(set(second))


@EVERY
@pytest.mark.parametrize("n", [1, 2, 3, 10, 500])
@pytest.mark.parametrize("n_clusters", ["auto", 1, 2, 7, np.int64(3)])
def test_shapes_ranges_and_exact_k(make, n, n_clusters):
    texts, vectors, _ = passages_and_vectors(n)
    clusterer = make(n_clusters).fit(texts, query=QUERY, embeddings=vectors)
    assert clusterer.labels_.shape == clusterer.strengths_.shape == (n,)
    assert clusterer.scores_.shape == (n, n)
    np.testing.assert_array_equal(clusterer.scores_, clusterer.scores_.T)
    assert np.isfinite(clusterer.strengths_).all() and (abs(clusterer.strengths_) <= 1).all()
    assert set(clusterer.labels_.tolist()) == set(range(clusterer.n_clusters_))
    if n_clusters == "auto":
        assert clusterer.n_clusters_source_ == "silhouette"
    else:
        assert clusterer.n_clusters_ == min(n_clusters, n)
        assert clusterer.n_clusters_source_ == "user"
    sizes = np.bincount(clusterer.labels_)
    assert (np.diff(sizes) <= 0).all()


@EVERY
@pytest.mark.parametrize("n_clusters", ["auto", 6])
@pytest.mark.parametrize("max_other", [0.0, 0.2])
def test_order_of_passages_does_not_matter(make, n_clusters, max_other):
    texts, vectors, _ = passages_and_vectors(60)
    shuffle = np.random.default_rng(5).permutation(60)
    clusterer = make(n_clusters, max_other=max_other)
    plain = clusterer.fit(texts, query=QUERY, embeddings=vectors)
    labels, strengths, scores = plain.labels_, plain.strengths_, plain.scores_
    clusterer.fit([texts[i] for i in shuffle], query=QUERY, embeddings=vectors[shuffle])
    np.testing.assert_array_equal(clusterer.labels_, labels[shuffle])
    np.testing.assert_array_equal(clusterer.strengths_, strengths[shuffle])
    np.testing.assert_array_equal(clusterer.scores_, scores[np.ix_(shuffle, shuffle)])


@EVERY
@pytest.mark.parametrize("n", [2, 3, 12])
def test_identical_passages_are_split_exactly_or_kept_together(make, n):
    vectors = np.repeat(np.eye(8, dtype=np.float32)[:1], n, axis=0)
    texts = ["the very same text"] * n
    for k in range(1, n + 2):
        clusterer = make(k).fit(texts, query=QUERY, embeddings=vectors)
        assert clusterer.n_clusters_ == min(k, n)
    assert make("auto").fit(texts, query=QUERY, embeddings=vectors).n_clusters_ == 1


@EVERY
def test_copies_do_not_break_exact_k(make):
    texts, vectors, _ = passages_and_vectors(8)
    texts, vectors = texts[:3] * 10, np.tile(vectors[:3], (10, 1))
    for k in (2, 3, 5, 30):
        clusterer = make(k).fit(texts, query=QUERY, embeddings=vectors)
        assert clusterer.n_clusters_ == k
    three = make(3).fit(texts, query=QUERY, embeddings=vectors)
    assert same_groups(three.labels_.tolist(), texts)


@EVERY
def test_plain_groups_are_found_with_and_without_their_number(make):
    texts, vectors, gold = passages_and_vectors(80)
    for n_clusters in (4, "auto"):
        clusterer = make(n_clusters).fit(texts, query=QUERY, embeddings=vectors)
        assert same_groups(clusterer.labels_.tolist(), gold.tolist())
        assert clusterer.strengths_.min() > 0


@EVERY
@pytest.mark.parametrize("max_other", [0.0, 0.01, 0.05, 0.3, 1.0])
@pytest.mark.parametrize("n_clusters", ["auto", 5, 40])
def test_other_passages_never_exceed_what_is_allowed(make, max_other, n_clusters):
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(40, 6)).astype(np.float32)
    texts = [f"noise {i}" for i in range(40)]
    clusterer = make(n_clusters, max_other=max_other)
    clusterer.fit(texts, query=QUERY, embeddings=vectors)
    n_other = int((clusterer.labels_ == -1).sum())
    assert n_other <= math.floor(max_other * 40)
    assert clusterer.n_clusters_ >= 1
    if n_clusters != "auto":
        assert clusterer.n_clusters_ == n_clusters


@EVERY
def test_fit_again_forgets_and_repeats(make):
    texts, vectors, _ = passages_and_vectors(25)
    clusterer = make(3)
    first = clusterer.fit(texts, query=QUERY, embeddings=vectors).labels_.copy()
    clusterer.fit(texts[:4], query=QUERY, embeddings=vectors[:4])
    assert clusterer.labels_.shape == (4,)
    again = clusterer.fit(texts, query=QUERY, embeddings=vectors)
    assert again is clusterer
    np.testing.assert_array_equal(again.labels_, first)


@EVERY
@pytest.mark.parametrize("wrong", [0, -1, 2.0, "many", True])
def test_a_wrong_number_of_groups_is_refused(make, wrong):
    texts, vectors, _ = passages_and_vectors(3)
    with raises(InputError, count=wrong):
        make(wrong).fit(texts, query=QUERY, embeddings=vectors)


@EVERY
def test_what_is_no_text_no_query_and_no_number_is_refused(make):
    passages, vectors, _ = passages_and_vectors(6)
    for wrong in (
        {"passages": [Passage("1", "a")] * 6},
        {"query": "rivers"},
        {"embeddings": np.where(np.arange(6)[:, None] == 2, np.nan, vectors)},
        {"embeddings": np.where(np.arange(6)[:, None] == 2, np.inf, vectors)},
    ):
        with raises(InputError):
            make(2).fit(**{"passages": passages, "embeddings": vectors, **wrong})
    for wrong in (-1, None, 1.5):
        with raises(InputError):
            make(2, random_state=wrong).fit(passages, embeddings=vectors)
    lists = make(2).fit(passages, embeddings=vectors.tolist())
    assert (lists.labels_ == make(2).fit(passages, embeddings=vectors).labels_).all()


@EVERY
def test_missing_embeddings_are_refused(make):
    with pytest.raises(InputError):
        make(2).fit(["a", "b"], query=QUERY)


def test_the_tree_of_the_scores_is_what_is_cut():
    rng = np.random.default_rng(0)
    texts = [f"{i:02}" for i in range(30)]
    scores = rng.normal(size=(30, 30)) * 80
    scores = (scores + scores.T).astype(np.float32)
    clusterer = AgglomerativeSubtopics(GivenScores(texts, scores), 6).fit(texts, query=QUERY)
    assert same_groups(clusterer.labels_.tolist(), cut_to(average_link(scores), 6).tolist())
    np.testing.assert_array_equal(clusterer.scores_, scores)


@pytest.mark.parametrize("make", [AgglomerativeSubtopics, SpectralSubtopics])
def test_exact_k_under_ties(make):
    rng = np.random.default_rng(0)
    texts = [f"{i:02}" for i in range(40)]
    scores = rng.integers(0, 2, size=(40, 40)).astype(np.float32)
    scores = np.maximum(scores, scores.T)
    for k in range(1, 41):
        assert make(GivenScores(texts, scores), k).fit(texts, query=QUERY).n_clusters_ == k


@pytest.mark.parametrize("make", [AgglomerativeSubtopics, SpectralSubtopics])
@pytest.mark.parametrize("shift, scale", [(-500.0, 1.0), (3.0, 100.0)])
def test_scale_of_the_scores_does_not_matter(make, shift, scale):
    texts, vectors, gold = passages_and_vectors(50)
    scores = CentredCosineSimilarity().score_matrix(QUERY, texts, vectors)
    clusterer = make(GivenScores(texts, scores * scale + shift)).fit(texts, query=QUERY)
    assert same_groups(clusterer.labels_.tolist(), gold.tolist())


def test_the_rule_is_asked_only_when_the_number_is_automatic():
    texts, vectors, _ = passages_and_vectors(30)
    rule = ThresholdCount(2.0)
    automatic = agglomerative(count=rule).fit(texts, query=QUERY, embeddings=vectors)
    assert (automatic.n_clusters_, automatic.n_clusters_source_) == (30, "threshold")
    asked = agglomerative(2, count=rule).fit(texts, query=QUERY, embeddings=vectors)
    assert (asked.n_clusters_, asked.n_clusters_source_) == (2, "user")


@pytest.mark.parametrize("make", [AgglomerativeSubtopics, SpectralSubtopics])
@pytest.mark.parametrize(
    ("scores", "values"),
    [(np.full((2, 2), np.nan), {}), (np.zeros((3, 3)), {"n_passages": 2, "shape": "(3, 3)"})],
)
def test_unusable_scores_are_refused(make, scores, values):
    class Broken:
        def score_matrix(self, query, passages, embeddings=None):
            return scores

    with raises(InputError, **values):
        make(Broken(), 1).fit(["a", "b"], query=QUERY)


def test_affinities_are_weights_of_a_graph():
    scores = np.array([[9, -4, 2], [-4, 9, 6], [2, 6, 9]], dtype=np.float32)
    np.testing.assert_allclose(affinities(scores), [[0, 0, 0.6], [0, 0, 1], [0.6, 1, 0]])


def test_split_gives_up_the_most_remote_passage_of_the_largest_group():
    scores = -np.abs(np.subtract.outer([0, 1, 2, 90, 5, 6], [0, 1, 2, 90, 5, 6])).astype(float)
    labels = split_to(np.array([4, 4, 4, 4, 8, 8]), 3, scores)
    assert same_groups(labels.tolist(), [0, 0, 0, 2, 1, 1])
    assert len(set(split_to(labels, 10, scores).tolist())) == 6
