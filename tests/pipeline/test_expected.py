"""Expected subtopics: which passages they take, and what becomes of the other groups."""

from dataclasses import replace

import numpy as np
import pytest
from regrouped_maps import answer_of_points

from subclust.core.records import Hit, Passage, Query, Ranking
from subclust.pipeline.cuts import recut
from subclust.pipeline.expected import find_expected, unmet, with_expected

POINTS = np.array([[5.0, 0], [5.2, 0.1], [0, 5], [0.1, 5.2], [-5, -5], [-5.1, -5.2]])
LABELS = [0, 0, 1, 1, 2, 2]


class Asked:
    """An encoder that knows a vector for each name."""

    def __init__(self, **vectors):
        self.vectors = vectors

    def encode_asked(self, text):
        return self.vectors[text.casefold()]


def along(axis, other=0.0):
    vector = np.zeros(8, dtype=np.float32)
    vector[axis], vector[7] = 1.0, other
    return vector / np.linalg.norm(vector)


def ranking_of(texts, vectors):
    hits = tuple(Hit(Passage(f"p{n}", one), n + 1, 0.0) for n, one in enumerate(texts))
    return Ranking(Query("war"), hits, np.stack(vectors))


def test_a_passage_goes_to_the_nearest_expected_subtopic_or_to_none():
    ranking = ranking_of(
        ["first", "second", "third", "fourth"],
        [along(0), along(1), along(0, 0.5), along(3)],
    )
    found = find_expected(ranking, ["taxes", "Fleet"], Asked(taxes=along(0), fleet=along(1)))
    assert found == {"p0": "Taxes", "p2": "Taxes", "p1": "Fleet"}
    assert find_expected(ranking, [], Asked()) == {}
    assert find_expected(ranking, [" "], Asked()) == {}


def test_a_passage_that_holds_the_words_need_be_less_near():
    vectors = [along(0, 2.5), along(1, 2.5), along(2, 2.5), along(4, 2.5)]
    taxes = Asked(taxes=(0.2 * along(0) + along(5)) / np.linalg.norm(0.2 * along(0) + along(5)))
    plain = find_expected(ranking_of(["one", "two", "three", "four"], vectors), ["taxes"], taxes)
    held = find_expected(
        ranking_of(["a tax here", "two", "three", "four"], vectors), ["taxes"], taxes
    )
    assert plain == {} and held == {"p0": "Taxes"}


def groups_by_name(subtopics):
    return {one.name: {member.passage.id for member in one.passages} for one in subtopics.subtopics}


def test_a_new_group_takes_passages_and_the_others_keep_the_rest():
    before = answer_of_points("war", POINTS, LABELS)
    after = with_expected(before, {"p1": "Taxes", "p2": "Taxes", "p4": "Taxes", "p5": "Taxes"})
    assert groups_by_name(after) == {
        "war 0": {"p0"},
        "war 1": {"p3"},
        "Taxes": {"p1", "p2", "p4", "p5"},
    }
    assert after.n_clusters == 3  # that of the last two is gone
    assert {one.id for one in after.subtopics} == {0, 1, 3}
    assert with_expected(before, {}) is before
    for group in after.subtopics:
        assert group.quality == pytest.approx(np.mean([one.strength for one in group.passages]))


def test_a_group_of_the_name_keeps_its_passages():
    after = with_expected(answer_of_points("war", POINTS, LABELS), {"p4": "WAR 0"})
    assert groups_by_name(after)["war 0"] == {"p0", "p1", "p4"}
    assert after.n_clusters == 3


def test_what_nobody_writes_about_is_told():
    query = Query("war", expected=("Taxes", "war 1", "snow"))
    before = replace(answer_of_points("war", POINTS, LABELS), query=query)
    assert unmet(with_expected(before, {"p0": "Taxes"})) == ["snow"]


def test_another_number_of_groups_keeps_the_expected_one():
    from subclust.grouping.naming import HeadingNamer

    before = answer_of_points("war", POINTS, LABELS)
    after = with_expected(before, {"p0": "Taxes", "p2": "Taxes"})
    fewer = recut(after, 2, HeadingNamer())
    assert groups_by_name(fewer)["Taxes"] == {"p0", "p2"}
    assert fewer.n_clusters == 3 and set(fewer.groups) == set(before.groups)
