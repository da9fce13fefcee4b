import re
import string

import pytest
from raising import numbers

from subclust.labelled.reading.checker import _grouped
from subclust.labelled.reading.kinds import ALL_KINDS, KINDS
from subclust.labelled.reading.problems import Problem, place, printable, quoted


def empty(row, column="label", **more):
    return Problem("empty-cell", "set.csv", row, column=column, **more)


def test_a_problem_is_one_sentence():
    problem = empty(17)
    assert problem.severity == "error" and problem.where == "row 17"
    assert problem.sentence == f"set.csv, row 17: {problem.what}; {problem.advice}."
    whole = Problem("empty-file", "set.csv")
    assert whole.sentence == f"set.csv {whole.what}; {whole.advice}."
    line = Problem("empty-field", "set.jsonl", 2, 3, "text", in_lines=True)
    assert line.sentence.startswith(f"set.jsonl, line 2, passage 3: {line.what}")
    assert Problem("no-words", "s", 1, found="{other} {}").what.endswith("({other} {})")


def test_many_of_a_kind_are_one_line_and_every_one_is_kept():
    rows = [17, 42, 58, *range(100, 409)]
    (group,) = _grouped(map(empty, reversed(rows)))
    assert numbers(group.line) == ["312", "17", "42", "58", "309"]
    assert group.advice == empty(17).advice
    assert [problem.row for problem in group.problems] == rows


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([4], ["4"]),
        ([4, 9], ["2", "4", "9"]),
        ([4, 9, 12, 13], ["4", "4", "9", "12", "13"]),
        ([4, 9, 12, 13, 14], ["5", "4", "9", "12", "2"]),
        ([*range(2000)], ["2,000", "0", "1", "2", "1,997"]),
    ],
)
def test_the_places_that_are_named(rows, named):
    (group,) = _grouped(map(empty, rows))
    assert numbers(group.line) == named


def test_passages_of_lines_are_named_with_their_line():
    problems = [
        Problem("empty-field", "set.jsonl", 2, passage, "text", in_lines=True) for passage in (1, 4)
    ]
    (group,) = _grouped(problems)
    assert numbers(group.line) == ["2", "2", "1", "2", "4"]


def test_groups_are_of_one_kind_and_column_and_errors_come_first():
    problems = [
        Problem("no-words", "set.csv", 2, column="text"),
        Problem("few-queries", "set.csv", found="3"),
        empty(30),
        empty(9, "text"),
        empty(31),
    ]
    lines = [group.line for group in _grouped(problems)]
    assert [numbers(line) for line in lines] == [["9"], ["2", "30", "31"], ["3"], ["2"]]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_words_of_a_kind(kind):
    assert re.fullmatch(r"[a-z0-9-]+", kind.name) and kind.severity in ("error", "warning")
    assert not kind.unreadable or kind.severity == "error"
    known = {"column", "field", "found", "other"}
    for words, allowed in (
        (kind.one, known),
        (kind.advice, known),
        (kind.many, {*known, "n", "rows"}),
    ):
        used = {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}
        assert used <= allowed
        assert not words.endswith(".") and "  " not in words and words == words.strip()
    # One plain sentence: no second one begins within.
    assert not re.search(r"[.!?] [A-Z]", f"{kind.one}; {kind.advice}")
    assert "{n}" in kind.many or not kind.many
    assert kind.advice


def test_no_two_kinds_have_one_name():
    assert len(KINDS) == len(ALL_KINDS)


def test_the_object_of_a_problem():
    problem = empty(17, found="x", query="w\x1bar")
    assert problem.to_dict() == {
        "severity": "error",
        "kind": "empty-cell",
        "row": 17,
        "passage": None,
        "column": "label",
        "query": "w\ufffdar",
        "found": "x",
        "sentence": problem.sentence,
    }


def test_quotations_are_short_and_do_no_harm():
    assert quoted("a \n b") == "“a b”"
    assert quoted("\x1b[31mred\ud800") == "“\ufffd[31mred\ufffd”"
    assert len(quoted("word " * 10_000)) == 42 and quoted("word " * 100).endswith("…”")
    assert printable("a\u00a0b\u200b") == "a b\ufffd"
    assert (place(3), place(3, None, True), place(3, 1, True)) == (
        "row 3",
        "line 3",
        "line 3, passage 1",
    )
