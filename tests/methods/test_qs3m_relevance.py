import numpy as np
import pytest
import torch
from drawn_tensors import random_weights, unit

from subclust.grouping.similarity.relevance_gate import Relevance, RelevanceGate
from subclust.methods.qs3m.gate_training import relevance_loss

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {torch.float32: 2e-4, torch.float64: 1e-10}


def sigmoid(value):
    return 1 / (1 + np.exp(-value))


def length_one(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_the_gate_is_its_formula(dtype):
    gate = random_weights(RelevanceGate(6, bilinear_dim=3, hidden_dim=4), dtype)
    query, passages = unit(6, seed=1, dtype=dtype), unit(8, 6, seed=2, dtype=dtype)
    judged = gate(query, passages)
    q, p = query.double().numpy(), passages.double().numpy()
    weights = {name: value.double().numpy() for name, value in gate.state_dict().items()}
    near = np.array([row @ q for row in p])
    soft = np.exp(10 * near) / np.exp(10 * near).sum()
    centre = length_one(sum(s * row for s, row in zip(soft, p, strict=True)))
    back = np.array([row @ centre for row in p])
    logits = []
    for i, row in enumerate(p):
        bilinear = (weights["passage.weight"] @ row) @ (weights["query.weight"] @ q)
        seen = [near[i], near[i] - near.mean(), near[i] - near.max(), bilinear]
        seen += [back[i], back[i] - back.mean(), back[i] - back.max()]
        logits.append(10 * weights["relevance.weight"][0] @ seen + weights["relevance.bias"][0])
    inside = sigmoid(np.array(logits))
    about, beside = length_one(inside @ p), length_one((1 - inside) @ p)
    whole = [
        about @ beside,
        (1 - inside).mean(),
        (1 - inside).max(),
        q @ about,
        q @ beside,
        near.std(),
    ]
    whole.append(4 * (inside * (1 - inside)).mean())
    hidden = np.maximum(weights["mixed.0.weight"] @ whole + weights["mixed.0.bias"], 0)
    mixed = weights["mixed.2.weight"] @ hidden + weights["mixed.2.bias"]
    np.testing.assert_allclose(judged.passages, logits, atol=TOLERANCE[dtype], rtol=1e-4)
    np.testing.assert_allclose(judged.mixed, mixed[0], atol=TOLERANCE[dtype])
    expected = 1 - sigmoid(mixed[0]) * (1 - inside)
    np.testing.assert_allclose(judged.gate, expected, atol=TOLERANCE[dtype])
    assert np.std(logits) > 0.1 and (hidden > 0).any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_relevance_loss_is_its_formula(dtype):
    logits = torch.tensor([2.0, -1.0, 0.5, -3.0, 1.0], dtype=dtype)
    about = torch.tensor([1, 1, 1, 0, 0], dtype=dtype)
    mixed = torch.tensor(0.7, dtype=dtype)
    sigmoid = [1 / (1 + np.exp(-x)) for x in (2.0, -1.0, 0.5, -3.0, 1.0, 0.7)]
    yes = -np.mean(np.log(sigmoid[:3]))
    no = -np.mean(np.log([1 - sigmoid[3], 1 - sigmoid[4]]))
    expected = -np.log(sigmoid[5]) + (yes + no) / 2
    assert relevance_loss(Relevance(logits, mixed), about).item() == pytest.approx(expected, 1e-5)
    # Where nothing is mixed in, only that is judged.
    alone = relevance_loss(Relevance(logits, mixed), torch.ones(5, dtype=dtype))
    assert alone.item() == pytest.approx(-np.log(1 - sigmoid[5]), 1e-5)


def test_a_gate_that_is_right_costs_less():
    about = torch.tensor([1.0, 1.0, 0.0])
    right = Relevance(torch.tensor([3.0, 3.0, -3.0]), torch.tensor(3.0))
    wrong = Relevance(torch.tensor([-3.0, 3.0, 3.0]), torch.tensor(3.0))
    assert relevance_loss(right, about) < relevance_loss(wrong, about)
