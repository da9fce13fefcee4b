"""AECL's equations, each against a loop that is written as the paper prints it."""

import math

import pytest
import torch

from subclust.methods.aecl.losses import (
    NO_LABEL,
    assignment_entropy,
    cluster_loss,
    cluster_terms,
    confident_labels,
    cosines,
    guided_terms,
    instance_terms,
    mean_assignment_entropy,
    pseudo_label_loss,
    similarity_guided_loss,
)
from subclust.methods.aecl.models import (
    SampleAttention,
    consistent_representations,
    projections,
    similarity_matrix,
)
from subclust.methods.aecl.objective import AeclObjective, second_stage_loss, third_stage_loss

N, D, M = 6, 5, 3
both = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def drawn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def probabilities(seed, dtype=torch.float64):
    return (2 * drawn(N, M, seed=seed, dtype=dtype)).softmax(dim=1)


def sim(a, b):
    dot = sum(float(x) * float(y) for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(float(x) ** 2 for x in a) * sum(float(y) ** 2 for y in b))


def close(found, expected, dtype):
    tolerance = 1e-5 if dtype == torch.float32 else 1e-12
    assert found.dtype == dtype
    torch.testing.assert_close(
        found.double(),
        torch.as_tensor(expected, dtype=torch.float64),
        rtol=tolerance,
        atol=tolerance,
    )


@both
def test_attention_is_equations_1_to_3(dtype):
    z, weights = drawn(N, D, dtype=dtype), [drawn(D, D, seed=s, dtype=dtype) for s in (1, 2, 3)]
    found = projections(z, *weights)
    for k, w in zip(found, weights, strict=True):
        expected = [
            [sum(float(z[i, a]) * float(w[a, b]) for a in range(D)) for b in range(D)]
            for i in range(N)
        ]
        close(k, expected, dtype)
    k1, k2, t = found
    s = similarity_matrix(k1, k2)
    rows = []
    for i in range(N):
        raised = [math.exp(float(k1[i] @ k2[j]) / math.sqrt(D)) for j in range(N)]
        rows.append([value / sum(raised) for value in raised])
    assert max(max(row) for row in rows) > 0.5  # not all alike
    close(s, rows, dtype)
    h = consistent_representations(s, t)
    expected = [
        [sum(rows[i][j] * float(t[j, d]) for j in range(N)) for d in range(D)] for i in range(N)
    ]
    close(h, expected, dtype)


def test_the_network_uses_the_equations():
    torch.manual_seed(0)
    network, z = SampleAttention(D), drawn(N, D, dtype=torch.float32)
    h, s = network(z)
    k1, k2, t = (z @ layer.weight.T for layer in (network.k1, network.k2, network.t))
    torch.testing.assert_close(s, similarity_matrix(k1, k2))
    torch.testing.assert_close(h, s @ t)


@both
def test_pseudo_labels_are_equation_4(dtype):
    p = torch.tensor([[0.96, 0.03, 0.01], [0.5, 0.3, 0.2], [0.01, 0.02, 0.97]], dtype=dtype)
    assert confident_labels(p, 0.95).tolist() == [0, NO_LABEL, 2]
    assert confident_labels(p, 0.4).tolist() == [0, 0, 2]
    sure = torch.tensor([[1.0, 0.0, 0.0]], dtype=dtype)
    assert confident_labels(sure, 1.0).tolist() == [NO_LABEL]  # above, not at, the threshold


@both
def test_the_entropy_of_assignments_is_equation_5(dtype):
    p = probabilities(1, dtype)
    expected = -sum(float(v) * math.log(float(v)) for row in p for v in row) / N
    close(assignment_entropy(p), expected, dtype)
    sure = torch.eye(M, dtype=dtype)
    assert float(assignment_entropy(sure)) == 0  # 0 log 0 is 0


@both
def test_texts_that_are_beyond_doubt_do_not_stop_the_training(dtype):
    logits = torch.tensor([[2000.0, 0.0, 0.0], [0.0, 1.0, -2000.0]], dtype=dtype)
    logits.requires_grad_()
    p = logits.softmax(dim=1)
    assert float(p.detach().min()) == 0
    (assignment_entropy(p) + mean_assignment_entropy(p, p)).backward()
    assert torch.isfinite(logits.grad).all()
    assert logits.grad.abs().max() > 0


def instance_loop(z0, z1, tau):
    def e(a, b):
        return math.exp(sim(a, b) / tau)

    terms = []
    for i in range(N):
        own = e(z0[i], z1[i])
        first = sum(e(z0[i], z0[k]) + e(z0[i], z1[k]) for k in range(N) if k != i)
        second = sum(e(z1[i], z1[k]) + e(z1[i], z0[k]) for k in range(N) if k != i)
        terms.append(own / first + own / second)
    return terms


@both
@pytest.mark.parametrize("tau", [0.5, 1.0])
def test_instance_terms_are_equation_6(dtype, tau):
    z0, z1 = drawn(N, D, dtype=dtype), drawn(N, D, seed=1, dtype=dtype)
    expected = instance_loop(z0, z1, tau)
    assert max(expected) > 2 * min(expected)
    close(instance_terms(z0, z1, tau), expected, dtype)


