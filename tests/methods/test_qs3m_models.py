import time

import numpy as np
import pytest
import slow_forms
import torch
from drawn_tensors import random_weights, unit

from subclust.methods.qs3m.clusterer import MODELS
from subclust.methods.qs3m.models import QuerySpecificScaler, QuerySpecificSiamese

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-11}


@pytest.mark.parametrize("use_query", [True, False])
@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_qs3m_is_the_papers_score_made_symmetric(use_query, dtype):
    model = random_weights(QuerySpecificSiamese(12, use_query), dtype)
    query, passages = unit(12, seed=1, dtype=dtype), unit(9, 12, seed=2, dtype=dtype)
    slow = slow_forms.score_pairs(model, query, passages)
    fast = model(query, passages)
    np.testing.assert_allclose(fast, (slow + slow.T) / 2, atol=TOLERANCE[dtype])
    # Not degenerate: the scores differ, the paper's form is not symmetric, the ReLU lets some
    # through and not all, and the last weights are of both signs.
    assert fast.std() > 0.1
    assert (slow - slow.T).abs().max() > 0.1
    alive = (model.theta(passages) > 0).double().mean()
    assert 0.2 < alive < 0.8
    between = model.phi.weight[0, -12:]
    assert (between > 0).any() and (between < 0).any()


@pytest.mark.parametrize("sign", [1, -1, 0])
@torch.no_grad()
def test_qs3m_with_difference_weights_of_one_sign(sign):
    model = random_weights(QuerySpecificSiamese(6))
    model.phi.weight[0, -6:] = sign * model.phi.weight[0, -6:].abs()
    query, passages = unit(6, seed=1), unit(5, 6, seed=2)
    slow = slow_forms.score_pairs(model, query, passages)
    np.testing.assert_allclose(model(query, passages), (slow + slow.T) / 2, atol=1e-4)


def test_the_slow_form_is_the_formula_of_the_paper():
    # The five vectors by hand, with a projection that changes nothing.
    model = QuerySpecificSiamese(2)
    with torch.no_grad():
        for layer in model.theta[:2]:
            layer.weight.copy_(torch.eye(2))
            layer.bias.zero_()
        model.phi.weight.copy_(torch.tensor([[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]]))
        model.phi.bias.fill_(0.5)
        q, p = torch.tensor([0.2, 0.4]), torch.tensor([[0.1, 0.9], [0.7, 0.3]])
        score = slow_forms.score_pairs(model, q, p)[0, 1].item()
    first, second = 1 * 0.1 + 2 * 0.9, 3 * 0.7 + 4 * 0.3
    near_first, near_second = 5 * 0.1 + 6 * 0.5, 7 * 0.5 + 8 * 0.1
    apart = 9 * 0.6 + 10 * 0.6
    assert score == pytest.approx(first + second + near_first + near_second + apart + 0.5)


def test_the_decomposition_carries_the_gradient():
    fast, slow = (random_weights(QuerySpecificSiamese(8), torch.float64) for _ in range(2))
    query, passages = unit(8, seed=1, dtype=torch.float64), unit(6, 8, seed=2, dtype=torch.float64)
    target = unit(6, 6, seed=3, dtype=torch.float64)
    (fast(query, passages) * target).sum().backward()
    scores = slow_forms.score_pairs(slow, query, passages)
    ((scores + scores.T) / 2 * target).sum().backward()
    for (name, one), other in zip(fast.named_parameters(), slow.parameters(), strict=True):
        assert one.grad.abs().max() > 1e-6, name
        np.testing.assert_allclose(one.grad, other.grad, atol=1e-9, err_msg=name)


def test_no_seed_starts_dead():
    # With the reference's ReLU after the classifier 44 of 200 seeds did.
    query, passages = unit(32, seed=1), unit(10, 32, seed=2)
    for seed in range(50):
        torch.manual_seed(seed)
        model = QuerySpecificSiamese(32)
        scores = model(query, passages)
        assert scores.std() > 1e-4, seed
        (scores**2).sum().backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad.abs().max() > 0, (seed, name)


