"""Where hits share no documents, the question's words and its weights decide."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import Query
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.dividing import DividingSimilarity, centred
from subclust.grouping.similarity.division import WAYS, DivisionGate
from subclust.grouping.similarity.listed_things import ListedThings
from subclust.grouping.similarity.question_metric import (
    SHARPNESS,
    QuestionMetric,
    load_metric,
    shares_of_things,
    standardised,
)

DIM = 12
TEXTS = [f"{who} {what} {n}" for who in ("ada", "ben", "cid") for what in "xyz" for n in range(2)]
WHO = np.repeat([0, 1, 2], 6)
WHAT = np.tile(np.repeat([0, 1, 2], 2), 3)
OWN = {text: str(number) for number, text in enumerate(TEXTS)}
SHARED = {text: text.split()[0] for text in TEXTS}
KNOWN, OTHER = np.eye(DIM, dtype=np.float32)[:2]
THINGS = {f"thing {number}": np.eye(DIM, dtype=np.float32)[6 + number] for number in range(3)}


def vectors():
    """Who is told by three axes and, more weakly, what by three others."""
    rows = np.random.default_rng(0).normal(0, 0.02, (len(TEXTS), DIM))
    rows[np.arange(len(TEXTS)), 3 + WHO] += 1.0
    rows[np.arange(len(TEXTS)), 6 + WHAT] += 0.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def metric():
    """Two networks that know the first axis, and compare by what where that is asked."""
    generator = np.random.default_rng(1)

    def some(*shape):
        return generator.normal(0, 0.1, shape).astype(np.float32)

    directions = some(2, DIM, 3)
    directions[:, 6:9] += np.eye(3, dtype=np.float32)
    weights_shift = np.array([[-9, 0.5, 2, 1, 1, 1], [-8, 1, 1, 2, 1, 2]], dtype=np.float32)
    known = np.zeros((2, DIM, 1), dtype=np.float32)
    known[:, 0] = 9.0
    return QuestionMetric(
        directions=directions,
        question=some(2, DIM, 4),
        question_shift=some(2, 4),
        weights=some(2, 4, 6),
        weights_shift=weights_shift,
        scales=np.array([1, 2, 3], dtype=np.float32),
        known=known,
        known_shift=np.zeros((2, 1), dtype=np.float32),
        known_out=np.array([[4], [-1]], dtype=np.float32),
        known_out_shift=np.array([-1, -0.5], dtype=np.float32),
        thresholds=np.array([0.25, 0.75], dtype=np.float32),
    )


def softplus(value):
    return np.log1p(np.exp(value))


def test_known_questions_are_scored_by_their_formula(metric):
    assert metric.knows(KNOWN) and not metric.knows(OTHER)
    base = centred(vectors())
    subjects = base @ base.T
    named = shares_of_things(vectors(), np.stack(list(THINGS.values())))
    found = metric.scores(KNOWN, base, subjects, named)
    about, things = standardised(subjects), standardised(named)
    expected = np.zeros_like(found)
    for network in range(2):
        read = np.tanh(4 * (metric.question[network].T @ KNOWN + metric.question_shift[network]))
        weights = softplus(metric.weights[network].T @ read + metric.weights_shift[network])
        for i in range(len(TEXTS)):
            for j in range(len(TEXTS)):
                moved = [
                    np.sqrt(weights[3:]) * (metric.directions[network].T @ base[row])
                    for row in (i, j)
                ]
                cosine = moved[0] @ moved[1] / (np.linalg.norm(moved[0]) * np.linalg.norm(moved[1]))
                score = weights[0] * about[i, j] + 2 * weights[1] * things[i, j]
                expected[i, j] += (score + 3 * weights[2] * cosine) / 2
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_whether_a_question_is_known_is_told_by_the_mean(metric):
    alone = [replace(metric, known_out=metric.known_out[[one, one]]).knows(KNOWN) for one in (0, 1)]
    assert alone == [True, False] and metric.knows(KNOWN)


def test_other_questions_are_scored_by_subjects_and_names(metric):
    base = centred(vectors())
    subjects = base @ base.T
    named = shares_of_things(vectors(), np.stack(list(THINGS.values())))
    plain = metric.scores(OTHER, base, subjects, None)
    np.testing.assert_allclose(plain, standardised(subjects), atol=1e-6)
    with_names = metric.scores(OTHER, base, subjects, named)
    np.testing.assert_allclose(with_names - plain, standardised(named), atol=1e-5)


def test_shares_are_those_of_a_slow_softmax():
    rows, things = vectors(), np.stack(list(THINGS.values()))
    nearness = np.array([[row @ thing for thing in things] for row in rows])
    nearness -= nearness.mean(axis=0)
    shares = np.exp(SHARPNESS * nearness)
    shares /= shares.sum(axis=1, keepdims=True)
    found = shares_of_things(rows, things)
    np.testing.assert_allclose(found, shares @ shares.T, atol=1e-5)
    same = WHAT[:, None] == WHAT
    assert found[same].min() > found[~same].max()


@pytest.mark.parametrize("n_passages", [1, 2, 5])
def test_standardised_scores(n_passages):
    scores = np.random.default_rng(0).normal(3, 2, (n_passages, n_passages))
    scores = scores + scores.T
    found = standardised(scores)
    assert np.all(np.diagonal(found) == 0) and abs(found.sum()) < 1e-4
    if n_passages > 2:
        assert found.std() == pytest.approx(1, abs=1e-4)


def similarity(metric, encode=None, way="aspects"):
    torch.manual_seed(0)
    question = np.zeros((DIM, 1), dtype=np.float32)
    gate = DivisionGate(  # of all questions
        question=question,
        question_shift=np.zeros(1, dtype=np.float32),
        hidden=np.zeros((3, 1), dtype=np.float32),
        hidden_shift=np.zeros(1, dtype=np.float32),
        out=np.zeros((1, 3), dtype=np.float32),
        out_shift=np.array([9 * (way == one) for one in WAYS], dtype=np.float32),
        thresholds=np.array([0.0, 0.1], dtype=np.float32),
    )
    model = CentredSiamese(DIM, 4, shared_words=False, gate=True)
    return DividingSimilarity(model, gate, 0.5, metric, encode)


def asked(axis, documents, text="a question"):
    vector = np.tile(axis, 2) / np.float32(np.sqrt(2))
    return Query(text, embedding=vector, documents=documents)


def both():
    return np.tile(vectors(), (1, 2)) / np.float32(np.sqrt(2))


def names(texts):
    return np.stack([THINGS[text] for text in texts])


def test_only_hits_without_shared_documents_are_scored_so(metric):
    with_metric, without = similarity(metric, names), similarity(None)
    for documents in (SHARED, None):
        query = asked(OTHER, documents)
        np.testing.assert_array_equal(
            with_metric.score_matrix(query, TEXTS, both()),
            without.score_matrix(query, TEXTS, both()),
        )
    found = with_metric.score_matrix(asked(KNOWN, OWN), TEXTS, both())
    same = WHAT[:, None] == WHAT
    np.fill_diagonal(same, False)
    apart = WHAT[:, None] != WHAT
    assert found[same].mean() > found[apart].mean()
    bare = with_metric.score_matrix(asked(KNOWN, None), TEXTS, both())
    np.testing.assert_array_equal(bare, found)  # of bare texts, what is known is told


def test_scores_are_moved_by_the_threshold_of_the_metric(metric):
    for axis, way, threshold in ((OTHER, "subjects", 0.25), (KNOWN, "aspects", 0.75)):
        query, found = asked(axis, OWN), similarity(metric, way=way)
        moved = found.score_matrix(query, TEXTS, both())
        own = found.scores_of(way, query, TEXTS, both())
        np.testing.assert_allclose(moved - own, 0.5 - threshold, atol=1e-5)
    assert similarity(metric).way(asked(OTHER, OWN), both()) == "usual"


def fitting_their_axis():
    """A passage fits the thing of its axis."""
    axes, zeros = 20 * np.eye(DIM), np.zeros((DIM, DIM))
    return ListedThings(
        np.concatenate([axes, zeros]).astype(np.float32),
        zeros.astype(np.float32),
        np.zeros(2 * DIM, dtype=np.float32),
        np.float32(-9.0),
    )


def test_named_things_draw_passages_together(metric):
    one = similarity(metric, names)
    one.listed = fitting_their_axis()
    same = WHAT[:, None] == WHAT
    np.fill_diagonal(same, False)
    for documents in (OWN, SHARED):
        plain = one.scores_of("aspects", asked(OTHER, documents), TEXTS, both())
        query = asked(OTHER, documents, "thing 0, thing 1 and thing 2")
        gained = one.scores_of("aspects", query, TEXTS, both()) - plain
        assert gained[same].mean() > 0 > gained[~same & ~np.eye(len(TEXTS), dtype=bool)].mean()
        deaf = replace_encode(one)
        np.testing.assert_array_equal(deaf.scores_of("aspects", query, TEXTS, both()), plain)


def replace_encode(one):
    return DividingSimilarity(one.model, one.gate, one.threshold, one.metric)


def test_a_metric_is_kept_with_its_encoder(metric, tmp_path):
    file = tmp_path / "metric.npz"
    metric.save(file, "an encoder")
    found = load_metric("an encoder", file)
    assert found is not None and found.threshold(KNOWN) == pytest.approx(0.75)
    np.testing.assert_allclose(found.directions, metric.directions, atol=1e-3)
    assert load_metric("another encoder", file) is None
    assert load_metric("an encoder", tmp_path / "none.npz") is None
    changed = replace(metric, known_out=-metric.known_out)
    changed.save(file, "an encoder")
    assert not load_metric("an encoder", file).knows(KNOWN)
