import numpy as np
import pytest
import torch
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods.qs3m.objective import (
    Calibration,
    Objective,
    draw_triple,
    pair_loss,
)
from subclust.training.queries import _pair_labels
from subclust.training.recipe import checked


def instance(*paths):
    return ClusteringInstance(
        Query("q"),
        tuple(
            Passage(str(n), f"text {n}", label=path.split(" / ")[0], path=path)
            for n, path in enumerate(paths)
        ),
    )


PATHS = ["History", "History / Early years", "History / Early years / Names", "History / Early"]


def test_flat_labels_look_at_the_top_level_alone():
    labels = _pair_labels(instance(*PATHS, "Geography"), "flat")
    expected = np.ones((5, 5), dtype=int)
    expected[4, :] = expected[:, 4] = 0
    np.fill_diagonal(expected, -1)
    np.testing.assert_array_equal(labels, expected)


def test_at_the_full_path_a_parent_and_its_descendants_are_ambiguous():
    labels = _pair_labels(instance(*PATHS, "History / Early years"), "hierarchical")
    # The parent against everything below it, the child against its own child; "Early" is not
    # above "Early years", although one name begins with the other.
    np.testing.assert_array_equal(
        labels,
        [
            [-1, -1, -1, -1, -1],
            [-1, -1, -1, 0, 1],
            [-1, -1, -1, 0, -1],
            [-1, 0, 0, -1, 0],
            [-1, 1, -1, 0, -1],
        ],
    )


def test_a_set_without_paths_has_the_same_labels_both_ways():
    flat = ClusteringInstance(
        Query("q"), tuple(Passage(str(n), "text", label=label) for n, label in enumerate("aabc"))
    )
    np.testing.assert_array_equal(_pair_labels(flat, "flat"), _pair_labels(flat, "hierarchical"))


def test_a_triple_is_one_pair_of_each_kind_with_a_common_passage():
    labels = _pair_labels(instance("a", "a", "a", "b", "b", "c"), "flat")
    generator = np.random.default_rng(0)
    anchors, drawn = set(), np.zeros((6, 6), dtype=int)
    for _ in range(400):
        triple = draw_triple(labels, generator)
        np.testing.assert_array_equal(triple, triple.T)
        same, different = (np.argwhere(np.triu(triple) == value) for value in (1, 0))
        # Below the diagonal np.triu gives 0s that are not pairs.
        different = [pair for pair in different if pair[0] < pair[1]]
        assert len(same) == len(different) == 1
        assert (triple != -1).sum() == 4
        common = set(same[0]) & set(different[0])
        assert len(common) == 1 and len(set(same[0]) | set(different[0])) == 3
        anchors |= common
        used = triple != -1
        np.testing.assert_array_equal(triple[used], labels[used])
        drawn += used
    # Every passage that has a partner is asked, and every usable pair is drawn in the end.
    assert anchors == {0, 1, 2, 3, 4}
    assert (drawn[labels == 1] > 0).all()
    assert (drawn > 0).sum() == (labels == 1).sum() + (labels == 0).sum()


def test_a_triple_leaves_ambiguous_pairs_alone():
    labels = _pair_labels(instance(*PATHS, PATHS[1], "Geography"), "hierarchical")
    generator = np.random.default_rng(0)
    for _ in range(100):
        triple = draw_triple(labels, generator)
        assert (triple[labels == -1] == -1).all()


@pytest.mark.parametrize("paths", [["a", "a", "a"], ["a", "b", "c"], ["a"]])
def test_no_triple_where_one_kind_is_missing(paths):
    triple = draw_triple(_pair_labels(instance(*paths), "flat"), np.random.default_rng(0))
    assert (triple == -1).all()


LABELS = _pair_labels(instance("a", "a", "a", "b", "b"), "flat")


