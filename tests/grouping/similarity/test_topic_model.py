import math

import numpy as np
import pytest
from scipy.special import digamma
from scipy.stats import dirichlet
from sklearn.decomposition import LatentDirichletAllocation

from subclust.core.records import Query
from subclust.grouping.similarity.topic_model import (
    TopicModelSimilarity,
    expected_weights,
    infer_topics,
    jensen_shannon,
    word_counter,
)

WORDS = sorted("river bank water boat fish money loan credit bridge stone".split())
QUERY = Query("banks")


@pytest.fixture(scope="module")
def table():
    return np.random.default_rng(0).gamma(0.5, 20.0, size=(4, len(WORDS))) + 0.05


@pytest.fixture(scope="module")
def texts():
    generator = np.random.default_rng(1)
    return [" ".join(generator.choice(WORDS, size=size)) for size in (1, 2, 5, 20, 60)]


def test_topics_are_those_of_scikit_learn(table, texts):
    counts = word_counter(WORDS).transform(texts)
    model = LatentDirichletAllocation(n_components=4, doc_topic_prior=0.3, random_state=0)
    model.partial_fit(counts)
    model.components_ = table
    model.exp_dirichlet_component_ = expected_weights(table)
    expected = model.transform(counts)
    topics = infer_topics(counts, expected_weights(table), prior=0.3)
    np.testing.assert_allclose(topics, expected, atol=1e-9)
    np.testing.assert_allclose(topics.sum(axis=1), 1)
    # Not degenerate: the passages differ, and some have one topic and some several.
    assert topics.std(axis=0).min() > 0.03
    assert topics.max(axis=1).max() > 0.75 and topics.max(axis=1).min() < 0.6


def test_one_update_is_its_formula_word_by_word(table, monkeypatch):
    monkeypatch.setattr("subclust.grouping.similarity.topic_model.MAX_UPDATES", 1)
    counts = word_counter(WORDS).transform(["boat boat money"])
    weights = expected_weights(table)
    t = [math.exp(digamma(1.0) - digamma(4.0))] * 4
    gamma = []
    for k in range(4):
        total = 0.2
        for word, times in (("boat", 2), ("money", 1)):
            w = WORDS.index(word)
            total += times * t[k] * weights[k, w] / sum(t[j] * weights[j, w] for j in range(4))
        gamma.append(total)
    np.testing.assert_allclose(
        infer_topics(counts, weights, 0.2)[0], np.array(gamma) / sum(gamma), rtol=1e-12
    )


def test_expected_weights_are_those_of_a_dirichlet(table):
    drawn = dirichlet(table[0]).rvs(20000, random_state=0)
    np.testing.assert_allclose(
        expected_weights(table)[0], np.exp(np.log(drawn).mean(axis=0)), rtol=0.1
    )


def slow_divergence(p, q):
    bits = 0.0
    for a, b in zip(p, q, strict=True):
        m = (a + b) / 2
        bits += 0.5 * (a * math.log2(a / m) if a else 0) + 0.5 * (b * math.log2(b / m) if b else 0)
    return bits


def test_the_divergence_is_its_formula_one_pair_at_a_time():
    rows = np.random.default_rng(0).dirichlet([0.1] * 6, size=9)
    rows[0] = [1, 0, 0, 0, 0, 0]
    rows[1] = [0, 0.5, 0.5, 0, 0, 0]
    rows[2] = rows[3]
    divergence = jensen_shannon(rows)
    for i in range(9):
        for j in range(9):
            assert divergence[i, j] == pytest.approx(slow_divergence(rows[i], rows[j]), abs=1e-12)
    assert divergence[0, 1] == pytest.approx(1.0)
    assert divergence[2, 3] == 0.0
    assert divergence.std() > 0.1


def test_passages_of_one_topic_are_closer_than_of_two():
    table = np.full((2, len(WORDS)), 0.1)
    table[0, [WORDS.index(w) for w in ("river", "boat", "fish")]] = 50
    table[1, [WORDS.index(w) for w in ("money", "loan", "credit")]] = 50
    similarity = TopicModelSimilarity(table, WORDS, prior=0.05)
    passages = ["A boat on the river.", "Fish, fish!", "Money for a loan", "River of money"]
    scores = similarity.score_matrix(QUERY, passages)
    # No word is shared by the first two.
    assert scores[0, 1] > 0.9 > 0.3 > scores[0, 2]
    assert scores[0, 2] < scores[0, 3] < scores[0, 1]
    assert scores.min() >= 0 and scores.max() <= 1


def test_unknown_words_tell_nothing(table):
    similarity = TopicModelSimilarity(table, WORDS, prior=0.2)
    scores = similarity.score_matrix(
        QUERY, ["the and of", "aardvark 12 zz", "a boat", "BOAT boats"]
    )
    assert not scores[:2].any()
    assert scores[2, 3] > 0.5
    # One or two letters and numbers are no words, whatever the vocabulary says.
    odd = TopicModelSimilarity(np.ones((2, 3)), ["ab", "12", "the"], prior=0.2)
    assert not odd.score_matrix(QUERY, ["ab 12 the", "ab"]).any()


def test_half_precision_is_enough(table, texts):
    whole = TopicModelSimilarity(table, WORDS, 0.2).score_matrix(QUERY, texts)
    half = TopicModelSimilarity(table.astype(np.float16), WORDS, 0.2).score_matrix(QUERY, texts)
    np.testing.assert_allclose(half, whole, atol=5e-3)
