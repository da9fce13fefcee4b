import math

import numpy as np
import pytest
from raising import values_of

from subclust.judging.verdict import (
    FEWEST_QUERIES,
    compare_queries,
    queries_needed,
    say_verdict,
)

CLEAR = [0.05, 0.08, 0.02, 0.07, 0.04, 0.06, 0.01, 0.09]
MIXED = [0.30, -0.25, 0.10, -0.12, 0.05, -0.02, 0.20, -0.20]


def compared(differences):
    other = [0.4] * len(differences)
    new = [value + difference for value, difference in zip(other, differences, strict=True)]
    return compare_queries(new, other, against="base", measure="ari")


def sentence(differences, part="test"):
    return say_verdict(
        compared(differences),
        new="qs3m/mine",
        other="qs3m/wikipedia-title",
        part=part,
        n_queries=len(differences),
        needed=queries_needed(differences),
    )


def test_what_is_better_on_every_query_is_better_and_its_mirror_is_worse():
    better, worse = compared(CLEAR), compared([-difference for difference in CLEAR])
    assert (better.verdict, worse.verdict) == ("better", "worse")
    assert 0 < better.low < better.mean_difference < better.high
    assert better.mean_difference == pytest.approx(np.mean(CLEAR))
    assert (better.helps, better.ties, better.hurts) == (8, 0, 0)
    assert (worse.helps, worse.ties, worse.hurts) == (0, 0, 8)
    assert better.p_value == worse.p_value == 2 / 2**8


def test_gains_that_losses_make_up_for_are_unclear():
    row = compared(MIXED)
    assert row.verdict == "unclear" and row.low < 0 < row.high
    assert compared([0.0] * 8).verdict == "unclear"
    assert compared([0.0] * 8).ties == 8


@pytest.mark.parametrize("n_queries", range(1, FEWEST_QUERIES))
def test_few_queries_are_never_enough_however_clear_they_are(n_queries):
    row = compared([0.5] * n_queries)
    assert row.verdict == "unclear" and row.helps == n_queries
    assert row.p_value is None
    assert values_of(sentence([0.5] * n_queries))["fewest"] == FEWEST_QUERIES
    assert compared([0.5] * FEWEST_QUERIES).verdict == "better"
    assert values_of(sentence([0.5] * FEWEST_QUERIES))["helps"] == FEWEST_QUERIES


def test_one_query_has_no_interval():
    row = compared([0.2])
    assert (row.low, row.high, row.p_value) == (None, None, None)


def test_the_interval_repeats():
    values = np.random.default_rng(0).normal(size=12).tolist()
    assert compared(values) == compared(values)


@pytest.mark.parametrize(
    ("n_queries", "shape"), [(6, "normal"), (10, "normal"), (8, "skewed"), (20, "skewed")]
)
def test_no_difference_is_called_better_in_few_cases_only(n_queries, shape):
    """Where nothing differs on average, "better" should come up in 2.5% of all sets."""
    random = np.random.default_rng(0)
    wrong = 0
    for _ in range(100):
        draws = random.normal(size=n_queries)
        if shape == "skewed":
            draws = random.exponential(size=n_queries) - 1
        wrong += compared((0.1 * draws).tolist()).verdict == "better"
    assert wrong / 100 < 0.06


def test_queries_needed_show_a_difference_four_times_in_five():
    random = np.random.default_rng(1)
    seen = 0.1 + 0.2 * random.normal(size=2000)
    needed = queries_needed(seen.tolist())
    assert needed == pytest.approx((2.8 * 0.2 / 0.1) ** 2, rel=0.15)
    found = [compared(random.choice(seen, needed).tolist()).verdict == "better" for _ in range(100)]
    assert 0.65 < np.mean(found) < 0.95


def test_queries_needed_are_at_least_the_fewest_and_may_be_none():
    assert queries_needed([0.3, 0.3, 0.3]) == FEWEST_QUERIES
    assert queries_needed([0.1, -0.1]) is None
    assert queries_needed([0.5, -0.4999]) is None
    assert queries_needed([]) is None


def test_the_sentence_tells_the_verdict_its_figures_and_the_part():
    said, fallen = sentence(CLEAR), sentence([-difference for difference in CLEAR])
    known = {
        "new": "qs3m/mine",
        "other": "qs3m/wikipedia-title",
        "helps": 8,
        "hurts": 0,
    }
    assert known.items() <= values_of(said).items() and "0.052" in said
    assert {"helps": 0, "hurts": 8}.items() <= values_of(fallen).items() and "0.052" in fallen
    assert said.template != fallen.template
    assert len({sentence(CLEAR, part) for part in ("test", "validation", "folds")}) == 3
    unclear = sentence(MIXED)
    leaning = sentence([0.30, -0.15, 0.10, -0.05, 0.05, -0.02, 0.20, -0.10])
    assert "needed" in values_of(leaning) and "needed" not in values_of(unclear)
    for words in (said, unclear, sentence([0.1] * 3), sentence([0.0] * 8)):
        assert words.endswith(".") and words.count(". ") == 0 and "nan" not in words


def test_the_ends_are_those_of_a_slow_loop():
    random = np.random.default_rng(0)
    places = random.integers(len(MIXED), size=(10_000, len(MIXED)))
    means = sorted(sum(MIXED[place] for place in row) / len(MIXED) for row in places.tolist())
    # Hesterberg: Student's quantile for 7 degrees of freedom, times the root of 8/7, as a share.
    reach = 2.364624 * math.sqrt(8 / 7)
    tail = 0.5 * math.erfc(reach / math.sqrt(2))
    row = compared(MIXED)
    assert row.low == pytest.approx(means[round(tail * 9_999)], abs=2e-3)
    assert row.high == pytest.approx(means[round((1 - tail) * 9_999)], abs=2e-3)
    plain = means[round(0.025 * 9_999)]
    assert row.low < plain - 0.01