def slow_loss(scores, labels, kind):
    costs = {1: [], 0: []}
    for i in range(len(labels)):
        for j in range(len(labels)):
            label, score = int(labels[i, j]), float(scores[i, j])
            if label == -1:
                continue
            if kind == "mse":
                costs[label].append((score - label) ** 2)
            else:
                chance = 1 / (1 + np.exp(-score))
                costs[label].append(-np.log(chance if label else 1 - chance))
    return (np.mean(costs[1]) + np.mean(costs[0])) / 2


@pytest.mark.parametrize("kind", ["bce", "mse"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_loss_is_its_formula(kind, dtype):
    scores = torch.randn(5, 5, generator=torch.Generator().manual_seed(0), dtype=dtype)
    loss = pair_loss(scores, torch.as_tensor(LABELS), kind)
    tolerance = 1e-5 if dtype == torch.float32 else 1e-12
    assert loss.item() == pytest.approx(slow_loss(scores, LABELS, kind), rel=tolerance)
    assert loss.dtype == dtype and loss.shape == ()
    assert loss.item() > 0.1


@pytest.mark.parametrize("kind", ["bce", "mse"])
def test_a_good_example_costs_less_than_a_bad_one(kind):
    labels = torch.as_tensor(LABELS)
    good = torch.where(labels == 1, 0.9, 0.1)
    bad = 1 - good
    losses = [pair_loss(scores, labels, kind).item() for scores in (good, bad)]
    assert losses[0] < losses[1]
    # One pair put right is already better.
    better = bad.clone()
    better[0, 1] = 0.9
    assert pair_loss(better, labels, kind).item() < losses[1]


@pytest.mark.parametrize("kind", ["bce", "mse"])
def test_both_kinds_of_pairs_weigh_the_same(kind):
    # One pair of the same subtopic among many of two.
    labels = torch.as_tensor(_pair_labels(instance("a", "a", *"bcdefgh"), "flat"))
    zero = torch.zeros(9, 9)
    base = pair_loss(zero, labels, kind).item()
    gains = []
    for value in (1, 0):
        scores = zero.clone()
        scores[labels == value] = 1.0 if value else -1.0
        gains.append(base - pair_loss(scores, labels, kind).item())
    assert gains[0] > 0
    if kind == "bce":
        assert gains[0] == pytest.approx(gains[1], rel=1e-5)


@pytest.mark.parametrize("kind", ["bce", "mse"])
def test_unused_pairs_have_no_gradient(kind):
    scores = torch.zeros(5, 5, requires_grad=True)
    labels = torch.as_tensor(LABELS)
    pair_loss(scores, labels, kind).backward()
    assert (scores.grad[labels == -1] == 0).all()
    assert (scores.grad[labels == 1] < 0).all()
    different = scores.grad[labels == 0]
    assert (different > 0).all() if kind == "bce" else (different == 0).all()


def test_calibration_keeps_the_order_of_scores():
    calibration = Calibration()
    scores = torch.linspace(-1, 1, 9)
    logits = calibration(scores)
    assert (logits.diff() > 0).all()
    with torch.no_grad():
        calibration.log_scale.fill_(-3.0)
    assert (calibration(scores).diff() > 0).all()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"loss": "hinge"}, {"key": "loss", "value": "hinge"}),
        ({"pairs": "some"}, {"key": "pairs", "value": "some"}),
        ({"context": "body"}, {"key": "context", "value": "body"}),
        ({"granularity": "deep"}, {"key": "granularity", "value": "deep"}),
        ({"tuned_layers": -1}, {"name": "tuned_layers", "value": -1}),
        ({"tuned_layers": 1.5}, {"key": "tuned_layers"}),
        ({"tuned_layers": True}, {"key": "tuned_layers"}),
        ({"validation_queries": -2}, {"name": "validation_queries", "value": -2}),
        ({"head_rate": 0}, {"head_rate": 0.0}),
        ({"tuned_layer": 1}, {"key": "tuned_layer"}),
    ],
)
def test_a_wrong_objective_is_refused(values, told):
    with raises(TrainingError, **told):
        checked(Objective, values, "The recipe's [objective]")
