import math

import numpy as np
import pytest
import torch

from benchmarks.distilling.objective import centred, contrast, taught_similarity

SETS = torch.tensor([0, 0, 1, 0, 1, 1, 0, 2])
LABELS = torch.tensor([0, 0, 5, 1, 5, 6, 1, 3])


def drawn(seed, n=8, dim=6):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, dim))).float()


def slowly(similarity, labels, taught, temperature, weight, level):
    """Compute the loss of each passage on its own."""
    total, anchors, squares = 0.0, 0, 0.0
    n = len(labels)
    for i in range(n):
        others = [j for j in range(n) if j != i and SETS[j] == SETS[i]]
        positive = [j for j in others if labels[i] >= 0 and labels[j] == labels[i]]
        says = 0 < len(positive) < len(others)
        if not others or (taught is None and not says):
            continue
        anchors += 1
        norm = math.log(sum(math.exp(similarity[i, j] / temperature) for j in others))
        soft = [math.exp(taught[i, j] / temperature) for j in others] if taught is not None else []
        hard = weight if taught is not None else 1.0
        hard = hard if says else 0.0
        for at, j in enumerate(others):
            wanted = hard * (j in positive) / max(len(positive), 1)
            if taught is not None:
                wanted += (1 - hard) * soft[at] / sum(soft)
            total -= wanted * (float(similarity[i, j]) / temperature - norm)
        if taught is not None:
            gaps = [(float(similarity[i, j]) - float(taught[i, j])) ** 2 for j in others]
            squares += sum(gaps) / len(gaps)
    return total / max(anchors, 1) + (level * squares / n if taught is not None else 0.0)


@pytest.mark.parametrize("with_teachers", [False, True])
@pytest.mark.parametrize("labels", [LABELS, torch.tensor([0, 0, -1, 1, -1, -1, 1, 3])])
def test_the_loss_is_that_of_the_loop(with_teachers, labels):
    unit = centred(drawn(0), SETS, 3)
    other = centred(drawn(1), SETS, 3)
    similarity, taught = unit @ unit.T, other @ other.T if with_teachers else None
    found = contrast(similarity, SETS, labels, taught, temperature=0.5, label_weight=0.3, level=2.0)
    expected = slowly(similarity, labels, taught, 0.5, 0.3, 2.0)
    assert expected > 0.1
    assert float(found) == pytest.approx(expected, rel=1e-4)


def test_alike_passages_of_a_label_cost_less_than_mixed_ones():
    places = torch.eye(2)[torch.tensor([0, 0, 1, 1])]
    sets = torch.zeros(4, dtype=torch.long)
    unit = centred(places, sets, 1)
    similarity = unit @ unit.T
    good = contrast(similarity, sets, torch.tensor([0, 0, 1, 1]))
    bad = contrast(similarity, sets, torch.tensor([0, 1, 0, 1]))
    assert float(good) < float(bad)
    as_taught = contrast(similarity, sets, torch.full((4,), -1), similarity)
    otherwise = contrast(similarity, sets, torch.full((4,), -1), -similarity)
    assert float(as_taught) < float(otherwise)


def test_vectors_are_centred_within_each_set():
    vectors = drawn(2)
    unit = centred(vectors, SETS, 3).numpy()
    for one in (0, 1):
        rows = (SETS == one).numpy()
        away = vectors.numpy()[rows] - vectors.numpy()[rows].mean(0)
        expected = away / np.linalg.norm(away, axis=1, keepdims=True)
        np.testing.assert_allclose(unit[rows], expected, atol=1e-5)
    assert not unit[7].any()  # alone in its set


def test_a_set_is_taught_by_those_that_have_not_seen_it():
    teachers = [(drawn(seed, n=10), fold) for seed, fold in ((3, 0), (4, 1), (5, -1))]
    rows = torch.tensor([9, 1, 2, 3, 4, 5, 6, 7])
    found = taught_similarity(teachers, rows, SETS, torch.tensor([0, 1, -1]))
    each = [centred(vectors[rows], SETS, 3) for vectors, _ in teachers]
    each = [unit @ unit.T for unit in each]
    same = SETS[:, None] == SETS[None]
    first, second = SETS == 0, SETS == 1
    torch.testing.assert_close(found[first][:, first], ((each[0] + each[2]) / 2)[first][:, first])
    torch.testing.assert_close(
        found[second][:, second], ((each[1] + each[2]) / 2)[second][:, second]
    )
    assert same.any()