@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_qss_is_the_formula_of_the_paper(dtype):
    model = random_weights(QuerySpecificScaler(10, 4), dtype)
    query, passages = unit(10, seed=1, dtype=dtype), unit(7, 10, seed=2, dtype=dtype)
    scale = model.psi[2](torch.relu(model.psi[0](query))).double().numpy()
    expected = np.empty((7, 7))
    for i, first in enumerate(passages.double().numpy()):
        for j, second in enumerate(passages.double().numpy()):
            a, b = scale * first, scale * second
            expected[i, j] = a @ b / np.sqrt((a @ a) * (b @ b))
    scores = model(query, passages)
    np.testing.assert_allclose(scores, expected, atol=1e-5 if dtype == torch.float32 else 1e-11)
    plain = (passages @ passages.T).numpy()
    assert np.abs(expected - plain).max() > 0.05
    assert (torch.relu(model.psi[0](query)) > 0).any()


def test_qss_has_the_papers_number_of_weights():
    weights = [p.numel() for n, p in QuerySpecificScaler(768).named_parameters() if "weight" in n]
    assert sum(weights) == 49_152


def test_qs3m_has_the_papers_shapes():
    shapes = {n: tuple(p.shape) for n, p in QuerySpecificSiamese(768).named_parameters()}
    assert shapes == {
        "theta.0.weight": (768, 768),
        "theta.0.bias": (768,),
        "theta.1.weight": (768, 768),
        "theta.1.bias": (768,),
        "phi.weight": (1, 5 * 768),
        "phi.bias": (1,),
    }
    assert QuerySpecificSiamese(768, use_query=False).phi.weight.shape == (1, 3 * 768)


def score(name, model, query, passages):
    """Score all pairs; to the network that reads sentences, each passage and its half are two."""
    if name != "attn-qs3m":
        return model(query, passages)
    sentences = torch.stack([passages, passages / 2], dim=1)
    return model(query, sentences, torch.ones(len(passages), 2, dtype=torch.bool))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n_passages", [1, 2, 5])
@torch.no_grad()
def test_scores_are_symmetric_finite_and_depend_on_the_query(name, n_passages):
    model = random_weights(MODELS[name](20), std=0.2)
    passages = unit(n_passages, 20, seed=2)
    scores = score(name, model, unit(20, seed=1), passages)
    assert scores.shape == (n_passages, n_passages)
    assert torch.isfinite(scores).all()
    np.testing.assert_allclose(scores, scores.T, atol=1e-5)
    if n_passages == 5:
        assert (scores - score(name, model, unit(20, seed=7), passages)).abs().max() > 1e-3


@pytest.mark.parametrize("name", MODELS)
@torch.no_grad()
def test_zero_vectors_and_copies_give_finite_scores(name):
    model = random_weights(MODELS[name](20))
    for passages in (torch.zeros(3, 20), unit(1, 20).repeat(4, 1)):
        assert torch.isfinite(score(name, model, unit(20, seed=1), passages)).all()
        assert torch.isfinite(score(name, model, torch.zeros(20), passages)).all()


@pytest.mark.parametrize("name", MODELS)
@torch.no_grad()
def test_five_hundred_passages_are_scored_at_once(name):
    model = random_weights(MODELS[name](384))
    query, passages = unit(384, seed=1), unit(500, 384, seed=2)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    seconds = []
    for _ in range(5):
        started = time.process_time()
        score(name, model, query, passages)
        seconds.append(time.process_time() - started)
    torch.set_num_threads(threads)
    # A quarter of this, of one core's own time, so that a busy machine does not count; building the
    # five vectors of all pairs takes 1.9 GB and far longer.
    assert min(seconds) < 0.2
