import itertools

import numpy as np
import pytest
import torch
from sklearn.metrics import adjusted_rand_score, rand_score

from subclust.methods.cob.objective import adjusted_rand_loss, purity_loss, rand_loss, regulariser

GROUPINGS = [
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
    ([0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1]),
    ([0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 2]),
    ([0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 1]),
]


def adjacency(groups, dtype=torch.float64):
    numbers = torch.tensor(groups)
    return (numbers[:, None] == numbers[None, :]).to(dtype)


def purity(found, true):
    total = 0
    for group in set(found):
        classes = [t for f, t in zip(found, true, strict=True) if f == group]
        total += max(classes.count(c) for c in classes)
    return total / len(found)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("found", "true"), GROUPINGS)
def test_the_losses_are_the_indices(found, true, dtype):
    a, t = adjacency(found, dtype), adjacency(true, dtype)
    n_pairs = len(found) * (len(found) - 1)
    assert float(rand_loss(a, t)) == pytest.approx(n_pairs * (1 - rand_score(true, found)))
    expected = n_pairs * (1 - adjusted_rand_score(true, found))
    assert float(adjusted_rand_loss(a, t)) == pytest.approx(expected, abs=1e-4)
    assert float(purity_loss(a, t)) == pytest.approx(n_pairs * (1 - purity(found, true)), abs=1e-4)


@pytest.mark.parametrize("groups", [[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 1]])
@pytest.mark.parametrize("loss", [rand_loss, adjusted_rand_loss, purity_loss])
def test_the_right_groups_cost_nothing_and_wrong_ones_something(loss, groups):
    right = adjacency(groups)
    assert float(loss(right, right)) == pytest.approx(0, abs=1e-9)
    assert float(loss(adjacency([0, 1, 0, 1]), adjacency([0, 0, 1, 1]))) > 1


@pytest.mark.parametrize("loss", [rand_loss, adjusted_rand_loss])
def test_the_gradient_asks_for_the_pairs_that_are_missing(loss):
    found = adjacency([0, 0, 1, 1, 2, 2]).requires_grad_()
    loss(found, adjacency([0, 0, 1, 1, 1, 1])).backward()
    assert found.grad[2, 4] < 0 and found.grad[4, 2] < 0


def test_the_gradient_of_purity_asks_to_part_an_impure_group():
    found = adjacency([0, 0, 0, 1, 1, 1]).requires_grad_()
    purity_loss(found, adjacency([0, 0, 1, 1, 1, 1])).backward()
    gradient = found.grad + found.grad.T
    assert gradient[0, 2] > 0 > gradient[0, 1]


def slow_regulariser(distances, groups):
    within, between = [], []
    for i, j in itertools.product(range(len(groups)), repeat=2):
        (within if groups[i] == groups[j] else between).append(float(distances[i, j]))
    return np.mean(within) - np.mean(between)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_regulariser_is_that_of_a_slow_loop(dtype):
    points = torch.as_tensor(np.random.default_rng(0).normal(size=(6, 3)), dtype=dtype)
    groups = [0, 0, 1, 1, 1, 2]
    distances = torch.cdist(points, points)
    value = regulariser(distances, adjacency(groups, dtype))
    assert float(value) == pytest.approx(slow_regulariser(distances, groups), rel=1e-5)


def test_the_regulariser_is_lower_where_groups_are_tight_and_apart():
    tight = torch.tensor([[0.0], [0.1], [5.0], [5.1]])
    loose = torch.tensor([[0.0], [3.0], [3.1], [5.1]])
    true = adjacency([0, 0, 1, 1], torch.float32)
    assert regulariser(torch.cdist(tight, tight), true) < regulariser(
        torch.cdist(loose, loose), true
    )


def test_the_regulariser_of_one_group_is_its_mean_distance():
    true = torch.ones(3, 3)
    distances = torch.tensor([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
    assert float(regulariser(distances, true)) == pytest.approx(12 / 9)
