import csv
import gzip
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.reading.instances import file_digest, read_instances
from subclust.training.split import split_queries

GOOD = [
    {
        "query": "war",
        "description": "the war of 1775",
        "passages": [
            {"id": "a", "text": "Taxes rose.", "label": "Causes", "path": "Causes / Taxes"},
            {"id": "b", "text": "Many fell.", "label": "Battles"},
        ],
    },
    {"query": "Äpfel", "passages": [{"text": "Red ones.", "label": "Colour", "title": "Fruit"}]},
]
EXPECTED = [
    ClusteringInstance(
        Query("war", "the war of 1775"),
        (
            Passage("a", "Taxes rose.", label="Causes", path="Causes / Taxes"),
            Passage("b", "Many fell.", label="Battles", path="Battles"),
        ),
    ),
    ClusteringInstance(
        Query("Äpfel"),
        (Passage("2#1", "Red ones.", title="Fruit", label="Colour", path="Colour"),),
    ),
]


def jsonl(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set.jsonl", jsonl(GOOD).encode()),
        ("SET.JSONL", jsonl(GOOD).encode()),
        ("bom.jsonl", b"\xef\xbb\xbf" + jsonl(GOOD).encode()),
        ("windows.jsonl", jsonl(GOOD).replace("\n", "\r\n").encode()),
        ("no-last-newline.jsonl", jsonl(GOOD).rstrip().encode()),
        ("set.jsonl.gz", gzip.compress(jsonl(GOOD).encode(), mtime=0)),
    ],
)
def test_json_lines_are_read(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert read_instances(path) == EXPECTED


def test_empty_lines_count_for_line_numbers_but_not_for_queries(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text(f"\n{json.dumps(GOOD[0])}\n\n  \n{json.dumps(GOOD[1])}\n")
    instances = read_instances(path)
    assert [i.query.text for i in instances] == ["war", "Äpfel"]
    assert instances[1].passages[0].id == "5#1"


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("{", {"line": 2, "text": "{", "place": 2}),
        ("[1]", {"line": 2, "column": "query", "text": "[1]"}),
        ('{"query": 3, "passages": []}', {"line": 2, "column": "query", "file": "set.jsonl"}),
        ('{"query": "q"}', {"line": 2, "column": "passages", "file": "set.jsonl"}),
        ('{"query": "q", "passages": []}', {"line": 2, "column": "passages", "file": "set.jsonl"}),
        ('{"query": "q", "passages": ["a"]}', {"line": 2, "passage": 1, "text": '"a"'}),
        (
            '{"query": "q", "passages": [{"text": "t", "label": "l"}, {"text": "t"}]}',
            {"line": 2, "passage": 2, "column": "label"},
        ),
        (
            '{"query": "q", "passages": [{"text": "t", "label": 3}]}',
            {"line": 2, "passage": 1, "text": "3"},
        ),
        (
            '{"query": "q", "passages": [{"text": " ", "label": "l"}]}',
            {"line": 2, "passage": 1, "column": "text"},
        ),
        (
            '{"query": "q", "passages": [{"text": null, "label": "l"}]}',
            {"line": 2, "passage": 1, "column": "text"},
        ),
    ],
)
def test_broken_json_lines_are_refused_with_their_line(tmp_path, line, values):
    path = tmp_path / "set.jsonl"
    path.write_text(f"{json.dumps(GOOD[0])}\n{line}\n")
    with raises(FileFormatError, **values):
        read_instances(path)


HEADER = ["query", "text", "label", "id", "title", "description", "path"]
ROWS = [
    ["war", "Taxes rose.", "Causes", "a", "", "", "Causes / Taxes"],
    ["Äpfel", "Red ones,\nand green.", "Colour", "", "Fruit", "", ""],
    ["war", 'Many "fell".', "Battles", "b", "", "the war of 1775", ""],
]


def table(rows, delimiter=","):
    def cell(value):
        return '"' + value.replace('"', '""') + '"'

    return "\r\n".join(delimiter.join(cell(value) for value in row) for row in rows) + "\r\n"


def workbook(path, rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.create_sheet("Notes").append(["not", "read"])
    book.save(path)


def write_table(path, rows):
    match path.suffix:
        case ".xlsx":
            workbook(path, rows)
        case ".tsv":
            path.write_bytes(table(rows, "\t").encode())
        case ".csv":
            # As Excel saves "CSV UTF-8".
            path.write_bytes(b"\xef\xbb\xbf" + table(rows).encode())


every_table = pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])


