"""The equations of AECL's rivals, each against a loop that is written as the papers print it."""

import math

import numpy as np
import pytest
import torch

from benchmarks.methods.rivals.learners import class_loss, instance_contrast, rstc_loss, sccl_loss
from benchmarks.methods.rivals.soft_assignments import (
    assignment_divergence,
    kmeans_centres,
    student_assignments,
    target_distribution,
)
from benchmarks.methods.rivals.transport import adaptive_transport, class_sizes

N, D, K = 6, 4, 3
both = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def drawn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def close(found, expected, dtype):
    tolerance = 2e-5 if dtype == torch.float32 else 1e-11
    assert found.dtype == dtype
    expected = torch.as_tensor(expected, dtype=torch.float64)
    torch.testing.assert_close(found.double(), expected, rtol=tolerance, atol=tolerance)


@both
@pytest.mark.parametrize("freedom", [1.0, 10.0])
def test_student_assignments_are_dec_equation_1(dtype, freedom):
    z, centres = drawn(N, D, dtype=dtype), drawn(K, D, seed=1, dtype=dtype)
    kernel = [
        [
            (1 + sum((float(z[i, d]) - float(centres[j, d])) ** 2 for d in range(D)) / freedom)
            ** (-(freedom + 1) / 2)
            for j in range(K)
        ]
        for i in range(N)
    ]
    expected = [[kernel[i][j] / sum(kernel[i]) for j in range(K)] for i in range(N)]
    close(student_assignments(z, centres, freedom), expected, dtype)


@both
def test_targets_are_dec_equation_3_and_sharpen(dtype):
    q = (2 * drawn(N, K, dtype=dtype)).softmax(dim=1)
    sums = [sum(float(q[i, j]) for i in range(N)) for j in range(K)]
    expected = []
    for i in range(N):
        weights = [float(q[i, j]) ** 2 / sums[j] for j in range(K)]
        expected.append([weight / sum(weights) for weight in weights])
    p = target_distribution(q)
    close(p, expected, dtype)
    assert p.max(dim=1).values.mean() > q.max(dim=1).values.mean()


@both
def test_divergence_is_dec_equation_2(dtype):
    q = drawn(N, K, dtype=dtype).softmax(dim=1)
    p = drawn(N, K, seed=1, dtype=dtype).softmax(dim=1)
    expected = (
        sum(
            float(p[i, j]) * math.log(float(p[i, j]) / float(q[i, j]))
            for i in range(N)
            for j in range(K)
        )
        / N
    )
    close(assignment_divergence(p, q), expected, dtype)
    assert assignment_divergence(q, q) == pytest.approx(0, abs=1e-7) and expected > 0.01


@both
def test_instance_contrast_is_sccls_and_good_pairs_cost_less(dtype):
    z1, z2 = drawn(N, D, dtype=dtype), drawn(N, D, seed=1, dtype=dtype)
    z = torch.cat([z1, z2])

    def sim(a, b):
        return float(a @ b / (a.norm() * b.norm()))

    losses = []
    for i in range(2 * N):
        other = (i + N) % (2 * N)
        against = sum(math.exp(sim(z[i], z[j]) / 0.5) for j in range(2 * N) if j != i)
        losses.append(-math.log(math.exp(sim(z[i], z[other]) / 0.5) / against))
    close(instance_contrast(z1, z2, 0.5), sum(losses) / (2 * N), dtype)
    assert instance_contrast(z1, z1 + 0.01 * z2, 0.5) < instance_contrast(z1, z2, 0.5)


@both
def test_class_loss_is_rstcs_and_the_sums_are_weighed(dtype):
    logits = drawn(N, K, dtype=dtype), drawn(N, K, seed=1, dtype=dtype)
    labels = torch.tensor([0, 1, 2, 2, 1, 0])
    expected = sum(
        -math.log(float(one.softmax(dim=1)[i, labels[i]])) / N for one in logits for i in range(N)
    )
    close(class_loss(labels, logits), expected, dtype)
    one, other = torch.tensor(2.0), torch.tensor(3.0)
    assert sccl_loss(one, other, 10.0) == 32.0 and rstc_loss(one, other, 10.0) == 32.0


