"""What the batches of SCL and FCL hold, and which losses they are asked for (figure 1)."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch

from subclust.methods.scl.learner import FclLearner, SclLearner, SupervisedLearner
from subclust.methods.scl.models import LatentSpace
from subclust.methods.scl.objective import SclObjective
from subclust.methods.scl.weak_labels import WeakLabels
from subclust.training.recipe import TrainingArguments

N, D = 12, 9
TEXTS = [f"text {number}" for number in range(N)]
GROUPS = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, -1, -1, -1])


def unit(seed):
    drawn = np.random.default_rng(seed).standard_normal((N, D))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


def make(learner, folder, batch_passages=8, weak_labels=None, **objective):
    torch.manual_seed(0)
    made = learner(
        LatentSpace(D, 3, latent_dim=4, dropout=0.0),
        [TEXTS] * 3,
        SclObjective(**objective),
        TrainingArguments(batch_passages=batch_passages),
        vectors=[unit(seed) for seed in range(3)],
        folder=folder,
        **({} if weak_labels is None else {"weak_labels": weak_labels}),
    )
    made.model.double().eval().requires_grad_(False)
    return made


def cos(a, b):
    return float(a @ b / (a.norm() * b.norm()))


def pair_loss(points, i, j, tau, against):
    """Equation 2: two texts that belong together beside all that one is held against."""
    near = math.exp(cos(points[i], points[j]) / tau)
    return -math.log(near / sum(math.exp(cos(points[i], points[k]) / tau) for k in against))


def test_a_batch_of_scl_is_two_wordings_of_half_as_many_texts(tmp_path):
    learner = make(SclLearner, tmp_path)
    batches = learner.batches(np.random.default_rng(0))
    assert [len(batch) for batch in batches] == [4, 4, 4]
    assert sorted(np.concatenate(batches)) == list(range(N))


def test_scl_puts_wordings_of_a_text_together_and_does_not_look_at_the_text(tmp_path):
    learner = make(SclLearner, tmp_path)
    assert learner.learnt_views == (1, 2)
    rows = np.array([7, 2, 5])
    both = [torch.as_tensor(unit(seed)[rows], dtype=torch.float64) for seed in (1, 2)]
    first, second = (learner.network(part) for part in both)
    points = [point for pair in zip(first, second, strict=True) for point in pair]
    tau, total = learner.objective.temperature, 0.0
    for i in range(6):
        partner = i + 1 if i % 2 == 0 else i - 1
        total += pair_loss(points, i, partner, tau, [k for k in range(6) if k != i])
    assert float(learner.batch_loss(rows, both)) == pytest.approx(total / 6, rel=1e-9)


def test_a_batch_of_fcl_is_pairs_of_texts_of_different_groups(tmp_path):
    learner = make(FclLearner, tmp_path, weak_labels=WeakLabels(GROUPS))
    batches = learner.batches(np.random.default_rng(0))
    assert 2 * 3 * len(batches) >= (GROUPS >= 0).sum()
    for batch in batches:
        pairs = GROUPS[batch].reshape(-1, 2)
        assert (pairs[:, 0] == pairs[:, 1]).all() and (pairs >= 0).all()
        assert len(set(pairs[:, 0])) == len(pairs) and len(set(batch)) == len(batch)
    smaller = make(FclLearner, tmp_path, 4, WeakLabels(GROUPS))
    assert {len(batch) for batch in smaller.batches(np.random.default_rng(0))} == {4}


def test_where_a_batch_has_nothing_apart_some_texts_are_set_against_it(tmp_path):
    apart = WeakLabels(GROUPS, frozenset({(0, 2)}))
    learner = make(FclLearner, tmp_path, 4, apart)
    generator = np.random.default_rng(0)
    drawn = [batch for _ in range(20) for batch in learner.batches(generator)]
    assert len({frozenset(GROUPS[batch[:4]]) for batch in drawn}) == 3
    for batch in drawn:
        first, added = set(GROUPS[batch[:4]]), GROUPS[batch[4:]]
        if first == {0, 2}:
            assert not len(added)
        else:
            assert len(added) and set(added) == ({2} if 0 in first else {0})


def test_fcl_learns_from_what_is_known_and_from_the_texts_themselves(tmp_path):
    learner = make(FclLearner, tmp_path, weak_labels=WeakLabels(GROUPS))
    assert not learner.objective.consistency
    rows = np.array([0, 1, 3, 4])
    vectors = [torch.as_tensor(unit(0)[rows], dtype=torch.float64)]
    points, tau = learner.network(vectors[0]), learner.objective.temperature
    wanted = [
        pair_loss(points, i, j, tau, [j, *(k for k in range(4) if k // 2 != i // 2)])
        for i, j in ((0, 1), (1, 0), (2, 3), (3, 2))
    ]
    assert all(a != b for a, b in pairwise(wanted))
    assert float(learner.batch_loss(rows, vectors)) == pytest.approx(sum(wanted) / 4, rel=1e-9)


@pytest.mark.parametrize("batch_passages", [4, 8, 160])
def test_the_rival_takes_as_many_steps_as_fcl_over_as_many_texts(tmp_path, batch_passages):
    known = WeakLabels(GROUPS)
    drawn = [
        make(learner, tmp_path, batch_passages, known).batches(np.random.default_rng(0))
        for learner in (FclLearner, SupervisedLearner)
    ]
    assert len(drawn[0]) == len(drawn[1])
    assert sorted(np.concatenate(drawn[1])) == list(range(9))
    assert max(map(len, drawn[1])) <= max(map(len, drawn[0]))


def test_with_all_labels_the_rival_may_see_more_texts_a_step(tmp_path):
    learner = make(SupervisedLearner, tmp_path, 160, WeakLabels(GROUPS), two_per_class=False)
    assert [len(batch) for batch in learner.batches(np.random.default_rng(0))] == [9]
