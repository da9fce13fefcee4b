import itertools

import numpy as np
import pytest
import torch
from groups import cosines, same_of

from subclust.training.losses import spanning_forest, structural_loss

C, R = 0.15, 0.5
SMALL = [0, 0, 1, 1, 2]


def forests(n_passages):
    """List all sets of edges without a circle."""
    edges = list(itertools.combinations(range(n_passages), 2))
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(edges, size) for size in range(n_passages)
    ):
        tree = list(range(n_passages))
        for a, b in chosen:
            if tree[a] == tree[b]:
                break
            tree = [tree[a] if number == tree[b] else number for number in tree]
        else:
            yield chosen, tree


def slow_loss(similarities, groups):
    """Try every forest."""
    n_edges = len(groups) - len(set(groups))

    def score(forest):
        return sum(float(similarities[edge]) for edge in forest)

    def wrong(forest):
        return n_edges + sum(-1 if groups[a] == groups[b] else R for a, b in forest)

    def spans_the_truth(tree):
        return all(
            (tree[a] == tree[b]) == (groups[a] == groups[b])
            for a, b in itertools.combinations(range(len(groups)), 2)
        )

    everything = list(forests(len(groups)))
    found = max(score(forest) + C * wrong(forest) for forest, _ in everything)
    true = max(score(forest) for forest, tree in everything if spans_the_truth(tree))
    return found - true


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("groups", [SMALL, [0, 1, 0, 0, 1], [0, 0, 0, 0, 0], [0, 1, 2, 3, 4]])
def test_the_loss_is_that_of_the_best_of_all_forests(dtype, seed, groups):
    similarities = cosines(dtype, len(groups), seed)
    loss = structural_loss(similarities, same_of(groups), weight=C, penalty=R)
    assert loss.dtype == dtype
    assert loss.item() == pytest.approx(slow_loss(similarities.detach(), groups), abs=1e-5)
    assert loss > 0.01 or len(set(groups)) == 1  # one subtopic can be right by chance


def test_a_forest_has_the_edges_of_kruskal():
    values = np.array([[0, 3, 1, -1], [3, 0, 2, 0], [1, 2, 0, -5], [-1, 0, -5, 0]], dtype=float)
    assert sorted(spanning_forest(values).T.tolist()) == [[0, 1], [1, 2], [1, 3]]
    apart = np.where(values == 3, values, -np.inf)
    assert spanning_forest(apart).T.tolist() == [[0, 1]]
    assert spanning_forest(np.zeros((1, 1))).shape == (2, 0)


def test_a_good_set_costs_nothing_and_a_bad_one_does():
    same = same_of([0, 0, 1, 1])
    good = torch.where(same, 0.9, -0.9)
    assert structural_loss(good, same, weight=C, penalty=R) == pytest.approx(0, abs=1e-6)
    assert structural_loss(-good, same, weight=C, penalty=R) > 1


def test_the_margin_is_c_within_subtopics_and_c_times_r_between_them():
    same = same_of([0, 0, 1])
    for within, between, costs in [
        (C + 0.01, -C * R - 0.01, False),
        (C - 0.01, -C * R - 0.01, True),
        (C + 0.01, -C * R + 0.01, True),
    ]:
        loss = structural_loss(torch.where(same, within, between), same, weight=C, penalty=R)
        assert (loss.item() > 1e-6) == costs


def test_only_chosen_edges_learn():
    similarities = torch.tensor(
        [[1.0, 0.1, 0.8], [0.1, 1.0, -0.9], [0.8, -0.9, 1.0]], requires_grad=True
    )
    structural_loss(similarities, same_of([0, 0, 1]), weight=C, penalty=R).backward()
    # The wrong edge is pushed apart, the true one pulled together; the third is in no forest.
    assert similarities.grad[0, 2] == 1 and similarities.grad[0, 1] == -1
    assert similarities.grad[1, 2] == 0


def test_a_single_passage_costs_nothing():
    similarities = cosines(torch.float32, 1)
    loss = structural_loss(similarities, same_of([0]), weight=C, penalty=R)
    loss.backward()
    assert loss == 0
