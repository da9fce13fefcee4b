"""Of what kind groups are that are called tight or stable."""

import numpy as np
import pytest

from benchmarks.group_quality import (
    SHARES,
    Group,
    choose_limits,
    labelled_groups,
    summed_up,
)
from benchmarks.results import OTHER_FOLDERS, RESULTS_DIR, read_result
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.ui.components.words import FAIRLY_TIGHT, TIGHT

WORDS = ("tea tax paper", "fleet ship harbour", "snow winter camp")


def groups(fit, n_sharing, n_all):
    return [Group(3, fit, 0.9, row < n_sharing, 0.2) for row in range(n_all)]


def test_groups_of_labelled_passages_are_compared_with_their_headings(tmp_path):
    passages = tuple(
        Passage(f"p{row}", f"{WORDS[row % 3]} {row // 3}", label=WORDS[row % 3])
        for row in range(18)
    )
    found = labelled_groups(
        [ClusteringInstance(Query("war"), passages)],
        "centred-cosine",
        HashingEncoder(64),
        CheckpointStore(tmp_path / "models"),
    )
    assert len(found) >= 3
    assert all(one.shares and 0 < one.fit <= 1 and 0 <= one.stability <= 1 for one in found)
    assert all(one.size >= 2 for one in found)
    # Six of each of three headings: more than half of six, 4 or more of one, by enumeration.
    six = [one.by_chance for one in found if one.size == 6]
    ways = 3 * (15 * 66 + 6 * 12 + 1)  # C(6,4) C(12,2) + C(6,5) C(12,1) + C(6,6)
    assert six and six == pytest.approx([ways / 18564] * len(six))


def test_the_limits_are_where_the_share_is_reached():
    some = groups(0.05, 1, 10) + groups(0.2, 6, 10) + groups(0.4, 9, 10)
    limits = choose_limits(some)
    assert 0.05 < limits["fairly tight"] <= 0.2 < limits["tight"] <= 0.4
    assert choose_limits(groups(0.1, 0, 5)) == {"tight": 1.0, "fairly tight": 1.0}
    told = summed_up(some, limits)["words"]
    assert {word: row["share"] for word, row in told.items()} == {
        "tight": 0.9, "fairly tight": 0.6, "loose": 0.1,
    }  # fmt: skip


def test_a_better_fit_that_shares_less_does_not_lower_the_limit():
    # Of the better groups fewer share a heading, so none of them is called tight.
    some = groups(0.2, 8, 10) + groups(0.5, 2, 10)
    assert choose_limits(some)["tight"] == 1.0


def test_every_group_is_counted_once():
    some = groups(-1.0, 0, 2) + groups(0.15, 1, 2) + groups(1.0, 2, 2)
    told = summed_up(some, {"tight": 0.3, "fairly tight": 0.1})
    assert sum(row["n_groups"] for row in told["fit"]) == len(some)
    assert sum(row["n_groups"] for row in told["stability"]) == len(some)
    assert sum(row["n_groups"] for row in told["words"].values()) == len(some)


def test_the_words_of_the_page_mean_what_was_measured():
    result = read_result(RESULTS_DIR / "quality/centred-qs3m.json")
    assert result["limits"] == {"tight": TIGHT, "fairly tight": FAIRLY_TIGHT}
    for told in (*result["validation"].values(), *result["test"].values()):
        shares = [told["words"][word]["share"] for word in ("tight", "fairly tight", "loose")]
        assert shares == sorted(shares, reverse=True)
    # What the words promise held on queries that had no part in choosing them.
    for task in ("wiki2021_test", "trec_car_a", "demo"):
        words = result["test"][task]["words"]
        assert all(words[word]["share"] >= wanted for word, wanted in SHARES.items())
    assert "quality" in OTHER_FOLDERS


def test_stability_keeps_the_published_limits():
    result = read_result(RESULTS_DIR / "quality/centred-qs3m.json")
    (validation,) = result["validation"].values()
    rows = [row for row in validation["stability"] if row["n_groups"] >= 30]
    shares = [row["share"] for row in rows]
    assert np.all(np.diff(shares) >= 0)  # who comes back more surely shares a heading more often
