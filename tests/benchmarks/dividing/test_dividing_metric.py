"""How the metric of a question is learnt and measured, on a few made hit sets."""

import numpy as np
import pytest
import torch

from benchmarks.dividing.learn_metric import (
    MetricNetwork,
    MetricSet,
    learn_metric,
    with_metric_thresholds,
)
from benchmarks.dividing.measure import ceiling, compared
from subclust.grouping.similarity.question_metric import standardised
from subclust.text.encoders import HashingEncoder

WHO, WHAT = np.repeat([0, 1, 2], 6), np.tile(np.repeat([0, 1, 2], 2), 3)
QUESTIONS = (
    ("by person", "which person", "each person"),
    ("by topic", "which topic", "each topic"),
)
OTHERS = [
    f"{what} of {where}" for what in ("history", "music", "law") for where in ("Peru", "Rome")
]


def same(places):
    first, second = np.triu_indices(len(places), 1)
    return torch.from_numpy(places[first] == places[second])


@pytest.fixture(scope="module")
def encoder():
    return HashingEncoder()


@pytest.fixture(scope="module")
def sets(encoder):
    """Vectors that tell who by some axes and what by others, as loudly."""
    made = []
    for number in range(8):
        rows = np.random.default_rng(number).normal(0, 0.1, (18, encoder.embedding_dim))
        rows[np.arange(18), WHO] += 1
        rows[np.arange(18), 3 + WHAT] += 1
        base = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        none = torch.zeros(18, 18)
        asked = tuple(
            [(torch.from_numpy(vector), none) for vector in encoder.encode(side)]
            for side in QUESTIONS
        )
        subjects = torch.from_numpy(standardised(base @ base.T))
        made.append(MetricSet(torch.from_numpy(base), subjects, (same(WHO), same(WHAT)), asked))
    return made


@pytest.fixture(scope="module")
def learnt(sets, encoder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.dividing.learn_metric.N_NETWORKS", 2)
        return learn_metric(10 * sets, OTHERS, encoder, seed=0)


def test_the_question_decides_after_the_training(learnt, sets, encoder):
    one = sets[0]
    first, second = np.triu_indices(18, 1)
    for side, texts in enumerate(QUESTIONS):
        for vector in encoder.encode(texts):
            assert learnt.knows(vector)
            scores = learnt.scores(vector, one.base.numpy(), one.subjects.numpy(), None)
            wanted, other = one.same[side].numpy(), one.same[1 - side].numpy()
            pairs = scores[first, second]
            assert pairs[wanted & ~other].mean() > pairs[other & ~wanted].mean()
    assert not any(learnt.knows(vector) for vector in encoder.encode(OTHERS))
    assert not np.array_equal(*learnt.directions)
    assert with_metric_thresholds(learnt, [0.5, 2]).thresholds.tolist() == [0.5, 2]


def test_what_is_kept_scores_as_the_network_does(sets, encoder):
    torch.manual_seed(0)
    network = MetricNetwork(encoder.embedding_dim).eval()
    one = sets[0]
    with torch.inference_mode():
        scores = network(one, one.questions[0])
    assert scores.shape == (3, 18, 18)
    assert torch.allclose(scores, scores.transpose(1, 2), atol=1e-5)


def test_the_ceiling_is_that_of_the_nearest_mean():
    rows = np.random.default_rng(0).normal(0, 0.01, (18, 12)).astype(np.float32)
    rows[np.arange(18), WHO] += 1
    rows[np.arange(18), 6 + WHO] += 1
    assert ceiling([f"w{n}" for n in WHO], rows, 6) == 1.0
    assert ceiling([f"w{n}" for n in WHAT], rows, 6) < 0.5


def test_questions_are_compared_hit_set_by_hit_set():
    sets, wordings = 20, 2
    generator = np.random.default_rng(0)
    none = generator.uniform(0, 1, 2 * sets).tolist()
    gain = [one + 0.1 + 0.01 * (place % 3) for place, one in enumerate(none)]
    scores = {
        "rows": {"true_k": gain, "none": none, "untuned": gain},
        "columns": {"true_k": none, "none": none, "untuned": gain},
    }
    found = compared(scores, wordings)
    assert found["none"]["rows"]["difference"] == pytest.approx(0.11, abs=0.002)
    assert found["none"]["rows"]["p"] < 0.001 and found["none"]["columns"]["difference"] == 0
    assert found["none"]["both"]["difference"] == pytest.approx(0.055, abs=0.001)
    assert (found["none"]["better"], found["none"]["worse"]) == (2 * sets, 0)
    assert (found["untuned"]["better"], found["untuned"]["worse"]) == (0, 2 * sets)
