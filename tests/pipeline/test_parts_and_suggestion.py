"""Parts of groups, and the number of groups that is suggested."""

from dataclasses import replace

import numpy as np
import pytest
from regrouped_maps import answer_of_points, grounds_of_points

from subclust.core.records import Grounds
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.naming import HeadingNamer
from subclust.pipeline.parts import has_tree, parts_of, stability_curve

NAMER = HeadingNamer()


def nested_points():
    """Two groups, each of two parts, each of two smaller parts of four passages."""
    rng = np.random.default_rng(0)
    far = np.array([[a * 100, b * 20, c * 3.0] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    return np.repeat(far, 4, axis=0) + rng.normal(scale=0.3, size=(32, 3))


def flat_ids(part):
    return {member.passage.id for member in part.passages}


@pytest.mark.parametrize("tree", [True, False])
def test_levels_are_cuts_that_lie_in_each_other(tree):
    answer = answer_of_points("q", nested_points(), [0] * 16 + [1] * 16)
    if not tree:
        answer = replace(answer, grounds=replace(answer.grounds, tree=None))
    assert has_tree(answer) == tree
    assert parts_of(answer, 1, NAMER) == {}
    parts = parts_of(answer, 3, NAMER)
    assert set(parts) == {0, 1}
    whole = average_link(answer.grounds.scores)
    fine = {
        frozenset(f"p{row}" for row in np.flatnonzero(cut_to(whole, k) == label))
        for k in (4, 8)
        for label in range(k)
    }
    for group in answer.subtopics:
        halves = parts[group.id]
        assert [part.number for part in halves] == [f"{group.id + 1}.1", f"{group.id + 1}.2"]
        assert set.union(*map(flat_ids, halves)) == {m.passage.id for m in group.passages}
        for half in halves:
            assert frozenset(flat_ids(half)) in fine
            assert len(half.parts) == 2
            assert set.union(*map(flat_ids, half.parts)) == flat_ids(half)
            assert all(frozenset(flat_ids(one)) in fine for one in half.parts)
        assert len({part.name for part in halves}) == 2
    assert all(half.parts == () for group in parts_of(answer, 2, NAMER).values() for half in group)


def test_a_small_group_and_one_that_is_all_alike_have_no_parts():
    small = answer_of_points("q", np.random.default_rng(0).normal(size=(9, 2)), [0] * 4 + [1] * 5)
    assert parts_of(small, 2, NAMER) == {}
    alike = answer_of_points("q", np.zeros((20, 2)), [0] * 10 + [1] * 10)
    assert parts_of(alike, 2, NAMER) == {}
    assert parts_of(replace(small, grounds=None), 3, NAMER) == {}


def test_a_group_that_somebody_changed_is_divided_as_it_is():
    answer = answer_of_points("q", nested_points(), [0] * 16 + [1] * 16)
    first, second = answer.subtopics
    moved = replace(first, passages=(*first.passages, second.passages[0]))
    parts = parts_of(replace(answer, subtopics=(moved,)), 2, NAMER)
    assert set.union(*map(flat_ids, parts[0])) == {m.passage.id for m in moved.passages}


def test_the_number_of_clear_groups_is_suggested():
    corners = np.array([[0, 0], [9, 0], [0, 9], [9, 9], [30, 30.0]])
    rng = np.random.default_rng(0)
    points = np.repeat(corners, 12, axis=0) + rng.normal(scale=0.4, size=(60, 2))
    curve = stability_curve(grounds_of_points(points), max_k=12)
    assert curve.n_clusters == tuple(range(2, 13))
    assert curve.suggested == 5
    assert curve.stability[3] == max(curve.stability)
    assert max(curve.stability[4:]) < curve.stability[3] - 0.05
    assert curve == stability_curve(grounds_of_points(points), max_k=12)
    assert curve.to_dict()["curve"][0]["n_clusters"] == 2


def test_where_nothing_can_be_cut_the_curve_is_empty():
    assert stability_curve(None).n_clusters == ()
    assert stability_curve(grounds_of_points(np.zeros((10, 2)))).suggested is None
    grounds: Grounds = grounds_of_points(np.zeros((1, 2)))
    assert stability_curve(grounds) == stability_curve(None)


def test_passages_that_are_set_aside_do_not_count():
    points = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat(
        [[0, 0], [20, 0]], 20, axis=0
    )
    points[0] = [500, 500]
    grounds = grounds_of_points(points)
    aside = np.zeros(40, dtype=bool)
    aside[0] = True
    curve = stability_curve(replace(grounds, aside=aside), max_k=6)
    assert curve.stability[0] == pytest.approx(1.0)