@both
@pytest.mark.parametrize("itself", [False, True])
def test_guided_terms_are_equation_7(dtype, itself):
    z, h = drawn(N, D, dtype=dtype), drawn(N, D, seed=1, dtype=dtype)
    s = drawn(N, N, seed=2, dtype=dtype).softmax(dim=1)
    groups, tau = torch.tensor([0, 1, 0, 0, 1, 2]), 0.7

    def e(a, b):
        return math.exp(sim(a, b) / tau)

    expected = []
    for i in range(N):
        positives = [j for j in range(N) if groups[j] == groups[i] and (itself or j != i)]
        of_z = sum(e(z[i], z[k]) + e(z[i], h[k]) for k in range(N) if k != i)
        of_h = sum(e(h[i], h[k]) + e(h[i], z[k]) for k in range(N) if k != i)
        expected.append(
            sum(float(s[i, j]) * e(z[i], h[j]) for j in positives) / of_z
            + sum(float(s[i, j]) * e(h[i], z[j]) for j in positives) / of_h
        )
    assert (expected[5] > 0) == itself  # alone in its group
    close(guided_terms(z, h, s, groups, tau, itself=itself), expected, dtype)


@both
def test_cosines_are_equation_8(dtype):
    a, b = drawn(4, D, dtype=dtype), drawn(3, D, seed=1, dtype=dtype)
    close(cosines(a, b), [[sim(x, y) for y in b] for x in a], dtype)


@both
def test_the_guided_loss_is_equation_9(dtype):
    l1, first, second = (drawn(N, seed=s, dtype=dtype).abs() for s in (1, 2, 3))
    expected = -sum(math.log(float(l1[i] + l2[i])) for i in range(N) for l2 in (first, second)) / (
        2 * N
    )
    close(similarity_guided_loss(l1, (first, second)), expected, dtype)
    alone = -sum(math.log(float(value)) for value in l1) / N
    close(similarity_guided_loss(l1, None), alone, dtype)


@both
def test_cluster_terms_are_equation_10_and_their_mean_equation_11(dtype):
    p0, p1, tau = probabilities(1, dtype), probabilities(2, dtype), 0.5

    def e(a, b):
        return math.exp(sim(a, b) / tau)

    expected = []
    for i in range(M):
        own = e(p0[:, i], p1[:, i])
        first = sum(e(p0[:, i], p0[:, k]) + e(p0[:, i], p1[:, k]) for k in range(M) if k != i)
        second = sum(e(p1[:, i], p1[:, k]) + e(p1[:, i], p0[:, k]) for k in range(M) if k != i)
        expected.append(-math.log(own / first) - math.log(own / second))
    assert max(expected) - min(expected) > 0.05
    terms = cluster_terms(p0, p1, tau)
    close(terms, expected, dtype)
    close(cluster_loss(terms), sum(expected) / (2 * M), dtype)


@both
def test_the_pseudo_label_loss_is_equation_12(dtype):
    logits = drawn(N, M, seed=4, dtype=dtype)
    labels = torch.tensor([0, NO_LABEL, 2, 1, NO_LABEL, 0])
    p = logits.softmax(dim=1)
    expected = -sum(math.log(float(p[i, y])) for i, y in enumerate(labels) if y != NO_LABEL) / N
    close(pseudo_label_loss(labels, logits), expected, dtype)
    nobody = torch.full((N,), NO_LABEL)
    assert float(pseudo_label_loss(nobody, logits)) == 0


@both
def test_the_entropy_of_sizes_is_equation_13(dtype):
    p0, p1 = probabilities(1, dtype), probabilities(2, dtype)
    total = 0.0
    for j in range(M):
        for p in (p0, p1):
            q = sum(float(p[i, j]) for i in range(N)) / N
            total += q * math.log(q)
    close(mean_assignment_entropy(p0, p1), -total / 2, dtype)


def test_the_stages_weigh_as_equations_14_and_15():
    objective = AeclObjective(imbalance="slight")
    parts = [torch.tensor(value) for value in (2.0, 3.0, 5.0, 7.0, 11.0)]
    cluster, instance, pseudo, row, column = parts
    assert float(second_stage_loss(instance, pseudo, objective)) == pytest.approx(10 * 3 + 5 * 5)
    expected = 2 + 10 * 3 + 5 * 5 - 0.01 * 7 - 0.18 * 11
    whole = third_stage_loss(cluster, instance, pseudo, row, column, objective)
    assert float(whole) == pytest.approx(expected)


def test_texts_near_their_augmentations_cost_less_than_texts_near_others():
    z = torch.eye(N)
    near = instance_terms(z, z + 0.01, 0.5)
    far = instance_terms(z, z.roll(1, dims=0), 0.5)
    assert similarity_guided_loss(near, None) < similarity_guided_loss(far, None)


def test_attending_to_the_own_cluster_costs_less_than_attending_to_others():
    z = torch.eye(M).repeat_interleave(2, dim=0)
    groups = torch.arange(M).repeat_interleave(2)
    same = (groups[:, None] == groups[None, :]).float()
    l1 = instance_terms(z, z, 0.5)
    costs = []
    for s in (same / 2, (1 - same) / (N - 2)):
        l2 = guided_terms(z, s @ z, s, groups, 0.5)
        costs.append(float(similarity_guided_loss(l1, (l2, l2))))
    assert costs[0] < costs[1] - 0.1


def test_clusters_that_differ_and_agree_cost_less():
    right = torch.eye(M).repeat(2, 1)
    mixed = torch.full((2 * M, M), 1 / M)
    moved = right.roll(1, dims=1)
    loss = [float(cluster_loss(cluster_terms(right, p, 0.5))) for p in (right, mixed, moved)]
    assert loss[0] < loss[1] < loss[2]


def test_one_cluster_for_all_is_what_the_third_stage_lowers_least():
    even, one = torch.eye(M).repeat(2, 1), torch.zeros(2 * M, M)
    one[:, 0] = 1
    zero = torch.tensor(0.0)
    costs = [
        float(
            third_stage_loss(zero, zero, zero, zero, mean_assignment_entropy(p, p), AeclObjective())
        )
        for p in (even, one)
    ]
    assert costs[0] < costs[1]
