from dataclasses import replace

from corrected_maps import groups_of, make_map, names_of
from raising import values_of

from subclust.labelled import corrections as curation
from subclust.labelled.corrections import replay

GROUPS = {0: "abcd", 1: "efg", 2: "hi", -1: "j"}


def corrected(*makers, groups=GROUPS):
    """Apply edits, each made on what the ones before it had left."""
    start, edits = make_map(groups), []
    for make in makers:
        edits.append(make(replay(start, edits).subtopics))
    return replay(start, edits)


def edits_of(*makers, groups=GROUPS):
    start, edits = make_map(groups), []
    for make in makers:
        edits.append(make(replay(start, edits).subtopics))
    return edits


def told(result):
    return [values_of(one.told) for one in result.unmet]


def test_passages_move_and_the_other_groups_are_untouched():
    found = corrected(lambda now: curation.move(now, ["a", "e"], 2))
    assert groups_of(found.subtopics) == {0: set("bcd"), 1: set("fg"), 2: set("aehi"), -1: {"j"}}
    assert found.judgements == {"a": "placed", "e": "placed"}
    assert names_of(found.subtopics) == names_of(make_map(GROUPS))
    assert found.subtopics.subtopics[-1] is not None
    assert found.subtopics.subtopics[-1] == make_map(GROUPS).subtopics[-1]


def test_passages_go_to_other_passages_which_begin_to_be_there():
    found = corrected(lambda now: curation.move(now, ["a"], -1), groups={0: "ab", 1: "cd"})
    assert groups_of(found.subtopics) == {0: {"b"}, 1: set("cd"), -1: {"a"}}
    assert names_of(found.subtopics)[-1] == "Other passages"
    assert found.subtopics.n_clusters == 2


def test_a_group_ends_with_its_last_passage_and_its_id_is_not_given_again():
    found = corrected(
        lambda now: curation.move(now, ["h", "i"], 0),
        lambda now: curation.separate(now, ["a", "b"], "New"),
    )
    assert groups_of(found.subtopics) == {0: set("cdhi"), 1: set("efg"), 3: set("ab"), -1: {"j"}}
    assert found.subtopics.n_clusters == 3


def test_groups_stay_in_the_order_in_which_they_were_listed():
    start = make_map(GROUPS)
    relevant = {0: 0.2, 1: 0.4, 2: 0.9, -1: 1.0}
    groups = [
        replace(
            group,
            passages=tuple(replace(one, relevance=relevant[group.id]) for one in group.passages),
        )
        for group in start.subtopics
    ]
    listed = replace(start, subtopics=tuple(sorted(groups, key=lambda group: group.place)))
    assert [group.id for group in listed.subtopics] == [2, 1, 0, -1]
    edits = [curation.rename(listed, 1, "By hand"), curation.separate(listed, ["h"], "New")]
    assert [group.id for group in replay(listed, edits).subtopics.subtopics] == [2, 3, 1, 0, -1]


def test_a_new_group_stands_behind_the_one_it_came_from():
    found = corrected(
        lambda now: curation.separate(now, ["a", "b"], "New"),
        lambda now: curation.separate(now, ["c", "e"], "Of two"),
    )
    assert [group.id for group in found.subtopics.subtopics] == [0, 3, 1, 2, 4, -1]
    assert names_of(found.subtopics)[3] == "New"


def test_a_new_group_may_come_from_other_passages_that_an_edit_has_made():
    found = corrected(
        lambda now: curation.move(now, ["a"], -1),
        lambda now: curation.separate(now, ["a"], "New"),
        groups={0: "ab", 1: "cd"},
    )
    assert groups_of(found.subtopics) == {0: {"b"}, 1: set("cd"), 2: {"a"}}


def test_groups_merge_into_one_that_keeps_id_and_name():
    found = corrected(lambda now: curation.merge(now, [0, 2], 1))
    assert groups_of(found.subtopics) == {1: set("abcdefghi"), -1: {"j"}}
    assert names_of(found.subtopics)[1] == "French fleet"
    assert set(found.judgements) == set("abcdhi")
    assert found.subtopics.n_clusters_source == "corrections"


