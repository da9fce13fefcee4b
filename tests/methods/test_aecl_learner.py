"""What each of AECL's stages asks of a batch (Algorithm 1), against the equations one by one."""

import math

import numpy as np
import pytest
import torch

from subclust.methods.aecl.learner import AeclLearner, Batch
from subclust.methods.aecl.models import AeclNetwork
from subclust.methods.aecl.objective import AeclObjective
from subclust.training.recipe import TrainingArguments

N, D, K = 14, 12, 3
TEXTS = [f"text {number}" for number in range(N)]


def unit(seed):
    drawn = np.random.default_rng(seed).standard_normal((N, D))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def make(tmp_path):
    def made(**objective):
        torch.manual_seed(0)
        learner = AeclLearner(
            AeclNetwork(D, K, latent_dim=6, dropout=0.0),
            [TEXTS, TEXTS],
            AeclObjective(imbalance="slight", threshold=0.34, **objective),
            TrainingArguments(batch_passages=N),
            vectors=[unit(1), unit(2)],
            folder=tmp_path,
        )
        learner.model.double().eval().requires_grad_(False)
        return learner

    return made


def views(learner):
    both = [torch.as_tensor(unit(seed), dtype=torch.float64) for seed in (1, 2)]
    return both, [learner.network(part) for part in both]


def cos(a, b):
    return float(a @ b / (a.norm() * b.norm()))


def instance(views, objective):
    """Equations 6, 7 and 9; whose groups equation 7 takes are those of the texts as they are."""
    z, h, s = [v.z for v in views], [v.h for v in views], [v.s for v in views]
    group = views[0].logits.argmax(dim=1)
    tau, total = objective.instance_temperature, 0.0

    def e(a, b):
        return math.exp(cos(a, b) / tau)

    for i in range(N):
        others = [k for k in range(N) if k != i]
        first = sum(
            e(z[v][i], z[1 - v][i])
            / sum(e(z[v][i], z[v][k]) + e(z[v][i], z[1 - v][k]) for k in others)
            for v in (0, 1)
        )
        for v in (0, 1):
            second = 0.0
            for a, b in ((z[v], h[v]), (h[v], z[v])) if objective.guided else ():
                likes = sum(
                    float(s[v][i, j]) * e(a[i], b[j]) for j in range(N) if group[j] == group[i]
                )
                second += likes / sum(e(a[i], a[k]) + e(a[i], b[k]) for k in others)
            total -= math.log(first + second)
    return total / (2 * N)


def clusters(p, objective):
    """Equations 10 and 11."""
    tau, total = objective.cluster_temperature, 0.0
    for i in range(K):
        for v in (0, 1):
            near = math.exp(cos(p[v][:, i], p[1 - v][:, i]) / tau)
            far = sum(
                math.exp(cos(p[v][:, i], p[w][:, k]) / tau)
                for k in range(K)
                if k != i
                for w in (0, 1)
            )
            total -= math.log(near / far)
    return total / (2 * K)


def entropy(row):
    return -sum(float(x) * math.log(float(x)) for x in row)


@pytest.mark.parametrize("guided", [True, False])
def test_the_first_stage_asks_for_equation_9_alone(make, guided):
    learner = make(guided=guided)
    both, seen = views(learner)
    wanted = 10 * instance(seen, learner.objective)
    found = learner.batch_loss(Batch(np.arange(N), 1), both)
    assert float(found) == pytest.approx(wanted, rel=1e-9)
    other = make(guided=not guided)
    assert float(other.batch_loss(Batch(np.arange(N), 1), both)) != pytest.approx(wanted, rel=1e-6)


def test_the_second_stage_adds_the_labels_of_k_means_over_the_augmentations(make):
    learner = make()
    both, seen = views(learner)
    labels = np.arange(N) % K
    # Equation 12, in which a text's label is asked of its augmentation.
    told = -sum(math.log(float(seen[1].p[i, labels[i]])) for i in range(N)) / N
    found = learner.batch_loss(Batch(np.arange(N), 2, labels), both)
    assert float(found) == pytest.approx(
        10 * instance(seen, learner.objective) + 5 * told, rel=1e-9
    )


def test_the_third_stage_asks_for_equation_15(make):
    learner = make()
    both, seen = views(learner)
    p = [view.p for view in seen]
    told, sure = 0.0, 0
    for i in range(N):
        if float(p[0][i].max()) > learner.objective.threshold:
            sure += 1
            told -= math.log(float(p[1][i, int(p[0][i].argmax())]))
    assert 0 < sure
    assigned = sum(entropy(row) for row in p[0]) / N
    sizes = (entropy(p[0].mean(dim=0)) + entropy(p[1].mean(dim=0))) / 2
    wanted = (
        clusters(p, learner.objective)
        + 10 * instance(seen, learner.objective)
        + 5 * told / N
        - 0.01 * assigned
        - 0.18 * sizes
    )
    found = learner.batch_loss(Batch(np.arange(N), 3), both)
    assert float(found) == pytest.approx(wanted, rel=1e-9)


def test_an_epoch_meets_every_text_once_and_has_labels_in_the_second_stage_alone(make):
    learner = make(first_stage=1, second_stage=1)
    generator = np.random.default_rng(0)
    learner.arguments = TrainingArguments(batch_passages=5)
    for epoch, stage in enumerate((1, 2, 3)):
        batches = learner.epoch_batches(epoch, generator)
        assert {batch.stage for batch in batches} == {stage}
        assert sorted(np.concatenate([batch.rows for batch in batches])) == list(range(N))
        assert all((batch.labels is not None) == (stage == 2) for batch in batches)
