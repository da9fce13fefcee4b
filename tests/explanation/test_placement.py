import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.explanation.placement import Groups
from subclust.grouping.clustering.strength import passage_strengths


def symmetric(n, seed=0):
    scores = np.random.default_rng(seed).normal(size=(n, n)).astype(np.float32)
    return (scores + scores.T) / 2


@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 1, 1, 2, 2], [0] * 8, [0, 0, 0, 0, 0, 1, 1, 2]])
def test_the_strength_is_that_of_the_clusterer(labels):
    labels, scores = np.array(labels), symmetric(8)
    groups = Groups(scores, labels)
    placed = [groups.place(row).strength for row in range(8)]
    np.testing.assert_allclose(placed, passage_strengths(scores, labels), atol=1e-5)
    assert np.ptp(placed) > 0.05


def test_other_passages_count_neither_as_group_nor_as_neighbour():
    labels = np.array([0, 0, 0, 1, 1, -1, 0, -1])
    scores = symmetric(8, seed=1)
    kept = np.flatnonzero(labels >= 0)
    expected = passage_strengths(scores[np.ix_(kept, kept)], labels[kept])
    groups = Groups(scores, labels)
    placed = [groups.place(int(row)).strength for row in kept]
    np.testing.assert_allclose(placed, expected, atol=1e-5)


def test_likeness_runner_up_and_margin_against_a_slow_loop():
    labels, scores = np.array([0, 0, 1, 1, 2, 2, 2]), symmetric(7, seed=2)
    for row in range(7):
        means = {}
        for group in (0, 1, 2):
            others = [scores[row, j] for j in range(7) if labels[j] == group and j != row]
            means[group] = sum(others) / len(others)
        placed = Groups(scores, labels).place(row)
        rest = {group: mean for group, mean in means.items() if group != labels[row]}
        runner_up = max(rest, key=rest.__getitem__)
        assert placed.runner_up == runner_up
        assert placed.likeness == pytest.approx(means[labels[row]], abs=1e-5)
        assert placed.margin == pytest.approx(means[labels[row]] - means[runner_up], abs=1e-5)
        assert placed.nearest == max(means, key=means.__getitem__)


def test_an_other_passage_names_the_group_it_would_have_joined():
    scores = np.full((5, 5), 0.1, dtype=np.float32)
    scores[:2, :2] = scores[2:4, 2:4] = 0.9
    scores[4, 2:4] = scores[2:4, 4] = 0.4
    placed = Groups(scores, np.array([0, 0, 1, 1, -1])).place(4)
    assert (placed.group, placed.nearest, placed.runner_up) == (-1, 1, 0)
    assert placed.margin == pytest.approx(0.3)


def test_a_passage_alone_has_strength_0_and_a_runner_up():
    placed = Groups(symmetric(4), np.array([0, 1, 1, 1])).place(0)
    assert (placed.strength, placed.runner_up, placed.likeness) == (0.0, 1, 0.0)


def test_without_any_group_nothing_is_near():
    placed = Groups(symmetric(2), np.array([-1, -1])).place(0)
    assert (placed.group, placed.runner_up, placed.strength) == (-1, None, 0.0)


def test_scores_that_do_not_fit_are_refused():
    with raises(InputError, count=3, shape="(4, 4)"):
        Groups(symmetric(4), np.array([0, 1, 1]))
