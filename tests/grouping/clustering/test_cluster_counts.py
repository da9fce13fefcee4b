"""What every rule promises, then each one's own arithmetic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from sklearn.metrics import adjusted_rand_score, silhouette_score

from subclust.core.exceptions import InputError
from subclust.grouping.clustering.adjusted_rand import adjusted_rand, adjusted_rand_along
from subclust.grouping.clustering.average_link import (
    average_link,
    cut_to,
    merge_scores,
    score_distances,
)
from subclust.grouping.clustering.cluster_count import MeanCount, SilhouetteCount, mean_silhouettes
from subclust.grouping.clustering.gap_count import (
    GapCount,
    log_dispersions,
    principal_points,
    squared_distances,
)
from subclust.grouping.clustering.stability_count import StabilityCount
from subclust.grouping.clustering.threshold_count import (
    ThresholdCount,
    beside_mean,
    learn_mean_share,
    learn_threshold,
)


def blobs(n_groups, size, seed=0, spread=0.25, dim=20):
    """Cosines of points in well-separated groups, and their groups."""
    rng = np.random.default_rng(seed)
    centres = np.eye(dim)[:n_groups] * 2
    gold = np.repeat(np.arange(n_groups), size)
    points = centres[gold] + rng.normal(size=(len(gold), dim)) * spread
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return (points @ points.T).astype(np.float32), gold


RULES = [SilhouetteCount(), ThresholdCount(0.5), GapCount(), StabilityCount()]


def name(rule):
    return rule.name


@pytest.mark.parametrize("rule", RULES, ids=name)
@pytest.mark.parametrize("n_groups", [3, 6])
def test_plain_groups_are_counted(rule, n_groups):
    scores, _ = blobs(n_groups, 20)
    assert rule.choose(average_link(scores), scores) == n_groups


@pytest.mark.parametrize("rule", RULES, ids=name)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
def test_identical_passages_are_one_group(rule, n):
    scores = np.ones((n, n), dtype=np.float32)
    assert rule.choose(average_link(scores), scores) == 1


@pytest.mark.parametrize("rule", [SilhouetteCount(), GapCount(), StabilityCount()], ids=name)
@pytest.mark.parametrize("shift, scale", [(-40.0, 1.0), (0.0, 25.0), (1000.0, 8.0)])
def test_scale_of_the_scores_does_not_matter(rule, shift, scale):
    scores, _ = blobs(5, 15)
    scores = scores * scale + shift
    assert rule.choose(average_link(scores), scores) == 5


@pytest.mark.parametrize("rule", RULES, ids=name)
def test_same_seed_same_answer(rule):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(50, 8))
    scores = (points @ points.T).astype(np.float32)
    tree = average_link(scores)
    assert len({rule.choose(tree, scores) for _ in range(3)}) == 1


@given(st.integers(1, 15), st.integers(0, 10**6), st.booleans())
@pytest.mark.parametrize("rule", RULES, ids=name)
def test_any_scores_give_a_possible_number(rule, n, seed, ties):
    rng = np.random.default_rng(seed)
    scores = rng.integers(-1, 2, size=(n, n)) if ties else rng.normal(size=(n, n)) * 30
    scores = (scores + scores.T).astype(np.float32)
    assert 1 <= rule.choose(average_link(scores), scores) <= n


@pytest.mark.parametrize(
    "rule",
    [
        SilhouetteCount(0),
        ThresholdCount(float("nan")),
        ThresholdCount(0.1, max_k=0),
        GapCount(0),
        GapCount(n_references=0),
        StabilityCount(n_subsets=0),
        StabilityCount(share=1.0),
    ],
)
def test_parameters_are_checked_when_work_starts(rule):
    with pytest.raises(InputError):
        rule.choose(np.zeros((0, 4)), np.zeros((1, 1), dtype=np.float32))


@pytest.mark.parametrize("rule", [SilhouetteCount(2), GapCount(2), StabilityCount(2)], ids=name)
def test_max_k_is_a_bound(rule):
    scores, _ = blobs(6, 10)
    assert rule.choose(average_link(scores), scores) <= 2


def test_mean_silhouettes_are_scikit_learns():
    scores, _ = blobs(5, 8, spread=1.0)
    tree, distances = average_link(scores), score_distances(scores)
    means = mean_silhouettes(tree, scores, 39)
    expected = [
        silhouette_score(distances, cut_to(tree, k), metric="precomputed") for k in range(2, 40)
    ]
    np.testing.assert_allclose(means, expected, atol=1e-9)
    np.testing.assert_allclose(mean_silhouettes(tree, scores, 7), expected[:6], atol=1e-9)
    assert np.std(expected) > 0.01


@given(st.integers(2, 30), st.integers(1, 6), st.integers(0, 10**6))
def test_adjusted_rand_is_scikit_learns(n, k, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, k, size=n), rng.integers(0, k, size=n)
    assert adjusted_rand(first, second) == pytest.approx(
        adjusted_rand_score(first, second), abs=1e-9
    )


def test_adjusted_rand_along_the_tree_is_scikit_learns():
    scores, gold = blobs(4, 10, spread=0.6)
    tree = average_link(scores)
    along = adjusted_rand_along(tree, [f"subtopic {g}" for g in gold])
    expected = [adjusted_rand_score(gold, cut_to(tree, k)) for k in range(1, 41)]
    np.testing.assert_allclose(along, expected, atol=1e-9)
    assert along.max() > 0.3


def labelled(seeds, spread, scale=1.0, shift=0.0):
    for seed in seeds:
        scores, gold = blobs(3 + seed % 4, 9, seed=seed, spread=spread)
        yield scores * scale + shift, [str(g) for g in gold]


@pytest.mark.parametrize(
    "scale, shift", [(30.0, -200.0), pytest.param(1e-3, 5.0, marks=pytest.mark.slow)]
)
def test_learnt_threshold_is_as_good_as_trying_all(scale, shift):
    instances = list(labelled(range(4), spread=0.6, scale=scale, shift=shift))
    trees = [(average_link(scores), scores, gold) for scores, gold in instances]

    def mean_index(threshold):
        return np.mean(
            [
                adjusted_rand_score(
                    gold, cut_to(tree, ThresholdCount(threshold).choose(tree, scores))
                )
                for tree, scores, gold in trees
            ]
        )

    best = max(
        mean_index(threshold)
        for tree, scores, _ in trees
        for threshold in merge_scores(tree, scores)
    )
    threshold = learn_threshold(instances)
    assert mean_index(threshold) > best - 0.02
    assert best > 0.5
    assert mean_index(threshold) > mean_index(threshold + 0.4 * scale) + 0.05
    assert mean_index(threshold) > mean_index(threshold - 0.4 * scale) + 0.05


def test_learnt_threshold_can_say_one_group_or_all_alone():
    scores, _ = blobs(3, 5)
    tree = average_link(scores)
    together = learn_threshold([(scores, ["same"] * 15)])
    apart = learn_threshold([(scores, [str(i) for i in range(15)])])
    assert ThresholdCount(together).choose(tree, scores) == 1
    assert ThresholdCount(apart).choose(tree, scores) == 15


def test_a_threshold_may_go_with_the_mean_of_the_set():
    sets = []
    for number in range(12):
        scores, gold = blobs(3, 4, seed=number, spread=0.3)
        sets.append(((scores + 2 * (number % 4)).astype(np.float32), [f"g{g}" for g in gold]))
    share = learn_mean_share(sets)
    assert share == 1.0  # whatever was added to all scores of a set goes
    flat = [(scores - 2 * (n % 4), gold) for n, (scores, gold) in enumerate(sets)]
    plain = learn_threshold(sets)
    beside = learn_threshold([(beside_mean(scores, share), gold) for scores, gold in sets])
    for scores, gold in sets:
        rule = ThresholdCount(beside, mean_share=share)
        assert rule.choose(average_link(scores), scores) == len(set(gold))
    wrong = [ThresholdCount(plain).choose(average_link(s), s) != len(set(g)) for s, g in sets]
    assert any(wrong)
    assert learn_mean_share([(s.astype(np.float32), g) for s, g in flat]) < 1.0


def test_scores_beside_their_mean():
    scores, _ = blobs(2, 3)
    off = ~np.eye(6, dtype=bool)
    assert beside_mean(scores, 0.0) is scores
    assert beside_mean(scores, 1.0)[off].mean() == pytest.approx(0, abs=1e-6)
    assert beside_mean(scores, 0.5)[off].mean() == pytest.approx(scores[off].mean() / 2, abs=1e-6)
    assert beside_mean(scores[:1, :1], 1.0) == pytest.approx(scores[:1, :1])


def test_learning_a_threshold_needs_pairs():
    with raises(InputError):
        learn_threshold([(np.ones((1, 1), dtype=np.float32), ["a"])])


def test_dispersions_are_those_of_the_paper():
    scores, _ = blobs(4, 6, spread=0.8)
    points = principal_points(scores)
    tree = average_link(scores)
    logs = log_dispersions(tree, squared_distances(points), 23)
    for k in range(1, 24):
        labels = cut_to(tree, k)
        dispersion = sum(
            ((points[labels == g] - points[labels == g].mean(axis=0)) ** 2).sum() for g in range(k)
        )
        assert logs[k - 1] == pytest.approx(np.log(dispersion), abs=1e-6)


def test_principal_points_have_the_distances_of_the_embeddings():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(12, 30))
    points = principal_points((vectors @ vectors.T).astype(np.float64))
    slow = [[((a - b) ** 2).sum() for b in vectors] for a in vectors]
    np.testing.assert_allclose(squared_distances(points), slow, rtol=1e-6, atol=1e-6)


def test_gap_finds_one_group_in_data_without_groups():
    points = np.random.default_rng(0).uniform(size=(60, 3))
    scores = -squared_distances(points)
    assert GapCount().choose(average_link(scores), scores) == 1


def test_stability_finds_one_group_where_nothing_comes_back():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 40))
    scores = scores + scores.T
    rule = StabilityCount(min_stability=0.9)
    assert rule.choose(average_link(scores), scores) == 1


@pytest.mark.parametrize(("mean", "expected"), [(1.0, 1), (2.4, 2), (2.5, 3), (2.7, 3), (99.0, 15)])
def test_the_mean_number_is_rounded_and_never_above_that_of_the_passages(mean, expected):
    scores, _ = blobs(3, 5)
    assert MeanCount(mean).choose(average_link(scores), scores) == expected


@pytest.mark.parametrize("mean", [0.9, -1.0, float("nan"), float("inf")])
def test_a_mean_number_below_one_is_refused(mean):
    scores, _ = blobs(3, 5)
    with raises(InputError):
        MeanCount(mean).choose(average_link(scores), scores)
