import itertools
import subprocess
import sys

import pytest
import torch
from groups import GROUPS, cosines, same_of

from subclust.training.losses import augmented_triplet_loss, triplet_loss

MARGIN = 0.3


def slow_terms(similarities, groups, neutral, margin):
    """Write equation 7 out, term by term."""
    triplets, intra, inter = {}, {}, {}
    for e, p, n in itertools.permutations(range(len(groups)), 3):
        if groups[e] == groups[p] != groups[n]:
            triplets[e, p, n] = max(margin - similarities[e, p] + similarities[e, n], 0.0)
            intra[e, p] = max(margin / 2 - similarities[e, p] + neutral, 0.0)
            inter[e, n] = max(margin / 2 - neutral + similarities[e, n], 0.0)
    return [list(terms.values()) for terms in (triplets, intra, inter)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("neutral", [-0.2, 0.0, 0.1])
@pytest.mark.parametrize("seed", [0, 1])
def test_value_and_gradient_are_those_of_a_slow_loop(dtype, neutral, seed):
    similarities = cosines(dtype, seed=seed)
    kinds = slow_terms(similarities.detach(), GROUPS, neutral, MARGIN)
    for terms in kinds:  # of each kind some cost something, and some nothing
        assert 0 < sum(float(term) > 0 for term in terms) < len(terms)
    neutral_fast = torch.tensor(neutral, dtype=dtype, requires_grad=True)
    fast = augmented_triplet_loss(similarities, same_of(GROUPS), neutral_fast, MARGIN)
    fast.backward()

    again = cosines(dtype, seed=seed)
    neutral_slow = torch.tensor(neutral, dtype=dtype, requires_grad=True)
    terms = sum(slow_terms(again, GROUPS, neutral_slow, MARGIN), [])
    slow = sum(terms) / len(terms)
    slow.backward()

    tolerance = 1e-5 if dtype == torch.float32 else 1e-12
    assert fast.dtype == dtype
    torch.testing.assert_close(fast, slow, atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(similarities.grad, again.grad, atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(neutral_fast.grad, neutral_slow.grad, atol=tolerance, rtol=0)
    assert neutral_fast.grad.abs() > 1e-3


def figure_3():
    """Give the example of the paper's figure 3: yellow, green and blue pairs."""
    similarities = torch.full((6, 6), -0.5)
    for first, second, value in [(0, 1, 0.2), (2, 3, 0.9), (4, 5, 0.9), (2, 4, 0.5), (3, 5, 0.5)]:
        similarities[first, second] = similarities[second, first] = value
    return similarities, same_of([0, 0, 1, 1, 2, 2])


def test_it_sees_what_the_triplet_loss_does_not():
    similarities, same = figure_3()
    assert triplet_loss(-similarities, same, MARGIN) == 0
    assert augmented_triplet_loss(similarities, same, 0.0, MARGIN) > 0.01


def test_a_good_set_costs_less_than_a_bad_one():
    same = same_of([0, 0, 1, 1])
    good = torch.where(same, 0.9, -0.9)
    assert augmented_triplet_loss(good, same, 0.0, MARGIN) == 0
    assert augmented_triplet_loss(-good, same, 0.0, MARGIN) > 1


def test_the_neutral_similarity_moves_between_the_two_kinds_of_pairs():
    same = same_of([0, 0, 1, 1])
    similarities = torch.where(same, 0.9, 0.3)
    neutral = torch.tensor(0.0, requires_grad=True)
    for _ in range(200):
        (slope,) = torch.autograd.grad(
            augmented_triplet_loss(similarities, same, neutral, MARGIN), neutral
        )
        neutral = (neutral - 0.05 * slope).detach().requires_grad_()
    assert 0.4 < neutral.item() < 0.8


@pytest.mark.parametrize("groups", [[0], [0, 1, 2], [0, 0, 0]])
def test_a_set_without_triplets_costs_nothing(groups):
    similarities = cosines(torch.float32, len(groups))
    loss = augmented_triplet_loss(similarities, same_of(groups), 0.0, MARGIN)
    loss.backward()
    assert loss == 0
    assert torch.equal(similarities.grad, torch.zeros_like(similarities))


def test_two_hundred_passages_stay_far_below_a_gigabyte():
    # 200 passages have 1.6 million triplets of an anchor here; they are never made.
    code = """
import resource, torch
from subclust.training.losses import augmented_triplet_loss
numbers = torch.arange(200) % 2
same = numbers[:, None] == numbers[None, :]
similarities = torch.randn(200, 200, generator=torch.Generator().manual_seed(0)).requires_grad_()
augmented_triplet_loss(similarities[:3, :3], same[:3, :3], 0.0, 0.3).backward()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
augmented_triplet_loss(similarities, same, 0.0, 0.3).backward()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 50_000  # kilobytes
