"""Every metric against a slow obvious version and, where it has one, scikit-learn."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from sklearn import metrics as sklearn_metrics

from subclust.core.exceptions import InputError
from subclust.evaluation.metrics import (
    GROUPING_METRICS,
    accuracy,
    adjusted_mutual_information,
    adjusted_rand_index,
    bcubed_f1,
    contingency,
    f1,
    geometric_mutual_information,
    normalised_mutual_information,
    pair_auc,
    rand_index,
)


def two_groupings(n, k, seed):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, size=n)
    predicted = np.where(rng.random(n) < 0.5, gold, rng.integers(0, k + 1, size=n)) - 1
    return [f"section {g}" for g in gold], predicted


GROUPINGS = (
    st.integers(1, 30),
    st.integers(1, 7),
    st.integers(0, 10**6),
)


def share(items, group):
    return len(items & group) / len(items)


def members(labels, label):
    return {i for i, other in enumerate(labels) if other == label}


def slow_rand(gold, predicted):
    agreeing = [
        (gold[i] == gold[j]) == (predicted[i] == predicted[j])
        for i, j in combinations(range(len(gold)), 2)
    ]
    return sum(agreeing) / len(agreeing) if agreeing else 1.0


def slow_adjusted_rand(gold, predicted):
    """The Rand index against its mean over all relabellings, for tiny inputs."""
    chance = [slow_rand(gold, order) for order in permutations(predicted)]
    expected = sum(chance) / len(chance)
    return (slow_rand(gold, predicted) - expected) / (1 - expected)


def slow_information(gold, predicted):
    n = len(gold)
    total = 0.0
    for g in set(gold):
        for p in set(predicted):
            a, b = members(gold, g), members(predicted, p)
            if a & b:
                total += len(a & b) / n * math.log(n * len(a & b) / (len(a) * len(b)))
    return total


def slow_entropy(labels):
    shares = [len(members(labels, label)) / len(labels) for label in set(labels)]
    return -sum(s * math.log(s) for s in shares)


@given(*GROUPINGS)
def test_scikit_learn_agrees(n, k, seed):
    gold, predicted = two_groupings(n, k, seed)
    for ours, theirs in [
        (rand_index, sklearn_metrics.rand_score),
        (adjusted_rand_index, sklearn_metrics.adjusted_rand_score),
        (adjusted_mutual_information, sklearn_metrics.adjusted_mutual_info_score),
        (normalised_mutual_information, sklearn_metrics.normalized_mutual_info_score),
    ]:
        assert ours(gold, predicted) == pytest.approx(theirs(gold, predicted), abs=1e-9)
    assert geometric_mutual_information(gold, predicted) == pytest.approx(
        sklearn_metrics.normalized_mutual_info_score(gold, predicted, average_method="geometric"),
        abs=1e-9,
    )


@given(*GROUPINGS)
def test_slow_versions_agree(n, k, seed):
    gold, predicted = two_groupings(n, k, seed)
    predicted = predicted.tolist()
    assert rand_index(gold, predicted) == pytest.approx(slow_rand(gold, predicted))

    own = [(members(predicted, p), members(gold, g)) for g, p in zip(gold, predicted, strict=True)]
    items = [(share(group, subtopic), share(subtopic, group)) for group, subtopic in own]
    assert bcubed_f1(gold, predicted) == pytest.approx(
        sum(2 * p * r / (p + r) for p, r in items) / n
    )

    def purity(of, by):
        return sum(max(len(members(of, a) & members(by, b)) for b in set(by)) for a in set(of)) / n

    precision, recall = purity(predicted, gold), purity(gold, predicted)
    assert f1(gold, predicted) == pytest.approx(2 * precision * recall / (precision + recall))

    information = slow_information(gold, predicted)
    entropies = slow_entropy(gold), slow_entropy(predicted)
    if min(entropies) > 0:
        assert normalised_mutual_information(gold, predicted) == pytest.approx(
            2 * information / sum(entropies), abs=1e-9
        )
        assert geometric_mutual_information(gold, predicted) == pytest.approx(
            information / math.sqrt(entropies[0] * entropies[1]), abs=1e-9
        )


@pytest.mark.parametrize("seed", range(8))
def test_corrections_for_chance_are_averages_over_all_relabellings(seed):
    rng = np.random.default_rng(seed)
    gold, predicted = [0, 0, 0, 1, 1, 2], rng.permutation([0, 0, 1, 1, 1, 2]).tolist()
    assert adjusted_rand_index(gold, predicted) == pytest.approx(
        slow_adjusted_rand(gold, predicted), abs=1e-9
    )
    chance = [slow_information(gold, order) for order in permutations(predicted)]
    expected = sum(chance) / len(chance)
    mean = (slow_entropy(gold) + slow_entropy(predicted)) / 2
    assert adjusted_mutual_information(gold, predicted) == pytest.approx(
        (slow_information(gold, predicted) - expected) / (mean - expected), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(6))
def test_accuracy_tries_every_matching(seed):
    rng = np.random.default_rng(seed)
    gold, predicted = rng.integers(0, 3, size=20).tolist(), rng.integers(0, 4, size=20).tolist()
    best = max(
        sum(matching[p] == g for g, p in zip(gold, predicted, strict=True))
        for matching in permutations(range(4))
    )
    assert accuracy(gold, predicted) == best / 20


@pytest.mark.parametrize("metric", GROUPING_METRICS.values(), ids=GROUPING_METRICS)
@pytest.mark.parametrize("n, k", [(1, 1), (2, 1), (2, 2), (10, 3), (500, 40), (60, 60)])
def test_the_same_groups_score_1_whatever_their_names(metric, n, k):
    labels = np.arange(n) % k
    assert metric([f"s{label}" for label in labels], (labels * 7 + 3) % 1009) == pytest.approx(1.0)


@pytest.mark.parametrize("metric", GROUPING_METRICS.values(), ids=GROUPING_METRICS)
@given(*GROUPINGS)
def test_order_and_names_do_not_matter(metric, n, k, seed):
    gold, predicted = two_groupings(n, k, seed)
    shuffle = np.random.default_rng(seed).permutation(n)
    value = metric(gold, predicted)
    assert -0.5 - 1e-9 <= value <= 1 + 1e-9 or metric is adjusted_mutual_information
    assert metric([gold[i] for i in shuffle], predicted[shuffle]) == pytest.approx(value, abs=1e-9)
    assert metric(gold, 50 - predicted) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("metric", GROUPING_METRICS.values(), ids=GROUPING_METRICS)
def test_a_better_grouping_scores_higher(metric):
    gold = np.repeat(np.arange(5), 8)
    near, far = gold.copy(), gold.copy()
    near[::8] = (near[::8] + 1) % 5
    far[::2] = np.random.default_rng(0).integers(0, 5, size=20)
    assert metric(gold, far) < metric(gold, near) < metric(gold, gold)


@pytest.mark.parametrize("name", ["ari", "ami"])
def test_chance_scores_about_0(name):
    rng = np.random.default_rng(0)
    values = [
        GROUPING_METRICS[name](rng.integers(0, 6, 60), rng.integers(0, 6, 60)) for _ in range(40)
    ]
    assert abs(np.mean(values)) < 0.02


@pytest.mark.parametrize("metric", GROUPING_METRICS.values(), ids=GROUPING_METRICS)
def test_everything_in_one_group_or_apart_is_defined(metric):
    gold = ["a", "b", "b", "c", "c", "c"]
    for predicted in ([0] * 6, list(range(6))):
        value = metric(gold, predicted)
        assert 0 <= round(value, 9) < 1


def test_leaving_passages_out_gains_nothing():
    gold = np.repeat([0, 1, 2], 10)
    hedged = gold.copy()
    hedged[::3] = -1
    assert adjusted_rand_index(gold, hedged) < adjusted_rand_index(gold, gold)


@pytest.mark.parametrize("gold, predicted", [([], []), (["a"], [0, 1])])
def test_ill_fitting_labels_are_refused(gold, predicted):
    with raises(InputError, count=len(gold)):
        contingency(gold, predicted)


def scored(n=30, k=4, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, k, size=n)
    scores = np.round(rng.normal(size=(n, n)) + (gold[:, None] == gold[None, :]), 1)
    return np.tril(scores, -1).astype(dtype) + np.tril(scores, -1).T.astype(dtype), gold


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale, shift", [(1, 0), (1000, -5000)])
def test_auc_counts_pairs_of_pairs_in_order(dtype, scale, shift):
    scores, gold = scored(dtype=dtype)
    pairs = list(combinations(range(30), 2))
    same = [scores[i, j] for i, j in pairs if gold[i] == gold[j]]
    different = [scores[i, j] for i, j in pairs if gold[i] != gold[j]]
    won = sum((s > d) + 0.5 * (s == d) for s in same for d in different)
    expected = won / (len(same) * len(different))
    assert 0.6 < expected < 0.95
    assert pair_auc(scores * scale + shift, gold.astype(str)) == pytest.approx(expected, abs=1e-9)


def test_balanced_auc_is_drawn_with_the_seed_and_close_to_all_pairs():
    scores, gold = scored(n=80)
    everything = pair_auc(scores, gold)
    draws = [pair_auc(scores, gold, balanced=True, random_state=seed) for seed in range(20)]
    assert draws[0] == pair_auc(scores, gold, balanced=True, random_state=0)
    assert len(set(draws)) > 10
    assert np.mean(draws) == pytest.approx(everything, abs=0.01)


def test_balanced_auc_is_that_of_one_of_all_balanced_draws():
    gold = np.array([0, 0, 0, 1, 2])
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(5, 5))
    scores = scores + scores.T
    pairs = list(combinations(range(5), 2))
    same = [scores[i, j] for i, j in pairs if gold[i] == gold[j]]
    different = [scores[i, j] for i, j in pairs if gold[i] != gold[j]]
    possible = [
        sum(s > d for s in same for d in drawn) / (len(same) * len(drawn))
        for drawn in combinations(different, len(same))
    ]
    draws = [pair_auc(scores, gold, balanced=True, random_state=seed) for seed in range(60)]
    assert {round(value, 9) for value in draws} <= {round(value, 9) for value in possible}
    assert len({round(value, 9) for value in draws}) > 3
    assert pair_auc(scores, gold) == pytest.approx(np.mean(possible), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_agrees_on_the_auc(seed):
    scores, gold = scored(seed=seed)
    rows, columns = np.triu_indices(30, 1)
    expected = sklearn_metrics.roc_auc_score(gold[rows] == gold[columns], scores[rows, columns])
    assert pair_auc(scores, gold) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("common", [0, 1])
def test_balanced_auc_uses_all_pairs_of_the_rarer_kind(common):
    gold = np.array([0] * 9 + [1]) if common else np.array([0, 0, *range(1, 9)])
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(10, 10))
    scores = scores + scores.T
    best = scores.copy()
    same = gold[:, None] == gold[None, :]
    best[same] += 100.0
    assert pair_auc(best, gold, balanced=True) == 1.0
    assert pair_auc(-best, gold, balanced=True) == 0.0


@pytest.mark.parametrize("gold", [["a"], ["a", "a", "a"], ["a", "b", "c"]])
@pytest.mark.parametrize("balanced", [False, True])
def test_auc_of_one_kind_of_pairs_is_undefined(gold, balanced):
    scores = np.zeros((len(gold), len(gold)), dtype=np.float32)
    assert math.isnan(pair_auc(scores, gold, balanced=balanced))


def test_auc_refuses_scores_of_other_passages():
    with raises(InputError, count=3, shape="(2, 2)"):
        pair_auc(np.zeros((2, 2), dtype=np.float32), ["a", "b", "b"])