def test_a_split_leaves_the_largest_part_where_it_was():
    parts = [("First", ["a"]), ("Second", ["b", "c", "d"])]
    found = corrected(lambda now: curation.split(now, 0, parts))
    assert groups_of(found.subtopics) == {
        0: set("bcd"),
        3: {"a"},
        1: set("efg"),
        2: set("hi"),
        -1: {"j"},
    }
    assert names_of(found.subtopics) | {} == {
        0: "Second", 3: "First", 1: "French fleet", 2: "Winter quarters", -1: "Other passages",
    }  # fmt: skip
    assert found.judgements == {}  # the model has proposed it; nobody has looked at each passage


def test_names_and_judgements():
    found = corrected(
        lambda now: curation.rename(now, 0, "  Taxes   and duties "),
        lambda now: curation.judge(now, ["a", "b", "e"], "accepted"),
        lambda now: curation.judge(now, ["b"], "unsure"),
        lambda now: curation.judge(now, ["a"], "none"),
    )
    assert names_of(found.subtopics)[0] == "Taxes and duties"
    assert found.judgements == {"b": "unsure", "e": "accepted"}
    assert groups_of(found.subtopics) == groups_of(make_map(GROUPS))


def test_fresh_groups_are_found_by_most_of_their_passages():
    edits = edits_of(
        lambda now: curation.move(now, ["e"], 0),
        lambda now: curation.rename(now, 1, "Ships"),
    )
    fresh = make_map({0: "fgx", 1: "abcy", 2: "edhi", -1: "z"})
    found = replay(fresh, edits)
    assert groups_of(found.subtopics) == {0: set("fgx"), 1: set("abcey"), 2: set("dhi"), -1: {"z"}}
    assert names_of(found.subtopics)[0] == "Ships"
    assert found.unmet == ()


def test_what_no_longer_applies_is_told():
    edits = edits_of(
        lambda now: curation.move(now, ["a", "e"], 2),
        lambda now: curation.rename(now, 1, "Ships"),
        lambda now: curation.judge(now, ["b", "c"], "accepted"),
    )
    fresh = make_map({0: "abdxyz", 1: "hif", 2: "gcuv"})
    found = replay(fresh, edits)
    assert groups_of(found.subtopics) == {0: set("bdxyz"), 1: set("ahif"), 2: set("gcuv")}
    assert [one.number for one in found.unmet] == [1, 2, 3]
    assert told(found) == [
        {"group": "Winter quarters", "missing": 1, "count": 2},
        {"group": "French fleet"},
        {"count": 1},
    ]
    assert found.judgements == {"a": "placed", "b": "accepted"}


def test_a_name_that_a_fresh_group_has_gets_a_number():
    edits = edits_of(lambda now: curation.separate(now, ["a"], "Taxes"))
    fresh = make_map({0: "ab", 4: "cd"})
    found = replay(fresh, edits)
    assert names_of(found.subtopics) == {0: "Stamp Act", 4: "Taxes", 5: "Taxes (2)"}
    assert told(found) == [{"name": "Taxes"}]


def test_strengths_are_measured_again_in_the_groups_that_changed_only():
    start = make_map(GROUPS)
    asked = []

    def measure(where):
        asked.append(dict(where))
        return {one: 0.25 for one in where}

    edits = edits_of(lambda now: curation.move(now, ["a"], 1))
    found = replay(start, edits, measure=measure).subtopics
    by_id = {group.id: group for group in found.subtopics}
    assert [one["a"] for one in asked] == [1]
    assert by_id[0].quality == by_id[1].quality == 0.25
    assert by_id[2] == start.subtopics[2]


def test_nothing_is_measured_for_a_name():
    edits = edits_of(lambda now: curation.rename(now, 0, "New"))

    def measure(where):
        raise AssertionError("nothing has moved")

    found = replay(make_map(GROUPS), edits, measure=measure)
    assert names_of(found.subtopics)[0] == "New"
