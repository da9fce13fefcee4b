import csv
import io

import pytest
from raising import values_of
from saved_corrections import saved_as

from subclust.labelled import corrections as curation
from subclust.labelled.corrections import (
    as_csv,
    as_json_lines,
    contradictions,
    pairs_of,
    training_set,
    undisputed_pairs,
)
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.reading.instances import read_instances

GROUPS = {0: "abc", 1: "de", -1: "f"}


def told(pairs):
    return {(pair.first.id + pair.second.id, pair.same, pair.n_judged) for pair in pairs}


def test_nothing_is_said_of_pairs_that_nobody_judged():
    untouched = saved_as("one", GROUPS, lambda now: curation.rename(now, 0, "New"))
    assert list(pairs_of(untouched)) == []


def test_a_moved_passage_is_told_from_all_others():
    moved = saved_as("one", GROUPS, lambda now: curation.move(now, ["a"], 1))
    assert told(pairs_of(moved)) == {
        ("ab", False, 1), ("ac", False, 1), ("ad", True, 1), ("ae", True, 1),
    }  # fmt: skip


def test_accepted_passages_make_pairs_and_unsure_ones_none():
    judged = saved_as(
        "one",
        GROUPS,
        lambda now: curation.judge(now, ["a", "b", "d"], "accepted"),
        lambda now: curation.judge(now, ["c", "e"], "unsure"),
    )
    assert told(pairs_of(judged)) == {("ab", True, 2), ("ad", False, 2), ("bd", False, 2)}


def test_passages_put_among_the_others_differ_from_the_groups_and_not_from_each_other():
    aside = saved_as("one", GROUPS, lambda now: curation.move(now, ["a", "d"], -1))
    assert told(pairs_of(aside)) == {
        ("ab", False, 1), ("ac", False, 1), ("ae", False, 1),
        ("bd", False, 1), ("cd", False, 1), ("de", False, 1),
    }  # fmt: skip


@pytest.fixture
def disagreeing():
    return (
        saved_as("one", GROUPS, lambda now: curation.judge(now, ["a", "b"], "accepted")),
        saved_as("two", GROUPS, lambda now: curation.separate(now, ["a"], "Alone"), saved=2.0),
    )


def test_two_corrections_that_disagree_about_a_pair_are_listed(disagreeing):
    found = contradictions(disagreeing)
    assert [(one.first, one.second, one.says_same, one.says_different) for one in found] == [
        ("a", "b", "one", "two"),
        ("a", "c", "one", "two"),
    ]
    told_of = {"query": "the American war", "one": "one", "other": "two"}
    assert told_of.items() <= values_of(found[0].told).items()
    keys = told(undisputed_pairs(disagreeing))
    assert not {pair for pair, _, _ in keys} & {"ab", "ac"}
    assert ("ad", False, 1) in keys
    assert len(keys) == len({pair for pair, _, _ in keys})


def test_other_questions_do_not_contradict(disagreeing):
    one = disagreeing[0]
    other = saved_as(
        "two", GROUPS, lambda now: curation.separate(now, ["a"], "Alone"), query="the peace"
    )
    assert contradictions([one, other]) == []


def test_the_same_words_in_two_groups_are_listed():
    from dataclasses import replace

    one = saved_as("one", GROUPS)
    group = one.groups[1]
    copied = replace(group.passages[0], text="Words  of a.")
    group = replace(group, passages=(copied, *group.passages[1:]))
    twice = replace(one, groups=(one.groups[0], group, one.groups[2]))
    found = contradictions([twice])
    assert [(each.first, each.second) for each in found] == [("a", "d")]
    assert values_of(found[0].told)["one"] == "one"


def test_a_training_set_leaves_out_what_nobody_knows():
    judged = saved_as("one", GROUPS, lambda now: curation.judge(now, ["c"], "unsure"))
    made = training_set([judged])
    assert [(one.id, one.label) for one in made.instances[0].passages] == [
        ("a", "Stamp Act"), ("b", "Stamp Act"), ("d", "French fleet"), ("e", "French fleet"),
    ]  # fmt: skip
    assert made.n_passages == 4
    (told,) = made.told
    kinds = told.values["what"].values.values()
    assert [one.values["count"] for one in kinds] == [1, 1]  # unsure, other


def test_only_what_was_judged_can_be_asked_for():
    judged = saved_as("one", GROUPS, lambda now: curation.judge(now, ["a", "d"], "accepted"))
    passages = training_set([judged], only_judged=True).instances[0].passages
    assert [one.id for one in passages] == ["a", "d"]
    (told,) = training_set([judged], only_judged=True).told
    assert [one.values["count"] for one in told.values["what"].values.values()] == [1, 3]


def test_of_one_question_the_corrections_saved_last_are_taken(disagreeing):
    made = training_set(disagreeing)
    assert [one.label for one in made.instances[0].passages if one.id == "a"] == ["Alone"]
    assert values_of(made.told[0]) == {"name": "one", "newer": "two"}


def test_what_holds_nothing_to_learn_from_is_left_out_and_told():
    made = training_set([saved_as("one", {0: "a", -1: "bc"})])
    assert made.instances == ()
    assert values_of(made.told[-1]) == {"name": "one"}


@pytest.mark.parametrize(("write", "ending"), [(as_csv, "csv"), (as_json_lines, "jsonl")])
def test_the_checker_takes_what_is_exported(tmp_path, write, ending):
    saved = [
        saved_as("one", GROUPS, lambda now: curation.rename(now, 0, 'Duties, "taxes"')),
        saved_as("two", GROUPS, query="the peace, at last"),
    ]
    made = training_set(saved)
    path = tmp_path / f"corrections.{ending}"
    path.write_bytes(write(made.instances))
    report = check_labelled_set(path)
    assert report.errors == ()
    assert [problem.kind for problem in report.warnings] == ["few-queries"]
    read = read_instances(path)
    assert [one.query.text for one in read] == ["the American war", "the peace, at last"]
    assert [[(p.id, p.title, p.text, p.label) for p in one.passages] for one in read] == [
        [(p.id, p.title, p.text, p.label) for p in one.passages] for one in made.instances
    ]


def test_a_table_has_its_columns():
    rows = list(csv.reader(io.StringIO(as_csv(training_set([saved_as("one", GROUPS)]).instances)
                                       .decode("utf-8-sig"))))  # fmt: skip
    assert rows[0] == ["query", "id", "title", "text", "label"]
    assert rows[1] == ["the American war", "a", "Title a", "Words of a.", "Stamp Act"]
