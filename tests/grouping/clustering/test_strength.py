import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples

from subclust.grouping.clustering.strength import other_passages, passage_strengths, settle


def case(n=30, k=4, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, n)) * 3
    labels = rng.integers(0, k, size=n)
    scores = scores + scores.T + 4.0 * (labels[:, None] == labels[None, :])
    return scores.astype(dtype), labels


def slow_strengths(scores, labels):
    n = len(labels)
    top = max(scores[i, j] for i in range(n) for j in range(n) if i != j)

    def mean_distance(i, group):
        members = [j for j in range(n) if labels[j] == group and j != i]
        return sum(top - float(scores[i, j]) for j in members) / len(members)

    result = []
    for i in range(n):
        if list(labels).count(labels[i]) == 1:
            result.append(0.0)
            continue
        a = mean_distance(i, labels[i])
        b = min(mean_distance(i, group) for group in set(labels.tolist()) - {labels[i]})
        result.append((b - a) / max(a, b))
    return result


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_strength_is_the_silhouette(dtype):
    scores, labels = case(dtype=dtype)
    labels[5] = 9
    strengths = passage_strengths(scores, labels)
    np.testing.assert_allclose(strengths, slow_strengths(scores, labels), atol=1e-5)
    distances = scores[~np.eye(30, dtype=bool)].max() - scores
    np.fill_diagonal(distances, 0)
    np.testing.assert_allclose(
        strengths, silhouette_samples(distances, labels, metric="precomputed"), atol=1e-5
    )
    assert strengths[5] == 0.0
    assert strengths.min() < 0 < strengths.max()


@given(st.integers(1, 20), st.integers(1, 6), st.integers(0, 10**6))
def test_strengths_stay_within_bounds_on_any_scale(n, k, seed):
    scores, labels = case(n, k, seed, np.float64)
    strengths = passage_strengths(scores, labels)
    assert (np.abs(strengths) <= 1.0).all()
    np.testing.assert_allclose(passage_strengths(scores * 70 - 1234, labels), strengths, atol=1e-5)


def test_one_group_ranks_central_passages_above_remote_ones():
    positions = np.array([0.0, 1.0, 2.0, 3.0, 50.0])
    scores = -np.abs(positions[:, None] - positions[None, :])
    strengths = passage_strengths(scores, np.zeros(5, dtype=np.int64))
    assert strengths.argmin() == 4
    assert strengths[4] < 0 < strengths[2]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_identical_passages_have_no_strength(n):
    scores = np.full((n, n), 3.5)
    for labels in (np.zeros(n, dtype=np.int64), np.arange(n) % 2):
        np.testing.assert_array_equal(passage_strengths(scores, labels), np.zeros(n))


@given(
    st.integers(1, 25),
    st.integers(1, 30),
    st.integers(0, 10**6),
    st.floats(0, 1),
    st.booleans(),
)
def test_other_passages_keep_their_bounds(n, k, seed, max_other, exact):
    scores, labels = case(n, k, seed)
    strengths = passage_strengths(scores, labels)
    final = other_passages(scores, labels, max_other=max_other, exact=exact)
    gone = final == -1
    assert gone.sum() <= math.floor(max_other * n)
    assert not gone.all()
    np.testing.assert_array_equal(final[~gone], labels[~gone])
    sizes = np.bincount(labels)
    for i in np.flatnonzero(gone):
        assert strengths[i] < 0 or (sizes[labels[i]] == 1 and not exact)
    if exact:
        assert set(final[~gone].tolist()) == set(labels.tolist())


def test_the_weakest_and_the_lonely_go_first():
    scores, labels = case(40, 3, dtype=np.float64)
    labels[7] = 9
    strengths = passage_strengths(scores, labels)
    assert (strengths < 0).sum() > 2
    final = other_passages(scores, labels, max_other=0.05, exact=False)
    assert set(np.flatnonzero(final == -1).tolist()) == {7, int(strengths.argmin())}
    exact = other_passages(scores, labels, max_other=0.05, exact=True)
    assert set(np.flatnonzero(exact == -1).tolist()) == set(np.argsort(strengths)[:2].tolist())


def test_nothing_is_set_aside_unless_allowed_or_where_all_are_alone():
    scores, labels = case()
    np.testing.assert_array_equal(
        other_passages(scores, labels, max_other=0.03, exact=False), labels
    )
    alone = np.arange(30)
    np.testing.assert_array_equal(other_passages(scores, alone, max_other=1, exact=False), alone)


def test_strengths_after_setting_aside_are_measured_among_those_who_stay():
    scores, labels = case(40, 3)
    final, strengths = settle(scores, labels, max_other=0.1, exact=True)
    kept = final >= 0
    assert 0 < (~kept).sum() <= 4
    np.testing.assert_array_equal(
        strengths[kept], passage_strengths(scores[np.ix_(kept, kept)], final[kept])
    )
    assert (strengths[~kept] < 0).all()