@pytest.mark.parametrize("penalty", [0.001, 0.1, 1.0])
def test_class_sizes_are_where_the_derivative_is_zero(penalty):
    columns = np.array([0.3, 0.2, 0.05, 1.0])
    b = class_sizes(columns, 0.1, penalty)
    assert b.sum() == pytest.approx(1, abs=1e-9) and (b > 0).all() and (b < 1).all()
    # For some h the same of all classes: penalty * (-1 / b + 1 / (1 - b)) + g - h = 0.
    h = penalty * (-1 / b + 1 / (1 - b)) + 0.1 * np.log(b / columns)
    np.testing.assert_allclose(h, h[0], atol=1e-5)
    # Given the potentials that go with them, they are the source's own formula.
    c = 0.1 * np.log(b / columns) - h[0]
    roots = (c + 2 * penalty - np.sqrt(c**2 + 4 * penalty**2)) / (2 * c)
    np.testing.assert_allclose(b, roots, rtol=1e-4)
    # The more goes there by itself, the larger; the more penalty, the more equal.
    assert (np.argsort(columns) == np.argsort(b)).all()
    assert np.ptp(class_sizes(columns, 0.1, 10 * penalty)) < np.ptp(b)
    np.testing.assert_allclose(class_sizes(np.ones(5), 0.1, penalty), 0.2, rtol=1e-6)


def test_the_plan_is_a_plan_and_finds_unequal_classes():
    generator = np.random.default_rng(0)
    gold = np.repeat([0, 1, 2], [60, 30, 10])
    logits = generator.normal(size=(100, 3))
    logits[np.arange(100), gold] += 3
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    plan, sizes = adaptive_transport(p, penalty=0.001)
    np.testing.assert_allclose(plan.sum(axis=1), 0.01, rtol=1e-9)
    np.testing.assert_allclose(plan.sum(axis=0), sizes, atol=1e-4)
    assert sizes[0] > sizes[1] > sizes[2]
    assert (plan.argmax(axis=1) == gold).mean() > 0.9
    _, equal = adaptive_transport(p, penalty=100.0)
    np.testing.assert_allclose(equal, 1 / 3, atol=2e-3)


def test_the_plan_is_the_one_of_least_cost():
    generator = np.random.default_rng(3)
    p = generator.dirichlet([1.0, 2.0, 1.0], size=8)
    plan, _ = adaptive_transport(p, smoothing=0.3, penalty=0.05, tolerance=1e-13, max_rounds=400)

    def cost(pi):
        total = 0.0
        for i in range(8):
            for j in range(3):
                total += pi[i, j] * -math.log(p[i, j]) + 0.3 * pi[i, j] * (math.log(pi[i, j]) - 1)
        for b in pi.sum(axis=0):
            total += 0.05 * (-math.log(b) - math.log(1 - b))
        return total

    lowest = cost(plan)
    for _ in range(200):
        # Any other plan with the same rows costs more.
        moved = plan + 1e-3 * generator.normal(size=plan.shape) * plan
        moved *= (1 / 8) / moved.sum(axis=1, keepdims=True)
        assert cost(moved) > lowest


def test_probabilities_of_zero_are_no_trouble():
    p = np.zeros((20, 4), dtype=np.float32)
    p[:, 0] = 1.0
    plan, sizes = adaptive_transport(p, penalty=0.001)
    assert np.isfinite(plan).all() and sizes.sum() == pytest.approx(1)
    assert plan.sum() == pytest.approx(1)


def test_centres_are_as_many_as_asked_for():
    points = np.repeat(np.eye(3, dtype=np.float32), 5, axis=0)
    centres = kmeans_centres(points, 3, 0)
    np.testing.assert_allclose(sorted(centres.tolist()), sorted(np.eye(3).tolist()), atol=1e-9)
    assert kmeans_centres(np.ones((6, 2), dtype=np.float32), 4, 0).shape == (4, 2)
