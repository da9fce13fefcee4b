import gzip

import pytest
from label_sets import received
from labelled_files import GOOD_LINES, GOOD_ROWS, csv_text, jsonl_text, xlsx_bytes

from subclust.labelled.sets import LabelledSetStore

pytestmark = pytest.mark.usefixtures("in_this_process")


@pytest.fixture
def preview(tmp_path):
    store = LabelledSetStore(tmp_path / "sets")
    return lambda content, name="set.csv": store.preview(received(store, content, name))


def test_the_first_rows(preview):
    found = preview(csv_text(GOOD_ROWS))
    assert found.header == ("query", "text", "label")
    assert found.rows == tuple(map(tuple, GOOD_ROWS[:10]))
    assert found.columns == {"query": "query", "text": "text", "label": "label"}
    assert found.problems == ()


def test_a_workbook_looks_the_same(preview):
    assert preview(xlsx_bytes(GOOD_ROWS), "set.xlsx").rows == preview(csv_text(GOOD_ROWS)).rows


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Search,Abstract,Topic", {"query": "Search", "text": "Abstract", "label": "Topic"}),
        ("QUERY , Text,label", {"query": "QUERY", "text": "Text", "label": "label"}),
        ("query,passage,x", {"query": "query", "text": "passage"}),
        ("a,b,c", {}),
        ("queries,titel,text,labels,ID",
         {"query": "queries", "text": "text", "label": "labels", "id": "ID", "title": "titel"}),
    ],
)  # fmt: skip
def test_columns_are_guessed(preview, header, columns):
    found = preview(f"{header}\n1,2,3\n")
    assert dict(found.columns) == columns
    assert all(theirs in found.header for theirs in found.columns.values())


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz"])
def test_lines_are_shown_as_rows(preview, name):
    content = jsonl_text([{**GOOD_LINES[0], "description": "fruit"}, *GOOD_LINES[1:], "broken\n"])
    found = preview(gzip.compress(content.encode()) if name.endswith("gz") else content, name)
    assert found.header == ("query", "description", "text", "label")
    assert found.rows[:2] == tuple((q, "fruit", t, label) for q, t, label in GOOD_ROWS[:2])
    assert len(found.rows) == 10 and found.rows[2][1] == ""
    assert found.columns["description"] == "description"


def test_odd_lines(preview):
    lines = ['{"query": 7, "passages": [{"abstract": null, "label": ["x"]}, 3]}', "[1]", '{"a": 1}']
    found = preview("\n".join(lines), "set.jsonl")
    assert found.header == ("query", "abstract", "label")
    assert found.rows == (("7", "", '["x"]'),)
    assert found.columns["text"] == "abstract"


def test_what_the_file_as_a_whole_has_wrong_is_noted(preview):
    text = csv_text([["käse", "a", "b"]])
    (problem,) = preview(text.encode("cp1252")).problems
    assert "Windows-1252" in problem.sentence and problem.sentence.endswith(".")
    found = preview(text.replace(",", ";").encode("utf-16"))
    notes = [problem.sentence for problem in found.problems]
    assert ["UTF-16" in notes[0], "semicolons" in notes[1]] == [True, True]


def test_long_and_invisible_text_is_cut_and_shown(preview):
    found = preview(csv_text([["a\x07b", "x" * 400, "l\nm"], ["short"]]))
    assert found.rows[0] == ("a\ufffdb", "x" * 300 + "…", "l m")
    assert found.rows[1] == ("short", "", "")


def test_a_header_alone_and_no_header(preview):
    assert preview("query,text,label\n").rows == ()
    assert preview(",,\nquery,text,label,,\n1,2,3\n").header == ("query", "text", "label")
