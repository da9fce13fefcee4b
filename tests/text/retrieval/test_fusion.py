import numpy as np
import pytest
from scipy import sparse

from subclust.text.retrieval.fusion import (
    MEANING,
    NEIGHBOURS,
    SHARE_OF_NEIGHBOURS,
    _most_alike,
    fuse,
)


def hits(n_hits, seed=0):
    random = np.random.default_rng(seed)
    embeddings = random.normal(size=(n_hits, 6)).astype(np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    words = random.random((n_hits, 9)) * (random.random((n_hits, 9)) < 0.4)
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-9)
    return random.random(n_hits) * 9, random.normal(size=n_hits) / 9, embeddings, words


@pytest.mark.parametrize("n_hits", [4, 12, 40, 700])
def test_against_the_slow_obvious_loop(n_hits):
    bm25, cosines, embeddings, words = hits(n_hits)
    own = MEANING * (cosines - cosines.mean()) / cosines.std()
    own += (1 - MEANING) * (bm25 - bm25.mean()) / bm25.std()
    expected = (1 - 2 * SHARE_OF_NEIGHBOURS) * own
    for vectors in (embeddings, words):
        for hit in range(n_hits):
            likeness = {other: vectors[hit] @ vectors[other] for other in range(n_hits)}
            del likeness[hit]
            near = sorted(likeness, key=lambda other: -likeness[other])[
                : min(NEIGHBOURS, n_hits // 5)
            ]
            weights = [max(likeness[other], 0) ** 3 for other in near]
            if sum(weights):
                mean = np.dot(weights, own[near]) / sum(weights)
            else:
                mean = own[hit]
            expected[hit] += SHARE_OF_NEIGHBOURS * mean
    found = fuse(bm25, cosines, embeddings, sparse.csr_matrix(words))
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert expected.std() > 0.2


@pytest.mark.parametrize("steps", [3, 10_000])
def test_of_equal_values_the_first_are_the_most_alike(steps):
    likeness = np.round(np.random.default_rng(1).random((30, 40)) * steps) / steps
    expected = np.argsort(-likeness, axis=1, kind="stable")[:, :8]
    np.testing.assert_array_equal(_most_alike(likeness, 8), np.sort(expected))


def test_a_hit_like_good_ones_goes_before_one_like_bad_ones():
    good, bad = np.eye(4, dtype=np.float32)[:2]
    embeddings = np.array([good] * 5 + [bad] * 5)
    cosines = np.array([0.9, 0.8, 0.9, 0.8, 0.5, 0.5, 0.1, 0.2, 0.1, 0.2])
    nothing = sparse.csr_matrix((10, 3))
    scores = fuse(np.zeros(10), cosines, embeddings, nothing)
    assert scores[4] > scores[5] + 0.1


def test_two_hits_are_in_the_order_of_their_own_scores():
    alike = np.ones((2, 1), np.float32)
    scores = fuse(np.array([2.0, 1.0]), np.array([0.4, 0.3]), alike, sparse.csr_matrix(alike))
    assert scores[0] > 0 > scores[1]


def test_one_hit_and_hits_that_score_the_same():
    assert fuse(np.ones(1), np.ones(1), np.ones((1, 2), np.float32), sparse.csr_matrix((1, 1))) == 0
    same = fuse(np.ones(3), np.ones(3), np.eye(3, dtype=np.float32), sparse.csr_matrix((3, 1)))
    np.testing.assert_array_equal(same, 0)