@every_table
def test_tables_are_read_and_their_rows_gathered_by_query(tmp_path, suffix):
    path = tmp_path / f"set{suffix}"
    write_table(path, [HEADER, *ROWS])
    war, apples = read_instances(path)
    assert war.query == Query("war", "the war of 1775")
    assert [(p.id, p.text, p.label, p.path) for p in war.passages] == [
        ("a", "Taxes rose.", "Causes", "Causes / Taxes"),
        ("b", 'Many "fell".', "Battles", "Battles"),
    ]
    assert apples.query == Query("Äpfel")
    assert apples.passages[0].text == "Red ones,\nand green."
    assert apples.passages[0].title == "Fruit"
    assert apples.passages[0].id


@every_table
def test_columns_may_come_in_any_order_and_case_with_others_between(tmp_path, suffix):
    path = tmp_path / f"set{suffix}"
    rows = [["Notes", " Label ", "TEXT", "Query"], ["-", "Causes", "Taxes rose.", "war"]]
    write_table(path, rows)
    assert read_instances(path)[0].passages[0].text == "Taxes rose."


@every_table
@pytest.mark.parametrize("column", ["query", "text", "label"])
def test_a_missing_column_is_named(tmp_path, suffix, column):
    path = tmp_path / f"set{suffix}"
    write_table(path, [[name for name in HEADER[:3] if name != column], ["a", "b"]])
    with raises(FileFormatError, row=1, column=column):
        read_instances(path)


@every_table
@pytest.mark.parametrize("position", [0, 1, 2])
def test_an_empty_cell_is_named_with_its_row(tmp_path, suffix, position):
    bad = ["war", "Taxes rose.", "Causes"]
    bad[position] = "  "
    path = tmp_path / f"set{suffix}"
    write_table(path, [HEADER[:3], ["war", "Many fell.", "Battles"], ["", "", ""], bad])
    with raises(FileFormatError, row=4):
        read_instances(path)


@every_table
def test_a_table_without_rows_is_refused(tmp_path, suffix):
    path = tmp_path / f"set{suffix}"
    write_table(path, [HEADER])
    with raises(FileFormatError, file=path.name):
        read_instances(path)


def test_short_and_long_rows_of_a_table(tmp_path):
    path = tmp_path / "set.csv"
    path.write_text("query,text,label,path\nq,one,a\nq,two,b,b / c,beyond\n")
    assert [p.path for p in read_instances(path)[0].passages] == ["a", "b / c"]
    path.write_text("query,text,label\nq,one\n")
    with raises(FileFormatError, row=2, column="label", file="set.csv"):
        read_instances(path)


def test_numbers_in_a_workbook_are_taken_as_written(tmp_path):
    path = tmp_path / "set.xlsx"
    workbook(path, [["query", "text", "label"], ["war", "In 1775", 3], [1984, "A book", None]])
    with raises(FileFormatError, row=3, column="label", file="set.xlsx"):
        read_instances(path)
    workbook(path, [["query", "text", "label"], [1984, "A book", 3]])
    instance = read_instances(path)[0]
    assert (instance.query.text, instance.passages[0].label) == ("1984", "3")


