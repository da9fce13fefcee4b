import itertools

import numpy as np
import pytest
import torch

from subclust.training.losses import _count_triplets, triplet_loss

GROUPS = [0, 0, 1, 1, 1, 2]


def points(dtype, n=6, seed=0):
    return torch.as_tensor(np.random.default_rng(seed).normal(size=(n, 3)), dtype=dtype)


def same_of(groups):
    numbers = torch.tensor(groups)
    return numbers[:, None] == numbers[None, :]


def slow_loss(distances, groups, margin):
    costs = [
        max(0.0, float(distances[a, p] - distances[a, n]) + margin)
        for a, p, n in itertools.permutations(range(len(groups)), 3)
        if groups[a] == groups[p] != groups[n]
    ]
    return sum(costs) / len(costs), len(costs), sum(cost > 0 for cost in costs)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("margin", [0.1, 0.5, 2.0])
def test_the_loss_is_that_of_a_slow_loop(dtype, margin):
    vectors = points(dtype)
    distances = torch.cdist(vectors, vectors)
    expected, n_triplets, n_costly = slow_loss(distances, GROUPS, margin)
    assert 0 < n_costly <= n_triplets
    assert triplet_loss(distances, same_of(GROUPS), margin).dtype == dtype
    assert float(triplet_loss(distances, same_of(GROUPS), margin)) == pytest.approx(expected, 1e-6)
    assert _count_triplets(same_of(GROUPS)) == n_triplets == 2 * 1 * 4 + 3 * 2 * 3


def test_a_good_set_costs_less_than_a_bad_one():
    good = torch.tensor([[0.0], [0.1], [5.0], [5.1]])
    bad = torch.tensor([[0.0], [5.0], [0.1], [5.1]])
    same = same_of([0, 0, 1, 1])
    assert triplet_loss(torch.cdist(good, good), same, 0.5) == 0
    assert triplet_loss(torch.cdist(bad, bad), same, 0.5) > 1


def test_descent_moves_the_positive_nearer_and_the_negative_away():
    line = torch.tensor([0.0, 1.0, 1.2], requires_grad=True)
    distances = (line[:, None] - line[None, :]).abs()
    triplet_loss(distances, same_of([0, 0, 1]), 0.5).backward()
    # Passage 1 is both: pulled towards 0 and pushed from 2.
    assert line.grad[1] > 0 > line.grad[2]


@pytest.mark.parametrize("groups", [[0], [0, 1, 2], [0, 0, 0]])
def test_a_set_without_triplets_costs_nothing(groups):
    vectors = points(torch.float64, len(groups)).requires_grad_()
    loss = triplet_loss(torch.cdist(vectors, vectors), same_of(groups), 0.5)
    loss.backward()
    assert loss == 0 and _count_triplets(same_of(groups)) == 0
    assert torch.isfinite(vectors.grad).all()
