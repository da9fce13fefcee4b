import itertools
import math

import pytest
import torch
from groups import GROUPS, cosines, same_of

from subclust.training.losses import pair_cross_entropy


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("neutral", [0.0, 0.3])
def test_the_loss_is_that_of_a_slow_loop(dtype, neutral):
    similarities = cosines(dtype).detach()
    costs = []
    for i, j in itertools.combinations(range(len(GROUPS)), 2):
        same = 1 / (1 + math.exp(-10 * (float(similarities[i, j]) - neutral)))
        costs.append(-math.log(same if GROUPS[i] == GROUPS[j] else 1 - same))
    assert max(costs) > 2 * min(costs)
    loss = pair_cross_entropy(similarities, same_of(GROUPS), neutral, 10.0)
    assert loss.dtype == dtype
    assert loss.item() == pytest.approx(sum(costs) / len(costs), rel=1e-4)


def test_a_good_set_costs_less_than_a_bad_one():
    same = same_of([0, 0, 1, 1])
    good = torch.where(same, 0.9, -0.9)
    assert pair_cross_entropy(good, same, 0.0, 10.0) < 0.01
    assert pair_cross_entropy(-good, same, 0.0, 10.0) > 1


def test_similarities_and_the_neutral_one_learn():
    similarities = cosines(torch.float64)
    neutral = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    pair_cross_entropy(similarities, same_of(GROUPS), neutral, 10.0).backward()
    assert similarities.grad[0, 1] < 0 < similarities.grad[0, 2]
    assert neutral.grad.abs() > 1e-3


def test_a_single_passage_costs_nothing():
    similarities = cosines(torch.float32, 1)
    loss = pair_cross_entropy(similarities, same_of([0]), 0.0, 10.0)
    loss.backward()
    assert loss == 0
