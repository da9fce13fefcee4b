import json

import numpy as np
import pytest
from made_comparisons import grouped, hits, made
from raising import raises

from subclust.comparison import Column, compare, flows, moved
from subclust.core.exceptions import InputError
from subclust.core.records import Query, Ranking
from subclust.evaluation.matching import match_groups


def test_matched_groups_have_one_id_and_keep_their_passages():
    found = made("001122-", "112200-")
    assert found.groups(0) == found.groups(1)
    assert found.names(1) == {1: "group 2", 0: "group 1", 2: "group 0", -1: "group -1"}
    assert moved(found.groups(0), found.groups(1), list(found.passages)) == []


def test_groups_that_are_left_over_get_numbers_of_their_own():
    first, second, third = ({"a": 0, "b": 0, "c": 1}, {"x": 0, "y": 1, "z": 2}, {"z": 5, "a": 6})
    one, two, three = match_groups([first, second, third])
    assert (one[0], one[1]) == (0, 1)
    assert sorted(two[group] for group in (0, 1, 2)) == [2, 3, 4]
    assert (three[5], three[6]) == (two[2], 0)


def test_only_what_changed_its_matched_group_has_moved():
    found = made("000111", "110001")
    rows = moved(found.groups(0), found.groups(1), list(found.passages))
    assert [(row.id, row.source, row.target) for row in rows] == [("2", 0, 1), ("5", 1, 0)]


def test_every_two_columns_are_compared():
    found = made("0011", "0101", "0011")
    assert [(pair.first, pair.second) for pair in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert found.pair(0, 2).agreement.ari == 1.0
    assert found.pair(0, 1).agreement.ari < 0.1
    assert found.pair(0, 1).dispute.together_in_first == 2


def test_a_turned_map_is_turned_back_and_nothing_is_bent():
    places = np.array([[0, 0], [2, 0], [2, 1], [0, 3], [5, 4]], dtype=float)
    turned = places @ np.array([[0.0, 1.0], [-1.0, 0.0]]) * 3 + 7
    found = made("00112", "00122", places=[places, turned])
    where = [
        {m.passage.id: (m.x, m.y) for group in one.subtopics for m in group.passages}
        for one in found.maps
    ]
    for id_ in where[0]:
        assert where[1][id_] == pytest.approx(where[0][id_], abs=1e-4)


def test_flows_carry_every_passage_once_from_column_to_column():
    found = made("000111", "110001", "000000")
    groupings = [found.groups(place) for place in range(3)]
    streams = flows(groupings, list(found.passages))
    for column in (0, 1):
        carried = [id_ for flow in streams if flow.column == column for id_ in flow.passages]
        assert sorted(carried) == sorted(found.passages)
    largest = streams[0]
    assert (largest.source, largest.target, largest.passages) == (0, 0, ("0", "1"))
    for flow in streams:
        assert all(groupings[flow.column][id_] == flow.source for id_ in flow.passages)
        assert all(groupings[flow.column + 1][id_] == flow.target for id_ in flow.passages)


def test_it_is_written_as_one_object():
    found = made("0011", "010-", labels="aabb")
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert list(told["columns"]) == ["A", "B"]
    assert told["columns"]["A"]["gold"]["ari"] == 1.0
    assert [passage["groups"] for passage in told["passages"]] == [
        {"A": found.groups(0)[id_], "B": found.groups(1)[id_]} for id_ in found.passages
    ]
    assert told["pairs"][0]["n_passages"] == 4
    assert told["pairs"][0]["together_only_in_first"] == 2


def test_other_numbers_of_columns_are_refused():
    for columns in (("0011",), ("0011",) * 5):
        with raises(InputError, max_columns=4, min_columns=2):
            made(*columns)


def test_columns_over_other_hits_are_refused():
    ranking = Ranking(Query("q"), hits(4), np.zeros((4, 2), dtype=np.float32), "demo")
    maps = [grouped("0011"), grouped("00112")]
    with pytest.raises(InputError):
        compare(ranking, [Column(), Column()], maps)


def test_a_column_asks_under_its_own_question_where_it_has_one():
    column = Column(query=" another ", context="description", description="in more words")
    assert column.asked("the first") == Query("another", "in more words", "description")
    assert Column().asked(" the first ") == Query("the first")
