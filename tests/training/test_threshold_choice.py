import numpy as np
import pytest

from subclust.core.exceptions import InputError
from subclust.grouping.clustering.threshold_count import indices_at, learn_threshold
from subclust.training.network_training import choose_threshold


def blocks(rng, *, near=0.8, far=0.2, noise=0.15, sizes=(4, 3, 3)):
    """Scores of passages in known groups, with noise, and their groups."""
    gold = [f"g{g}" for g, size in enumerate(sizes) for _ in range(size)]
    same = np.equal.outer(gold, gold)
    scores = np.where(same, near, far) + rng.normal(0, noise, same.shape)
    scores = (scores + scores.T) / 2
    np.fill_diagonal(scores, 1.0)
    return scores.astype(np.float32), gold


def test_the_index_at_a_threshold_is_that_of_the_groups_found_there():
    scores, gold = blocks(np.random.default_rng(0), noise=0.0)
    assert indices_at([(scores, gold)], 0.5) == pytest.approx([1.0])
    assert indices_at([(scores, gold)], 0.0) == pytest.approx([0.0])
    assert len(indices_at([(scores[:1, :1], gold[:1])], 0.5)) == 0


def test_without_one_before_it_is_learnt():
    queries = [blocks(np.random.default_rng(seed)) for seed in range(6)]
    assert choose_threshold(queries, None) == learn_threshold(queries)
    with pytest.raises(InputError):
        choose_threshold([], None)


def test_an_average_of_many_resamples_scatters_less_than_one_resample():
    samples = [
        [blocks(np.random.default_rng(100 * start + n), noise=0.4) for n in range(20)]
        for start in range(12)
    ]
    many = [learn_threshold(queries) for queries in samples]
    assert many == [learn_threshold(queries) for queries in samples]
    one = [learn_threshold(queries, resamples=1) for queries in samples]
    assert np.std(many) < 0.8 * np.std(one)


def test_without_resamples_it_is_the_best_on_the_queries_as_they_are():
    queries = [blocks(np.random.default_rng(n), noise=0.4) for n in range(20)]
    best = indices_at(queries, learn_threshold(queries, resamples=0)).mean()
    grid = np.linspace(0, 1, 51)
    assert best >= max(indices_at(queries, at).mean() for at in grid) - 1e-3


def test_few_queries_do_not_move_a_good_one():
    kept = 0
    for start in range(20):
        queries = [blocks(np.random.default_rng(100 * start + n), noise=0.3) for n in range(6)]
        assert learn_threshold(queries) != 0.5
        kept += choose_threshold(queries, 0.5) == 0.5
    assert kept >= 17


def test_one_that_training_has_made_wrong_goes():
    queries = [blocks(np.random.default_rng(n), near=0.5, far=0.1) for n in range(6)]
    chosen = choose_threshold(queries, 0.95)
    assert chosen == learn_threshold(queries) < 0.5
    many = [blocks(np.random.default_rng(n), near=0.5, far=0.1) for n in range(60)]
    assert choose_threshold(many, 0.42) == learn_threshold(many)


def test_a_single_query_says_nothing_against_the_one_before():
    assert choose_threshold([blocks(np.random.default_rng(1))], 0.9) == 0.9
    assert choose_threshold([], 0.9) == 0.9
