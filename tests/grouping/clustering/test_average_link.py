import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.grouping.clustering.average_link import (
    average_link,
    closest_score,
    cut_at,
    cut_to,
    merge_scores,
    score_distances,
)


def random_scores(n, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, size=(n, n)) if ties else rng.normal(size=(n, n)) * 50 - 7
    return ((scores + scores.T) / 2).astype(np.float32)


def slow_cut(scores, n_clusters):
    """Average link as anybody would write it: merge the closest two groups, over and over."""
    scores = scores.astype(np.float64)
    groups = [[i] for i in range(len(scores))]
    while len(groups) > n_clusters:
        _, a, b = max(
            (np.mean([scores[i, j] for i in groups[a] for j in groups[b]]), a, b)
            for a in range(len(groups))
            for b in range(a)
        )
        groups[b] += groups.pop(a)
    return {frozenset(group) for group in groups}


def as_sets(labels):
    return {frozenset(np.flatnonzero(labels == group).tolist()) for group in set(labels.tolist())}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_cut_is_the_slow_one(dtype):
    scores = random_scores(14).astype(dtype)
    tree = average_link(scores)
    for k in range(1, 15):
        assert as_sets(cut_to(tree, k)) == slow_cut(scores, k)


@given(st.integers(1, 25), st.integers(1, 40), st.integers(0, 10**6), st.booleans())
def test_a_cut_has_exactly_the_groups_asked_for(n, k, seed, ties):
    labels = cut_to(average_link(random_scores(n, seed, ties)), k)
    assert labels.shape == (n,)
    assert set(labels.tolist()) == set(range(min(k, n)))


@pytest.mark.parametrize("n", [1, 2, 3, 10, 500])
def test_identical_passages_are_cut_exactly(n):
    tree = average_link(np.ones((n, n), dtype=np.float32))
    for k in {1, 2, 3, n // 2 + 1, n}:
        assert len(set(cut_to(tree, k).tolist())) == min(k, n)


def test_coarser_cuts_join_groups_of_finer_ones():
    tree = average_link(random_scores(30, ties=True))
    for k in range(1, 30):
        coarse, fine = cut_to(tree, k), cut_to(tree, k + 1)
        for group in as_sets(fine):
            assert any(group <= larger for larger in as_sets(coarse))


def test_merge_scores_fall_on_the_scale_of_the_scores():
    scores = random_scores(20)
    merges = merge_scores(average_link(scores), scores)
    assert (np.diff(merges) <= 1e-9).all()
    assert merges[0] == pytest.approx(closest_score(scores))


def test_threshold_separates_merges_above_and_below_it():
    scores = random_scores(15)
    tree = average_link(scores)
    merges = merge_scores(tree, scores)
    for i in range(14):
        between = (merges[i] + merges[i - 1]) / 2 if i else merges[0] + 1
        assert as_sets(cut_at(tree, scores, between)) == as_sets(cut_to(tree, 15 - i))
    assert len(set(cut_at(tree, scores, -np.inf).tolist())) == 1
    assert len(set(cut_at(tree, scores, np.inf).tolist())) == 15


def test_the_diagonal_is_not_read():
    scores = random_scores(12)
    other = scores.copy()
    np.fill_diagonal(other, 1e6)
    np.testing.assert_array_equal(average_link(scores), average_link(other))
    np.testing.assert_array_equal(score_distances(scores), score_distances(other))
    assert score_distances(scores).min() == 0.0


def test_two_plain_groups_are_found():
    scores = np.full((6, 6), -100.0, dtype=np.float32)
    scores[:3, :3] = scores[3:, 3:] = -1.0
    assert as_sets(cut_to(average_link(scores), 2)) == {
        frozenset({0, 1, 2}),
        frozenset({3, 4, 5}),
    }
