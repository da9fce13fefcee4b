import numpy as np
import pytest

from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.training.mixing import (
    ABOUT_SOMETHING_ELSE,
    MAX_OTHER_QUERIES,
    draw_mixture,
    mix_all,
    mixture,
    related_queries,
)

SUBJECTS = ["tea taxes colonies crown", "ants burrow termites queen", "maps atlas borders coast"]


def instance(number, n_passages=9):
    words = SUBJECTS[number % 3]
    return ClusteringInstance(
        Query(f"query {number}"),
        tuple(
            Passage(f"{number}-{row}", f"{words} note{number} row{row}", label=f"part {row % 3}",
                    path=f"part {row % 3} / {row}")
            for row in range(n_passages)
        ),
    )  # fmt: skip


INSTANCES = [instance(number) for number in range(12)]


def test_related_queries_share_words():
    related = related_queries(INSTANCES, 3)
    assert related.shape == (12, 3)
    for position, row in enumerate(related):
        assert position not in row
        assert {other % 3 for other in row} == {position % 3}
    assert related_queries(INSTANCES, 99).shape == (12, 11)
    assert related_queries(INSTANCES[:1]).shape == (1, 0)


def test_chunks_make_no_difference(monkeypatch):
    whole = related_queries(INSTANCES, 5)
    monkeypatch.setattr("subclust.training.mixing._CHUNK", 5)
    np.testing.assert_array_equal(related_queries(INSTANCES, 5), whole)


@pytest.mark.parametrize("max_passages", [3, 4, 12, 40])
def test_a_mixture_keeps_its_bounds(max_passages):
    sizes = [9] * 12
    related = related_queries(INSTANCES)
    shares, n_queries, positions = [], set(), set()
    for seed in range(80):
        drawn = draw_mixture(4, sizes, related, np.random.default_rng(seed), max_passages)
        own = len(drawn[0][1])
        assert drawn[0][0] == 4 and 2 <= own <= 9
        assert len({position for position, _ in drawn}) == len(drawn) > 1
        for _, rows in drawn:
            assert len(set(rows.tolist())) == len(rows) > 0 and (np.diff(rows) > 0).all()
        others = sum(len(rows) for _, rows in drawn[1:])
        assert others + own <= max_passages
        shares.append(others / (others + own))
        n_queries.add(len(drawn) - 1)
        positions |= {position for position, _ in drawn[1:]}
    assert len(positions) > 5
    if max_passages == 40:
        assert min(shares) < 0.2 and 0.6 < max(shares) < 0.8
        assert n_queries == set(range(1, MAX_OTHER_QUERIES + 1))


def test_short_queries_are_added_until_the_share_is_reached():
    sizes = [30, 1, 1, 1, 1, 1, 1]
    related = np.array([[1, 2, 3, 4, 5, 6]] * 7)
    drawn = draw_mixture(0, sizes, related, np.random.default_rng(1), 60)
    assert len(drawn) == 7 and len(drawn[0][1]) > 15


def test_the_passages_of_others_are_one_subtopic():
    drawn = [(0, np.array([0, 4])), (5, np.array([1])), (7, np.array([2, 3]))]
    mixed = mixture(INSTANCES, drawn)
    assert mixed.query == INSTANCES[0].query
    assert [p.id for p in mixed.passages] == ["0-0", "0-4", "5-1", "7-2", "7-3"]
    assert mixed.gold("flat") == ["part 0", "part 1", *[ABOUT_SOMETHING_ELSE] * 3]
    assert mixed.gold("hierarchical")[:2] == ["part 0 / 0", "part 1 / 4"]
    assert mixed.gold("hierarchical")[2:] == [ABOUT_SOMETHING_ELSE] * 3


def test_a_set_is_always_mixed_alike_for_a_seed():
    first, again, other = (mix_all(INSTANCES, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [m.query for m in first] == [i.query for i in INSTANCES]
    assert all(ABOUT_SOMETHING_ELSE in m.gold() for m in first)


def test_a_single_query_stays_as_it_is():
    assert mix_all(INSTANCES[:1]) == INSTANCES[:1]
