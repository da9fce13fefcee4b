import gzip
import json
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.text.sources import Document, Refusal
from subclust.text.sources.jsonl import JsonLines


def write(tmp_path, *lines, name="my.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    return path


def read(path):
    return list(JsonLines(path, "mine"))


def test_documents(tmp_path):
    record = {
        "id": 3,
        "title": "On maps",
        "abstract": " Maps are drawn. ",
        "authors": ["A. One", "B. Two"],
        "year": 1999,
        "shelf": "Q 4",
        "label": "Maps",
        "nothing": None,
    }
    (document,) = read(write(tmp_path, record))
    (passage,) = document.passages
    assert (document.id, document.title) == ("3", "On maps")
    assert (passage.id, passage.text, passage.collection) == ("mine:3", "Maps are drawn.", "mine")
    assert (passage.label, passage.path) == ("Maps", "Maps")
    assert passage.metadata == {"authors": "A. One; B. Two", "year": "1999", "shelf": "Q 4"}


def test_instances(tmp_path):
    instance = {
        "query": "War",
        "description": "About war.",
        "passages": [
            {"id": "1", "text": "Taxes.", "label": "Causes", "path": "Causes / Money"},
            {"id": "2", "text": "", "label": "Causes"},
            "no object",
            {"text": "Battles."},
        ],
    }
    *refusals, document = read(write(tmp_path, instance))
    assert [r.place for r in refusals] == ["line 1, passage 2", "line 1, passage 3"]
    assert (document.title, document.description) == ("War", "About war.")
    assert [(p.text, p.title, p.label, p.path) for p in document.passages] == [
        ("Taxes.", "War", "Causes", "Causes / Money"),
        ("Battles.", "War", None, None),
    ]
    assert document.passages[0].metadata == {"description": "About war."}


def test_the_grouped_passages_of_an_exported_answer(tmp_path):
    groups = [
        {"name": "Ports", "passages": [{"id": "a", "title": "Tides", "text": "They rise."}]},
        {"name": "Ships", "passages": [{"id": "b", "title": "Yards", "text": "They build."}]},
    ]
    found = read(write(tmp_path, {"query": "the sea", "subtopics": groups}))
    assert [one.title for one in found] == ["Tides", "Yards"]
    assert [one.passages[0].text for one in found] == ["They rise.", "They build."]


def test_ids_are_made_from_the_words_and_stay_the_same(tmp_path):
    path = write(tmp_path, {"text": "a"}, {"text": "b"})
    ids = [document.passages[0].id for document in read(path)]
    assert len(set(ids)) == 2
    assert ids == [document.passages[0].id for document in read(path)]


def test_a_title_alone_stands_for_its_record(tmp_path):
    (document,) = read(write(tmp_path, {"title": "A history of maps"}))
    assert document.passages[0].text == "A history of maps"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("nonsense", "not JSON"),
        ("[" * 100_000, "nested more than 100"),
        ("3", "not an object"),
        ("{}", "neither a text"),
        ('{"text": "  "}', "neither a text"),
        ('{"text": null, "title": []}', "neither a text"),
        ('{"passages": []}', "no query"),
        ('{"query": "q", "passages": 4}', "no passages"),
    ],
)
def test_a_refused_line_is_named_and_the_others_are_read(tmp_path, line, reason):
    first, refusal, last = read(write(tmp_path, {"text": "a"}, line, {"text": "b"}))
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert isinstance(refusal, Refusal)
    assert refusal.place == "line 2"
    assert reason in refusal.reason
    assert refusal.advice.endswith(".")
    assert str(refusal).startswith("line 2: ")


def test_lone_surrogates_and_control_characters_are_taken_out(tmp_path):
    (document,) = read(write(tmp_path, r'{"text": "a\ud800b\u0000c\u0007d"}'))
    assert document.passages[0].text == "abcd"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "cp1252", "latin-1"]
)
def test_encodings(tmp_path, encoding):
    text = '{"text": "café – naïve"}\n' if "latin" not in encoding else '{"text": "café naïve"}\n'
    data = b"\xff\xfe" + text.encode("utf-16-le") if "bom" in encoding else text.encode(encoding)
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    (document,) = read(path)
    assert document.passages[0].text == json.loads(text)["text"]


def test_gzip_by_content_not_by_name(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(gzip.compress(b'{"text": "a"}\n'))
    assert len(read(path)) == 1
    assert JsonLines(path, "mine").estimate() == 1


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b"", {}),
        (b" \n\n ", {}),
        (b"\xef\xbb\xbf", {}),
        (b'[{"text": "a"}]', {}),
        (b"PK\x03\x04rest", {}),
        (b"\x89PNG\r\n\x1a\n\x00\x00", {}),
        (gzip.compress(b'{"text": "a"}\n' * 999, mtime=0)[:-20], {"error": ANY}),
        (b"\xff\xfe" + b"\x00\xd8" * 9, {"encoding": "UTF-16"}),
    ],
)
def test_files_that_cannot_be_read_are_refused_whole(tmp_path, data, values):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with raises(FileFormatError, file="x.jsonl", **values):
        read(path)


@given(st.binary(max_size=300))
def test_no_bytes_bring_a_traceback(tmp_path, data):
    path = tmp_path / "noise.jsonl"
    path.write_bytes(data)
    try:
        items = read(path)
    except FileFormatError:
        return
    assert all(isinstance(item, Document | Refusal) for item in items)


def test_a_query_without_passages_is_refused_and_says_so(tmp_path):
    path = tmp_path / "sets.jsonl"
    path.write_text('{"query": "trains", "passages": []}\n{"query": "ships", "passages": 3}\n')
    first, second = read(path)
    assert first.place == "line 1" and first.reason == second.reason
