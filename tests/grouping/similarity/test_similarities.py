"""What every similarity promises, then each one's formula against a slow obvious loop."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Query
from subclust.core.records.stop_words import ENGLISH_STOP_WORDS
from subclust.grouping.similarity.base import PairSimilarity
from subclust.grouping.similarity.cosine import (
    CentredCosineSimilarity,
    CosineSimilarity,
    EuclideanSimilarity,
)
from subclust.grouping.similarity.tfidf import JaccardSimilarity, TfidfSimilarity
from subclust.grouping.similarity.topic_model import TopicModelSimilarity

QUERY = Query("rivers of Europe")
WORDS = "river bank water boat fish money loan credit bridge stone".split()
ALL = [
    CosineSimilarity(),
    CentredCosineSimilarity(),
    EuclideanSimilarity(),
    JaccardSimilarity(),
    TfidfSimilarity(),
    TfidfSimilarity("english", sublinear=True),
    TopicModelSimilarity(np.random.default_rng(0).gamma(0.5, size=(6, 10)) + 0.1, WORDS, 0.2),
]
FROM_VECTORS = [s for s in ALL if s.needs_embeddings]
FROM_WORDS = [s for s in ALL if not s.needs_embeddings]


def name(similarity: PairSimilarity) -> str:
    return type(similarity).__name__


def passages_and_vectors(n, seed=0, dim=16, dtype=np.float32):
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, size=12)) + f" word{i}" for i in range(n)]
    vectors = rng.normal(size=(n, dim)) + 1.0
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return texts, vectors.astype(dtype)


@pytest.mark.parametrize("similarity", ALL, ids=name)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 500])
def test_matrix_is_float32_symmetric_and_finite(similarity, n):
    texts, vectors = passages_and_vectors(n)
    scores = similarity.score_matrix(QUERY, texts, vectors)
    assert scores.shape == (n, n)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scores, scores.T)


@pytest.mark.parametrize("similarity", ALL, ids=name)
def test_order_of_passages_does_not_matter(similarity):
    texts, vectors = passages_and_vectors(30)
    shuffle = np.random.default_rng(1).permutation(30)
    scores = similarity.score_matrix(QUERY, texts, vectors)
    shuffled = similarity.score_matrix(QUERY, [texts[i] for i in shuffle], vectors[shuffle])
    np.testing.assert_allclose(shuffled, scores[np.ix_(shuffle, shuffle)], atol=1e-6)


@pytest.mark.parametrize("similarity", ALL, ids=name)
def test_identical_passages_are_all_equally_close(similarity):
    _, vectors = passages_and_vectors(1, seed=4, dim=384)
    scores = similarity.score_matrix(QUERY, ["the same words"] * 7, np.repeat(vectors, 7, axis=0))
    np.testing.assert_array_equal(scores, np.full((7, 7), scores[0, 1]))


@pytest.mark.parametrize("similarity", ALL, ids=name)
def test_a_copy_is_the_closest_passage(similarity):
    texts, vectors = passages_and_vectors(20)
    scores = similarity.score_matrix(QUERY, [*texts, texts[3]], np.vstack([vectors, vectors[3:4]]))
    others = np.delete(scores[3], [3, 20])
    assert scores[3, 20] > others.max()


@pytest.mark.parametrize("similarity", FROM_VECTORS, ids=name)
def test_missing_or_ill_fitting_embeddings_are_refused(similarity):
    texts, vectors = passages_and_vectors(4)
    with raises(InputError, kind=name(similarity)):
        similarity.score_matrix(QUERY, texts)
    with raises(InputError, count=4, shape="(3, 16)"):
        similarity.score_matrix(QUERY, texts, vectors[:3])


@pytest.mark.parametrize("similarity", FROM_VECTORS, ids=name)
def test_zero_vectors_give_finite_scores(similarity):
    scores = similarity.score_matrix(QUERY, ["a", "b", "c"], np.zeros((3, 5), dtype=np.float32))
    np.testing.assert_array_equal(scores, np.zeros((3, 3)))


@pytest.mark.parametrize("similarity", FROM_WORDS, ids=name)
@pytest.mark.parametrize("texts", [["", ""], ["?", "!!", "..."], ["", "river bank", ""]])
def test_passages_without_words_score_zero(similarity, texts):
    scores = similarity.score_matrix(QUERY, texts)
    silent = [i for i, text in enumerate(texts) if not re.search(r"\w", text)]
    assert not scores[silent].any()


def cosine(a, b):
    return float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_vector_formulas(dtype):
    texts, vectors = passages_and_vectors(12, dtype=dtype)
    plain = CosineSimilarity().score_matrix(QUERY, texts, vectors)
    centred = CentredCosineSimilarity().score_matrix(QUERY, texts, vectors)
    euclid = EuclideanSimilarity().score_matrix(QUERY, texts, vectors)
    exact = vectors.astype(np.float64)
    mean = sum(exact) / len(exact)
    for i in range(12):
        for j in range(12):
            assert plain[i, j] == pytest.approx(cosine(exact[i], exact[j]), abs=1e-6)
            assert centred[i, j] == pytest.approx(
                cosine(exact[i] - mean, exact[j] - mean), abs=1e-6
            )
            assert euclid[i, j] == pytest.approx(-math.dist(exact[i], exact[j]), abs=1e-6)
    assert plain.std() > 0.05 and euclid.std() > 0.05
    assert not np.allclose(plain, centred, atol=0.1)


def test_centring_cannot_turn_rounding_noise_into_directions():
    rng = np.random.default_rng(0)
    base = rng.normal(size=384)
    base /= np.linalg.norm(base)
    nearly = (base + rng.normal(size=(5, 384)) * 1e-9).astype(np.float64)
    scores = CentredCosineSimilarity().score_matrix(QUERY, list("abcde"), nearly)
    np.testing.assert_array_equal(scores, np.zeros((5, 5)))


def test_jaccard_formula():
    texts, _ = passages_and_vectors(15)
    texts[0] = texts[0].upper()
    scores = JaccardSimilarity().score_matrix(QUERY, texts)
    sets = [set(text.lower().split()) for text in texts]
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            assert scores[i, j] == pytest.approx(len(a & b) / len(a | b))
    assert scores.std() > 0.05


def test_tfidf_formula():
    texts, _ = passages_and_vectors(9)
    scores = TfidfSimilarity().score_matrix(QUERY, texts)
    bags = [text.split() for text in texts]
    vocabulary = sorted({word for bag in bags for word in bag})

    def vector(bag):
        return np.array(
            [
                bag.count(word)
                * (math.log((1 + len(bags)) / (1 + sum(word in b for b in bags))) + 1)
                for word in vocabulary
            ]
        )

    for i, a in enumerate(bags):
        for j, b in enumerate(bags):
            assert scores[i, j] == pytest.approx(cosine(vector(a), vector(b)), abs=1e-6)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=6))
@pytest.mark.parametrize("similarity", FROM_WORDS, ids=name)
def test_any_text_gives_scores_between_0_and_1(similarity, texts):
    scores = similarity.score_matrix(QUERY, texts)
    assert np.isfinite(scores).all()
    assert scores.min() >= 0.0
    assert scores.max() <= 1.0 + 1e-6


@pytest.mark.parametrize("sublinear", [False, True])
@pytest.mark.parametrize("stop_words", [None, "english"])
def test_tfidf_is_that_of_scikit_learn(stop_words, sublinear):
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["Taxes on tea, tea and TEA.", "The fleet's tea was taxed in 1773", "", "a b c", "sea"]
    vectorizer = TfidfVectorizer(stop_words=stop_words, sublinear_tf=sublinear)
    expected = vectorizer.fit_transform(texts)
    found = TfidfSimilarity(stop_words, sublinear=sublinear).score_matrix(QUERY, texts)
    np.testing.assert_allclose(found, (expected @ expected.T).toarray(), atol=1e-6)


def test_the_stop_words_are_those_of_scikit_learn():
    from sklearn.feature_extraction import text

    assert ENGLISH_STOP_WORDS == text.ENGLISH_STOP_WORDS
