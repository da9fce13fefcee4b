"""The equations of SCL and FCL, each against a loop that is written as the paper prints it."""

import math

import pytest
import torch

from subclust.methods.scl.objective import (
    consistency_loss,
    contrastive_loss,
    fcl_uda_loss,
    likeness_logits,
    pair_losses,
    weak_losses,
)

both = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
N = 6


def drawn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def cosine(a, b):
    dot = sum(float(x) * float(y) for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(float(x) ** 2 for x in a) * sum(float(y) ** 2 for y in b))


def close(found, expected, dtype):
    tolerance = 1e-5 if dtype == torch.float32 else 1e-12
    assert found.dtype == dtype
    wanted = torch.as_tensor(expected, dtype=torch.float64)
    torch.testing.assert_close(found.double(), wanted, rtol=tolerance, atol=tolerance)


def pair_loop(v, i, j, tau, others):
    own = math.exp(cosine(v[i], v[j]) / tau)
    return -math.log(own / (own + sum(math.exp(cosine(v[i], v[k]) / tau) for k in others)))


@both
@pytest.mark.parametrize("tau", [0.25, 0.5, 1.0])
def test_pair_losses_are_equation_2_and_their_mean_equation_1(dtype, tau):
    v = drawn(N, 4, dtype=dtype)
    expected = []
    for p in range(N // 2):
        for i, j in ((2 * p, 2 * p + 1), (2 * p + 1, 2 * p)):
            expected.append(pair_loop(v, i, j, tau, [k for k in range(N) if k not in (i, j)]))
    assert max(expected) > 1.2 * min(expected)
    losses = pair_losses(v, tau)
    close(losses, expected, dtype)
    close(contrastive_loss(losses), sum(expected) / N, dtype)


@both
def test_weak_losses_look_only_at_what_is_known(dtype):
    v = drawn(N, 4, seed=1, dtype=dtype)
    same = torch.zeros(N, N, dtype=torch.bool)
    different = torch.zeros(N, N, dtype=torch.bool)
    same[0, 1] = same[1, 0] = same[2, 3] = True
    different[0, 2] = different[0, 4] = different[1, 5] = True
    found = weak_losses(v, same, different, 0.5)
    expected = torch.zeros(N, N, dtype=torch.float64)
    expected[0, 1] = pair_loop(v, 0, 1, 0.5, [2, 4])
    expected[1, 0] = pair_loop(v, 1, 0, 0.5, [5])
    close(found, expected, dtype)  # nothing differs from the third, so nothing is learnt of it


def test_what_is_not_known_has_no_gradient():
    v = drawn(N, 4).requires_grad_()
    same = torch.zeros(N, N, dtype=torch.bool)
    different = same.clone()
    same[0, 1], different[0, 2] = True, True
    weak_losses(v, same, different, 0.5).sum().backward()
    assert (v.grad[:3].abs().sum(dim=1) > 0).all() and torch.isfinite(v.grad).all()
    assert (v.grad[3:] == 0).all()


@both
def test_consistency_is_equation_3_and_the_sum_equation_4(dtype):
    logits, others = drawn(4, 3, dtype=dtype), [drawn(4, 3, seed=s, dtype=dtype) for s in (1, 2)]
    p = logits.softmax(dim=1)
    total = 0.0
    for other in others:
        q = other.softmax(dim=1)
        for i in range(4):
            total += sum(
                float(p[i, y]) * (math.log(float(p[i, y])) - math.log(float(q[i, y])))
                for y in range(3)
            )
    found = consistency_loss(logits, others)
    close(found, total / 8, dtype)  # two wordings of four texts
    close(fcl_uda_loss(torch.tensor(2.0, dtype=dtype), found), 2 + total / 8, dtype)
    assert float(consistency_loss(logits, [logits])) == pytest.approx(0, abs=1e-6)


def test_the_text_itself_is_not_moved_by_its_wordings():
    logits, other = drawn(4, 3).requires_grad_(), drawn(4, 3, seed=1).requires_grad_()
    consistency_loss(logits, [other]).backward()
    assert logits.grad is None and (other.grad != 0).any()


@both
def test_what_a_text_is_like_is_its_share_of_all_likenesses(dtype):
    v, texts = drawn(3, 4, dtype=dtype), drawn(5, 4, seed=1, dtype=dtype)
    expected = []
    for one in v:
        terms = [math.exp(cosine(one, text) / 0.5) for text in texts]
        expected.append([term / sum(terms) for term in terms])
    found = likeness_logits(v.requires_grad_(), texts.requires_grad_(), 0.5).softmax(dim=1)
    close(found.detach(), expected, dtype)
    found[:, 0].sum().backward()
    assert texts.grad is None and (v.grad != 0).any()


def test_partners_that_are_near_cost_less_than_partners_that_are_far():
    near = torch.eye(3).repeat_interleave(2, dim=0)
    far = near[[0, 2, 1, 4, 3, 5]]
    assert contrastive_loss(pair_losses(near, 0.5)) < contrastive_loss(pair_losses(far, 0.5)) - 0.5
