import numpy as np
import pytest
import torch
from drawn_tensors import random_weights, unit

from subclust.core.records import Query
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.cosine import CentredCosineSimilarity
from subclust.grouping.similarity.network import NetworkSimilarity

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {torch.float32: 2e-4, torch.float64: 1e-10}


def length_one(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("use_query", [True, False])
def test_without_gate_and_words_it_starts_as_centred_cosine(use_query):
    torch.manual_seed(0)
    model = CentredSiamese(24, 8, use_query=use_query, shared_words=False, gate=False)
    passages = unit(15, 24, seed=2)
    scores = NetworkSimilarity(model).score_matrix(
        Query("any", embedding=unit(24, seed=1).numpy()), [""] * 15, passages.numpy()
    )
    expected = CentredCosineSimilarity().score_matrix(Query("any"), [""] * 15, passages.numpy())
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert expected.std() > 0.1
    assert np.abs(expected - (passages @ passages.T).numpy()).max() > 0.01


@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_the_scores_are_their_formula(dtype):
    model = random_weights(CentredSiamese(6, hidden_dim=5), dtype)
    query, passages = unit(6, seed=1, dtype=dtype), unit(8, 6, seed=2, dtype=dtype)
    words = unit(8, 5, seed=4, dtype=dtype)
    words = (words @ words.T).abs()
    moved = []
    for passage in passages:
        seen = torch.cat([passage, query, (passage - query).abs()])
        hidden = torch.clamp(model.a.weight @ seen + model.a.bias, min=0)
        moved.append((passage + model.b.weight @ hidden + model.b.bias).double().numpy())
    middle = np.mean(moved, axis=0)
    expected = np.empty((8, 8))
    for i in range(8):
        for j in range(8):
            alike = length_one(moved[i] - middle) @ length_one(moved[j] - middle)
            expected[i, j] = alike + float(model.word_weight) * float(words[i, j])
    scores = model(query, passages, words)
    np.testing.assert_allclose(scores, expected, atol=TOLERANCE[dtype])
    assert expected.std() > 0.1
    space = model.space(query, passages)
    np.testing.assert_allclose(space @ space.T, scores - model.word_weight * words, atol=1e-4)


@torch.no_grad()
def test_no_score_is_above_that_of_a_passage_with_itself():
    model = CentredSiamese(6)
    words = torch.ones(8, 8)
    scores = model(unit(6, seed=1), unit(8, 6, seed=2), words)
    assert (scores <= model.highest_score + 1e-6).all()
    torch.testing.assert_close(scores.diagonal(), model.highest_score.expand(8))
    assert CentredSiamese(6, shared_words=False).highest_score == 1


@torch.no_grad()
def test_the_gate_takes_no_part_in_the_scores():
    model = random_weights(CentredSiamese(6, hidden_dim=5, gate=True))
    model.gate.mixed[2].bias.fill_(50.0)
    query, passages, words = unit(6, seed=1), unit(8, 6, seed=2), torch.eye(8)
    base_query, base = unit(6, seed=11), unit(8, 6, seed=12)
    # Side by side, of whatever common length.
    stacked = torch.cat([query, base_query]), torch.cat([passages, base], dim=1) / 2**0.5
    np.testing.assert_allclose(model(*stacked, words), model(query, passages, words), atol=1e-5)
    inside = model.inside(*stacked)
    np.testing.assert_allclose(inside, model.gate(base_query, base).gate, atol=1e-5)
    assert inside.std() > 0.01
    # Without the base encoder's vectors there is nothing to judge by.
    assert model.inside(query, passages) is None


def test_it_learns_from_the_first_step():
    torch.manual_seed(0)
    model = CentredSiamese(16, hidden_dim=8, gate=True)
    query, passages, target = unit(16, seed=1), unit(9, 16, seed=2), unit(9, 9, seed=3)
    words = unit(9, 9, seed=5)
    (model(query, passages, words @ words.T) * target).sum().backward()
    for name in ("b.weight", "word_weight"):
        assert model.get_parameter(name).grad.abs().max() > 1e-6, name


@torch.no_grad()
def test_without_the_query_nothing_depends_on_it():
    model = random_weights(CentredSiamese(10, use_query=False))
    passages = unit(5, 10)
    np.testing.assert_array_equal(
        model(unit(10, seed=1), passages), model(unit(10, seed=2), passages)
    )
