import numpy as np
import pytest
import torch

from subclust.methods.cob.blackbox import AverageLink, ByClusterer, cluster
from subclust.methods.cob.objective import rand_loss

LINE = (0.0, 1.0, 1.8, 4.0)
"""Average link with two groups puts the first three together; 1.8 and 4.0 should be."""

TRUE = torch.tensor([0, 0, 1, 1])


def adjacency(groups, dtype=torch.float64):
    return (groups[:, None] == groups[None, :]).to(dtype)


def line_distances(points):
    return (points[:, None] - points[None, :]).abs()


def random_sets(dtype, sizes=(5, 9, 14), seed=0):
    generator = np.random.default_rng(seed)
    sets = [torch.as_tensor(generator.normal(size=(n, 4)), dtype=dtype) for n in sizes]
    truths = [torch.as_tensor(generator.integers(0, 3, n)) for n in sizes]
    return [torch.cdist(points, points) for points in sets], truths


def slow_average_link(distances, n_clusters):
    """Merge the two groups that are nearest on average, one loop for each of the two."""
    groups = [[row] for row in range(len(distances))]
    while len(groups) > n_clusters:
        pairs = [(a, b) for b in range(len(groups)) for a in range(b)]
        means = [
            np.mean([[distances[i, j] for j in groups[b]] for i in groups[a]]) for a, b in pairs
        ]
        a, b = pairs[int(np.argmin(means))]
        groups[a] += groups.pop(b)
    labels = np.empty(len(distances), dtype=int)
    for number, rows in enumerate(groups):
        labels[rows] = number
    return labels


def slow_gradient(distances, true, n_clusters, interpolation):
    """Follow algorithm 1 of Vlastelica et al. pair by pair, with the Rand index's gradient."""
    n = len(distances)
    found = slow_average_link(distances, n_clusters)
    moved = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            together, wanted = found[i] == found[j], true[i] == true[j]
            incoming = int(together) - int(wanted)
            moved[i, j] = max(distances[i, j] + interpolation * incoming, 0.0)
    other = slow_average_link(moved, n_clusters)
    gradient = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            difference = int(found[i] == found[j]) - int(other[i] == other[j])
            gradient[i, j] = -difference / interpolation
    return found, gradient


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("interpolation", [0.3, 2.0, 90.0])
def test_forward_and_backward_are_those_of_the_slow_loops(dtype, interpolation):
    distances, truths = random_sets(dtype)
    inputs = [d.clone().requires_grad_() for d in distances]
    counts = [len(true.unique()) for true in truths]
    found = cluster(inputs, counts, AverageLink(), interpolation)
    loss = sum(rand_loss(a, adjacency(true, dtype)) for a, true in zip(found, truths, strict=True))
    loss.backward()
    seen = []
    for one, given, true, count in zip(found, inputs, truths, counts, strict=True):
        labels, gradient = slow_gradient(given.detach().numpy(), true, count, interpolation)
        np.testing.assert_array_equal(one.detach().numpy(), labels[:, None] == labels[None, :])
        np.testing.assert_allclose(given.grad.numpy(), gradient, rtol=1e-6)
        assert one.dtype == given.grad.dtype == dtype
        seen.append(np.abs(gradient).sum())
    assert max(seen) > 0


def test_by_hand_a_step_down_the_gradient_puts_the_third_point_right():
    points = torch.tensor(LINE, dtype=torch.float64, requires_grad=True)
    (found,) = cluster([line_distances(points)], [2], AverageLink(), 10.0)
    assert found.tolist() == [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]]
    loss = rand_loss(found, adjacency(TRUE))
    assert loss == 6  # (0, 2), (1, 2) wrongly together and (2, 3) wrongly apart, in both orders
    loss.backward()
    # Both pairs that are wrongly together pull the third point up, the third pair too.
    assert points.grad[2] < 0 < points.grad[3]
    assert points.grad[0] > 0 and points.grad[1] > 0
    with torch.no_grad():
        for _ in range(50):
            moved = points - 1.0 * points.grad
            (after,) = cluster([line_distances(moved)], [2], AverageLink(), 10.0)
            if rand_loss(after, adjacency(TRUE)) == 0:
                break
            points.copy_(moved)
    assert rand_loss(after, adjacency(TRUE)) == 0


def test_the_gradient_of_distances_is_minus_the_change_over_lambda():
    distances = line_distances(torch.tensor(LINE, dtype=torch.float64)).requires_grad_()
    (found,) = cluster([distances], [2], AverageLink(), 10.0)
    rand_loss(found, adjacency(TRUE)).backward()
    expected = torch.zeros(4, 4, dtype=torch.float64)
    for i, j, sign in [(0, 2, -1), (1, 2, -1), (2, 3, 1)]:
        expected[i, j] = expected[j, i] = sign / 10.0
    torch.testing.assert_close(distances.grad, expected)


def test_no_gradient_where_the_groups_are_right_already():
    distances, _ = random_sets(torch.float64)
    for given in distances:
        given.requires_grad_()
    found = cluster(distances, [2, 3, 4], AverageLink(), 90.0)
    sum(rand_loss(one, one.detach().clone()) for one in found).backward()
    for given in distances:
        assert torch.equal(given.grad, torch.zeros_like(given))


def test_distances_never_go_below_zero():
    seen = []

    class Recording(AverageLink):
        def _labels(self, distances, n_clusters):
            seen.append(distances.copy())
            return super()._labels(distances, n_clusters)

    distances = line_distances(torch.tensor(LINE, dtype=torch.float64)).requires_grad_()
    (found,) = cluster([distances], [2], Recording(), 90.0)
    rand_loss(found, adjacency(TRUE)).backward()
    before, after = seen
    assert (after >= 0).all() and after[2, 3] == 0 < before[2, 3]
    assert after[0, 2] == before[0, 2] + 90


def test_any_clusterer_can_stand_in_the_layer():
    from subclust.grouping.clustering.kmeans import KMeansSubtopics

    generator = np.random.default_rng(0)
    centres = np.repeat([[0, 0], [6, 0], [0, 6]], 5, axis=0)
    points = torch.tensor(centres + generator.normal(size=(15, 2)), dtype=torch.float64)
    true = torch.arange(3).repeat_interleave(5)
    wrong = points.clone()
    wrong[4] = points[7]
    wrong.requires_grad_()
    distances = torch.cdist(wrong, wrong, compute_mode="donot_use_mm_for_euclid_dist")
    (found,) = cluster([distances], [3], ByClusterer(KMeansSubtopics()), 20.0)
    assert found[4, 7] == 1 and found[4, 0] == 0
    rand_loss(found, adjacency(true)).backward()
    towards_its_own = points[:4].mean(dim=0) - wrong[4].detach()
    assert float(-wrong.grad[4] @ towards_its_own) > 0


def test_the_count_may_exceed_the_passages_and_a_single_passage_is_a_group():
    one, three = torch.zeros(1, 1), line_distances(torch.tensor(LINE[:3]))
    found = cluster([one, three], [2, 7], AverageLink(), 1.0)
    assert found[0].tolist() == [[1.0]] and torch.equal(found[1], torch.eye(3))
