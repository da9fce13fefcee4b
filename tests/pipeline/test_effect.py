"""What another query did to the same hits."""

import numpy as np
import pytest
from regrouped_maps import answer_of_points, member_of, two_questions

from subclust.grouping.projection import place_by_scores
from subclust.pipeline.effect import compare_queries, what_changed


def test_who_moved_and_who_changed_group_is_told_by_passage():
    regrouping = two_questions()
    effects = {effect.passage.id: effect for effect in regrouping.effects}
    assert [effect.rank for effect in regrouping.effects] == list(range(1, 12))
    changed = {one for one, effect in effects.items() if effect.before != effect.after}
    assert changed == {"p0"}
    assert max(effects, key=lambda one: effects[one].moved) == "p0"
    assert effects["p0"].moved > 3 * max(e.moved for one, e in effects.items() if one != "p0")
    groups = {m.passage.id: g.id for g in regrouping.after.subtopics for m in g.passages}
    assert groups == {one: effect.after for one, effect in effects.items()}
    names = {group.id: group.name for group in regrouping.after.subtopics}
    assert names == {0: "other 2", 1: "other 0", 2: "other 1"}


def test_the_number_is_the_distance_on_the_aligned_maps_in_mean_distances():
    regrouping = two_questions()
    old = np.array([(m.x, m.y) for g in regrouping.before.subtopics for m in g.passages])
    radius = np.sqrt(((old - old.mean(axis=0)) ** 2).sum(axis=1).mean())
    for effect in regrouping.effects:
        was = member_of(regrouping.before, effect.passage.id)
        now = member_of(regrouping.after, effect.passage.id)
        away = np.hypot(now.x - was.x, now.y - was.y)
        assert effect.moved == pytest.approx(away / radius, abs=1e-5)
    new = np.array([(m.x, m.y) for g in regrouping.after.subtopics for m in g.passages])
    assert np.sqrt(((new - new.mean(axis=0)) ** 2).sum(axis=1).mean()) == pytest.approx(radius)


def test_the_same_answer_moves_nobody():
    points = np.random.default_rng(1).normal(size=(9, 2))
    answer = answer_of_points("first", points, [0] * 5 + [1] * 4)
    regrouping = compare_queries(answer, answer)
    assert max(effect.moved for effect in regrouping.effects) < 1e-4
    assert all(effect.before == effect.after for effect in regrouping.effects)
    printed = regrouping.to_dict()
    assert printed["hits_of"] == "first"
    assert [one["id"] for one in printed["query_effects"]] == [f"p{row}" for row in range(9)]


def test_unrelated_maps_move_passages_about_as_far_as_chance_does():
    rng = np.random.default_rng(2)
    first, other = rng.normal(size=(200, 2)), rng.normal(size=(200, 2))
    labels = [0] * 100 + [1] * 100
    regrouping = compare_queries(
        answer_of_points("a", first, labels), answer_of_points("b", other, labels)
    )
    mean = np.sqrt(np.mean([effect.moved**2 for effect in regrouping.effects]))
    assert mean == pytest.approx(np.sqrt(2), abs=0.15)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8])
def test_places_from_scores_are_finite_and_true_to_flat_points(n):
    points = np.random.default_rng(3).normal(size=(n, 2))
    flat = place_by_scores((points @ points.T).astype(np.float32))
    assert flat.shape == (n, 2) and np.isfinite(flat).all()
    assert place_by_scores(np.zeros((n, n), dtype=np.float32)).shape == (n, 2)
    if n > 3:
        away = np.linalg.norm(points[:, None] - points[None], axis=-1)
        mine = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
        np.testing.assert_allclose(mine / mine.max(), away / away.max(), atol=1e-3)


def test_places_do_not_depend_on_the_order_of_the_passages():
    points = np.random.default_rng(4).normal(size=(12, 4))
    scores = (points @ points.T).astype(np.float32)
    order = np.random.default_rng(5).permutation(12)
    turned = place_by_scores(scores[np.ix_(order, order)])
    np.testing.assert_allclose(turned, place_by_scores(scores)[order], atol=1e-4)


def regrouped(before, after):
    points = np.random.default_rng(4).normal(size=(len(before), 2))
    return compare_queries(
        answer_of_points("first", points, before), answer_of_points("other", points, after)
    )


def test_what_changed_names_the_group_that_gathers_most_others():
    before = [0] * 6 + [1] * 6 + [2] * 6 + [-1] * 2
    after = [0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 2, 2, 0, 1]
    regrouping = regrouped(before, after)
    told = what_changed(regrouping)
    changed = sum(one.before != one.after for one in regrouping.effects)
    assert told.values == {"changed": changed, "total": 20, "name": "other 0", "count": 3}


def test_what_changed_names_a_group_that_was_divided():
    told = what_changed(regrouped([0] * 8 + [1] * 4, [0] * 3 + [1] * 3 + [2] * 2 + [3] * 4))
    assert told.values == {"changed": 5, "total": 12, "name": "first 0", "count": 3}


def test_where_nothing_changed_no_group_is_named():
    told = what_changed(regrouped([0] * 4 + [1] * 4, [1] * 4 + [0] * 4))
    assert told.values == {"changed": 0, "total": 8}