def corrupt_gzip():
    content = bytearray(gzip.compress(jsonl(GOOD * 50).encode()))
    for position in range(40, len(content) - 20, 3):
        content[position] ^= 0xA5
    return bytes(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_what_the_check_reads_is_read(tmp_path, encoding, separator):
    path = tmp_path / "set.csv"
    path.write_bytes("query,text,label\nq,t é,l\n".replace(",", separator).encode(encoding))
    (instance,) = read_instances(path)
    passage = instance.passages[0]
    assert (instance.query.text, passage.text, passage.label) == ("q", "t é", "l")


@pytest.mark.parametrize(
    ("name", "content", "values"),
    [
        ("set.jsonl", b"", {}),
        ("set.csv", b"", {}),
        ("set.jsonl", '{"query": "é"}'.encode("latin-1"), {"other": "Windows-1252"}),
        ("set.csv", "query,text,label\né,a,b\n".encode("latin-1"), {"other": "Windows-1252"}),
        ("set.csv", "query,text,label\n".encode("utf-16"), {"file": "set.csv"}),
        ("set.csv", "query,text,label\nq,t,l\n".encode("utf-16-le"), {"file": "set.csv"}),
        ("set.jsonl.gz", b"not gzip at all", {"file": "set.jsonl.gz"}),
        (
            "set.jsonl.gz",
            gzip.compress(jsonl(GOOD * 50).encode(), mtime=0)[:-30],
            {"file": "set.jsonl.gz"},
        ),
        ("set.jsonl.gz", corrupt_gzip(), {"file": "set.jsonl.gz"}),
        ("set.xlsx", b"not a workbook", {"file": "set.xlsx"}),
        ("set.xlsx", b"PK\x05\x06" + bytes(18), {"file": "set.xlsx"}),
        ("set.xls", b"\xd0\xcf\x11\xe0", {"file": "set.xls"}),
        ("set.txt", b"q", {"file": "set.txt"}),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value,
)
def test_files_that_are_not_what_they_seem_are_refused(tmp_path, name, content, values):
    path = tmp_path / name
    path.write_bytes(content)
    with raises(FileFormatError, **values):
        read_instances(path)


@pytest.mark.parametrize(
    ("member", "how"),
    [
        *[("xl/worksheets/sheet1.xml", how) for how in ("stream", "checksum", "markup")],
        *[("xl/workbook.xml", how) for how in ("stream", "checksum", "markup", "missing")],
    ],
)
def test_a_damaged_workbook_is_refused(tmp_path, member, how):
    path = tmp_path / "set.xlsx"
    workbook(path, [HEADER[:3], *(["war", f"Text {n} " * 20, "Causes"] for n in range(300))])
    content = bytearray(path.read_bytes())
    start = content.index(member.encode())
    line = content.rindex(member.encode())
    match how:
        case "stream":
            for position in range(start + len(member) + 5, start + len(member) + 200, 3):
                content[position] ^= 0xA5
        case "checksum":
            content[line - 46 + 16] ^= 0xFF
        case "markup" | "missing":
            with zipfile.ZipFile(path) as archive:
                members = {name: archive.read(name) for name in archive.namelist()}
            members[member] = members[member][:-40]
            if how == "missing":
                del members[member]
            with zipfile.ZipFile(path, "w") as archive:
                for name, data in members.items():
                    archive.writestr(name, data)
            content = path.read_bytes()
    path.write_bytes(content)
    with raises(FileFormatError, file="set.xlsx"):
        read_instances(path)


def test_a_cell_that_is_too_long_is_refused_with_its_row(tmp_path):
    # Python's own limit, which another reader in the same process may have raised.
    before = csv.field_size_limit(1000)
    try:
        path = tmp_path / "set.csv"
        path.write_text(f"query,text,label\nq,{'x' * 2000},l\n")
        with raises(FileFormatError, row=2, other="csv", file="set.csv"):
            read_instances(path)
    finally:
        csv.field_size_limit(before)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with raises(FileFormatError):
            read_instances(path)


def test_the_digest_is_that_of_sha256(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    assert file_digest(path).startswith("e3b0c44298fc1c149afbf4c8996fb924")


def named(*texts):
    return [ClusteringInstance(Query(text), ()) for text in texts]


@given(
    st.lists(st.sampled_from("abcdefghij"), min_size=2, max_size=40).filter(
        lambda texts: len(set(texts)) > 1
    ),
    st.floats(0.01, 0.99),
    st.integers(0, 5),
)
def test_a_split_is_disjoint_whole_and_seeded(texts, share, seed):
    instances = named(*texts)
    training, held = split_queries(instances, share, seed)
    left, right = ({i.query.text for i in part} for part in (training, held))
    assert left and right and not left & right
    assert len(training) + len(held) == len(instances)
    assert [i for i in instances if i.query.text in left] == training
    assert abs(len(right) - share * len(set(texts))) <= 1
    assert split_queries(instances, share, seed) == (training, held)
    # What is held out does not depend on the order of the file.
    again = split_queries(instances[::-1], share, seed)[1]
    assert {i.query.text for i in again} == right


def test_another_seed_holds_out_other_queries():
    instances = named(*map(str, range(40)))
    held = {
        frozenset(i.query.text for i in split_queries(instances, 0.25, seed)[1])
        for seed in range(5)
    }
    assert len(held) == 5
    assert {len(part) for part in held} == {10}


def test_one_query_cannot_be_split():
    with raises(InputError):
        split_queries(named("a", "a"), 0.2, 0)
