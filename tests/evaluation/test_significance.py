import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from scipy.stats import ttest_rel

from subclust.core.exceptions import InputError
from subclust.evaluation.significance import (
    FEWEST_TESTED,
    bootstrap_interval,
    helps_hurts,
    paired_t_test,
    paired_test,
)


def two_methods(n=40, gain=0.05, seed=0):
    rng = np.random.default_rng(seed)
    second = rng.random(n)
    return second + gain + rng.normal(size=n) * 0.1, second


@given(st.integers(2, 50), st.integers(0, 10**6))
def test_t_test_is_scipys(n, seed):
    first, second = two_methods(n, seed=seed)
    result, expected = paired_t_test(first, second), ttest_rel(first, second)
    assert result.t == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    assert result.mean_difference == pytest.approx((first - second).mean())
    assert paired_t_test(second, first).t == pytest.approx(-result.t)


def test_bonferroni_multiplies_and_stops_at_1():
    first, second = two_methods()
    plain, corrected = paired_t_test(first, second), paired_t_test(first, second, n_comparisons=15)
    assert corrected.p_corrected == pytest.approx(15 * plain.p_value)
    assert paired_t_test(first, second, n_comparisons=10**9).p_corrected == 1.0
    assert plain.is_significant()
    assert not paired_t_test(first, second, n_comparisons=10**9).is_significant()


def test_equal_and_constantly_better_methods_are_defined():
    values = np.random.default_rng(0).random(20)
    same = paired_t_test(values, values)
    assert (same.t, same.p_value, same.is_significant()) == (0.0, 1.0, False)
    better = paired_t_test(values + 0.25, values)
    assert better.t == math.inf or better.t > 1e6
    assert better.p_value < 1e-6
    assert paired_t_test([0.5, 1.0], [0.0, 0.5]).t == math.inf


@pytest.mark.parametrize("n", [FEWEST_TESTED, 8, 11])
def test_few_queries_are_tested_by_trying_all_signs(n):
    first, second = two_methods(n, seed=n)
    differences = first - second
    means = [np.mean(differences * signs) for signs in itertools.product((1, -1), repeat=n)]
    as_large = np.abs(means) >= abs(differences.mean()) - 1e-12
    assert 0.0 < as_large.mean() < 1.0
    assert paired_test(first, second).p_value == pytest.approx(as_large.mean())
    assert paired_test(second, first).p_value == pytest.approx(as_large.mean())
    corrected = paired_test(first, second, n_comparisons=3)
    assert corrected.p_corrected == pytest.approx(min(1.0, 3 * as_large.mean()))


def test_no_p_value_is_given_where_the_test_could_never_reach_a_twentieth():
    for n in range(2, FEWEST_TESTED):
        assert math.isnan(paired_test([0.9] * n, [0.1] * n).p_value)
    assert paired_test([0.9] * FEWEST_TESTED, [0.1] * FEWEST_TESTED).p_value == 2 / 2**FEWEST_TESTED
    assert paired_test([0.1] * 8, [0.1] * 8).p_value == 1.0


def test_many_queries_are_tested_by_student_whom_the_exact_test_hardly_differs_from():
    first, second = two_methods(40)
    assert paired_test(first, second) == paired_t_test(first, second)
    first, second = two_methods(16, gain=0.04)
    exact, student = paired_test(first, second), paired_t_test(first, second)
    assert exact.p_value != student.p_value
    assert exact.p_value == pytest.approx(student.p_value, rel=0.2)


@pytest.mark.parametrize("values", [[], [0.4], [math.nan, 0.4]])
def test_too_few_queries_give_nan_and_null(values):
    result = paired_t_test(values, [0.1] * len(values))
    assert math.isnan(result.p_value) and not result.is_significant()
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["p_value"] is None


def test_queries_without_a_value_are_left_out_in_pairs():
    first, second = two_methods(30)
    holed = first.copy()
    holed[::5] = np.nan
    keep = ~np.isnan(holed)
    assert paired_t_test(holed, second) == paired_t_test(first[keep], second[keep])
    assert bootstrap_interval(holed, second).n_queries == 24
    counts = helps_hurts(holed, second)
    assert counts.wins + counts.ties + counts.losses == 24
    assert counts.to_dict()["differences"][0] is None


def test_an_expanded_interval_takes_two_queries():
    one = bootstrap_interval([0.5], [0.0], expanded=True)
    two = bootstrap_interval([0.5, 0.1], [0.0, 0.0], expanded=True)
    assert math.isnan(one.low) and two.low == 0.1 and two.high == 0.5


def test_bootstrap_interval_is_close_to_the_normal_one_and_seeded():
    first, second = two_methods(200)
    difference = first - second
    error = difference.std(ddof=1) / math.sqrt(200)
    interval = bootstrap_interval(first, second, n_resamples=4000)
    assert interval.low == pytest.approx(difference.mean() - 1.96 * error, abs=0.15 * error)
    assert interval.high == pytest.approx(difference.mean() + 1.96 * error, abs=0.15 * error)
    assert interval == bootstrap_interval(first, second, n_resamples=4000)
    assert interval != bootstrap_interval(first, second, n_resamples=4000, random_state=1)
    narrow = bootstrap_interval(first, second, n_resamples=4000, level=0.5)
    assert interval.low < narrow.low < narrow.mean_difference < narrow.high < interval.high


def test_bootstrap_of_nothing_is_nan():
    assert bootstrap_interval([], []).to_dict()["low"] is None


def test_helps_and_hurts_are_counted():
    counts = helps_hurts([0.5, 0.1, 0.3, 0.3 + 1e-15], [0.2, 0.4, 0.3, 0.3])
    assert (counts.wins, counts.ties, counts.losses) == (1, 2, 1)
    assert counts.differences[:2] == pytest.approx((0.3, -0.3))


@pytest.mark.parametrize("compare", [paired_t_test, paired_test, bootstrap_interval, helps_hurts])
def test_methods_over_different_queries_are_refused(compare):
    with raises(InputError, count=2, other_count=1):
        compare([0.1, 0.2], [0.1])


def test_parameters_out_of_range_are_refused():
    with raises(InputError, n_comparisons=0):
        paired_t_test([1.0], [0.0], n_comparisons=0)
    with raises(InputError, level=1.0):
        bootstrap_interval([1.0], [0.0], level=1.0)
    with raises(InputError, n_resamples=0):
        bootstrap_interval([1.0], [0.0], n_resamples=0)
