import numpy as np
import pytest
import torch

from subclust.methods.qs3m.centred import CentredSiamese
from subclust.methods.qs3m.similarity import QuerySpecificSimilarity
from subclust.records import Query
from subclust.similarity.cosine import CentredCosineSimilarity

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {torch.float32: 2e-4, torch.float64: 1e-10}


def unit(*shape, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(*shape, generator=generator, dtype=torch.float64)
    return torch.nn.functional.normalize(values, dim=-1).to(dtype)


def random_weights(model, dtype=torch.float32, seed=0, std=0.3):
    generator = torch.Generator().manual_seed(seed)
    model = model.to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, std, generator=generator)
    return model.eval()


def sigmoid(value):
    return 1 / (1 + np.exp(-value))


def length_one(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("use_query", [True, False])
def test_without_gate_and_words_it_starts_as_centred_cosine(use_query):
    torch.manual_seed(0)
    model = CentredSiamese(24, 8, use_query=use_query, shared_words=False, gate=False)
    passages = unit(15, 24, seed=2)
    scores = QuerySpecificSimilarity(model).score_matrix(
        Query("any", embedding=unit(24, seed=1).numpy()), [""] * 15, passages.numpy()
    )
    expected = CentredCosineSimilarity().score_matrix(Query("any"), [""] * 15, passages.numpy())
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert expected.std() > 0.1
    assert np.abs(expected - (passages @ passages.T).numpy()).max() > 0.01


@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_the_scores_are_their_formula(dtype):
    model = random_weights(CentredSiamese(6, hidden_dim=5, gate=True), dtype)
    query, passages = unit(6, seed=1, dtype=dtype), unit(8, 6, seed=2, dtype=dtype)
    base_query, base = unit(6, seed=11, dtype=dtype), unit(8, 6, seed=12, dtype=dtype)
    model.gate.mixed[2].weight.zero_()
    model.gate.mixed[2].bias.fill_(1.0)
    model.gate.relevance.bias -= model.gate(base_query, base).passages.mean()
    words = unit(8, 5, seed=4, dtype=dtype)
    words = (words @ words.T).abs()
    gate = model.gate(base_query, base).gate.double().numpy()
    moved = []
    for passage in passages:
        seen = torch.cat([passage, query, (passage - query).abs()])
        hidden = torch.clamp(model.a.weight @ seen + model.a.bias, min=0)
        moved.append((passage + model.b.weight @ hidden + model.b.bias).double().numpy())
    middle = sum(g * row for g, row in zip(gate, moved, strict=True)) / gate.sum()
    expected = np.empty((8, 8))
    apart, weight = float(model.apart), float(model.word_weight)
    for i in range(8):
        for j in range(8):
            alike = length_one(moved[i] - middle) @ length_one(moved[j] - middle)
            alike += weight * float(words[i, j])
            one_only = gate[i] * (1 - gate[j]) + (1 - gate[i]) * gate[j]
            expected[i, j] = gate[i] * gate[j] * alike
            expected[i, j] += (1 - gate[i]) * (1 - gate[j]) * apart - one_only * apart
    # Side by side, of whatever common length.
    stacked = torch.cat([query, base_query]), torch.cat([passages, base], dim=1) / 2**0.5
    scores = model(*stacked, words)
    np.testing.assert_allclose(scores, expected, atol=TOLERANCE[dtype])
    assert expected.std() > 0.1 and gate.std() > 0.01 and gate.min() < 0.95


@torch.no_grad()
def test_an_open_gate_changes_nothing():
    model = random_weights(CentredSiamese(6, hidden_dim=5, gate=True))
    model.gate.mixed[2].weight.zero_()
    model.gate.mixed[2].bias.fill_(-50.0)
    query, passages, words = unit(6, seed=1), unit(8, 6, seed=2), torch.eye(8)
    scores = model(torch.cat([query, query]), torch.cat([passages, passages], dim=1), words)
    # Without the base encoder's vectors there is nothing to judge by.
    np.testing.assert_allclose(scores, model(query, passages, words), atol=1e-5)
    assert model.inside(query, passages) is None


@torch.no_grad()
def test_passages_beside_the_query_are_one_group_apart_from_the_others():
    model = CentredSiamese(12, hidden_dim=4, shared_words=False, gate=True)
    model.gate.mixed[2].weight.zero_()
    model.gate.mixed[2].bias.fill_(50.0)
    model.gate.query.weight.zero_()
    # Only the cosine with the query counts, sharply.
    model.gate.relevance.weight.copy_(torch.tensor([[100.0, 0, 0, 0, 0, 0, 0]]))
    model.gate.relevance.bias.fill_(-500.0)
    query = torch.zeros(12)
    query[0] = 1.0
    about = torch.nn.functional.normalize(torch.eye(12)[1:4] + 2 * query, dim=-1)
    passages = torch.cat([about, torch.eye(12)[5:9]])
    scores = model(torch.cat([query, query]), torch.cat([passages, passages], dim=1))
    np.testing.assert_allclose(scores[3:, 3:], torch.full((4, 4), 0.3), atol=1e-3)
    np.testing.assert_allclose(scores[:3, 3:], torch.full((3, 4), -0.3), atol=1e-3)


def test_it_learns_from_the_first_step():
    torch.manual_seed(0)
    model = CentredSiamese(16, hidden_dim=8, gate=True)
    query, passages, target = unit(32, seed=1), unit(9, 32, seed=2), unit(9, 9, seed=3)
    words = unit(9, 9, seed=5)
    (model(query, passages, words @ words.T) * target).sum().backward()
    learning = ["b.weight", "word_weight", "apart", "gate.relevance.weight", "gate.mixed.0.weight"]
    for name in learning:
        assert model.get_parameter(name).grad.abs().max() > 1e-6, name


@torch.no_grad()
def test_without_the_query_nothing_depends_on_it():
    model = random_weights(CentredSiamese(10, use_query=False))
    passages = unit(5, 10)
    np.testing.assert_array_equal(
        model(unit(10, seed=1), passages), model(unit(10, seed=2), passages)
    )
