import csv
import re
import time

import pytest
from broken_sets import BROKEN, DAY, GZ, LINES, changed, more, with_line
from labelled_files import (
    FRUIT,
    GOOD_LINES,
    GOOD_ROWS,
    HEADER,
    csv_text,
    jsonl_text,
    xlsx_bytes,
)
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError
from subclust.labelled.reading.checker import MAX_WORDS, check_labelled_set, words_read
from subclust.labelled.reading.instances import read_instances


@pytest.fixture(autouse=True)
def longest_cell():
    """Set Python's own limit, which another reader in the same process may have raised."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


def check(tmp_path, name, content, **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return check_labelled_set(path, **options)


def places(report):
    """List kind and place of each problem, in one order."""
    return sorted(
        ((p.kind, p.row) if p.passage is None else (p.kind, p.row, p.passage)
         for p in report.problems),
        key=str,
    )  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_problem_is_found_at_its_place_and_nothing_else(tmp_path, name):
    content, expected = BROKEN[name]
    report = check(tmp_path, name, content)
    assert places(report) == sorted(expected, key=str), report.summary
    for problem in report.problems:
        assert problem.sentence.startswith(name) and problem.sentence.endswith(".")
        assert problem.sentence.isprintable() and len(problem.sentence) < 400
        assert not re.search(r"{(column|field|found|other|n|rows)}", problem.sentence)
    if not report.errors:
        assert report.n_passages == report.n_rows > 0


def test_there_are_enough_kinds_of_broken_files():
    kinds = {kind for _, problems in BROKEN.values() for kind, *_ in problems}
    assert len(BROKEN) >= 45 and len(kinds) >= 45


CLEAN = {
    "good.csv": csv_text(GOOD_ROWS),
    "mark.csv": b"\xef\xbb\xbf" + csv_text(GOOD_ROWS).encode(),
    "unix.csv": csv_text(GOOD_ROWS, newline="\n"),
    "good.tsv": csv_text(GOOD_ROWS, separator="\t"),
    "good.xlsx": xlsx_bytes(GOOD_ROWS),
    "good.jsonl": jsonl_text(GOOD_LINES),
    "good.jsonl.gz": GZ,
    "excel.csv": csv_text([[*row, "", ""] for row in GOOD_ROWS], [*HEADER, "", ""]),
    "rich.csv": csv_text(
        [
            [row[0], f"Él dijo: «{row[1]}»,\n\"так\" 好", row[2], str(n), "A title",
             "about" if n % 2 else "", f"{row[2]} / Part" if n % 3 else ""]
            for n, row in enumerate(GOOD_ROWS)
        ],
        [" Query", "TEXT", "Label", "ID", "title", "Description", "Path"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_set_has_no_problems_and_is_what_read_instances_reads(tmp_path, name):
    report = check(tmp_path, name, CLEAN[name])
    assert report.problems == ()
    assert report.instances == tuple(read_instances(tmp_path / name))
    assert (report.n_rows, report.n_queries, report.n_passages, report.n_labels) == (20, 10, 20, 20)
    report.stop_at_errors()


def test_many_problems_at_once_are_all_found(tmp_path):
    header = ["query", "Abstract", "label", "label", "path", "id"]
    rows = [
        ["war", "Taxes rose.", "Causes", "Causes", "Causes / Taxes", "1"],
        ["war", "Taxes rose.", "Causes", "Causes", "Taxes", "1"],
        ["war", "", "", "", "", ""],
        ["war", "x " * 200, "causes", "causes", "", "1"],
        ["peace", "7", "#N/A", "#N/A", "", "", "", "too much"],
    ]
    text = csv_text(rows, header, separator=";") + 'peace;"never closed;Talks\n'
    report = check(tmp_path, "bad.csv", text.encode("utf-16"), columns={"text": "abstract"})
    assert {kind for kind, *_ in places(report)} == {
        "doubled-column", "empty-cell", "error-cell", "extra-cells", "few-queries", "long-text",
        "near-label", "no-words", "one-passage", "other-separator", "path-without-label", "same-id",
        "same-passage", "unclosed-quote", "utf-16",
    }  # fmt: skip
    assert report.instances == () and report.n_rows == 6


def test_only_the_places_of_errors_are_left_out(tmp_path):
    rows = more(["fig", "", "Kitchen"], ["fig", "Jam", "#N/A"], ["fig", "Pie", "Garden"])
    report = check(tmp_path, "set.csv", csv_text(rows))
    assert (report.n_rows, report.n_passages) == (23, 21)
    texts = [p.text for i in report.instances if i.query.text == "fig" for p in i.passages]
    assert texts == ["Growing of the fig.", "Eating of the fig.", "Pie"]


def test_one_label_and_one_passage_are_not_said_of_a_query_with_unreadable_rows(tmp_path):
    rows = more(["kiwi", "Green", "Look"], ["kiwi", "", "Taste"])
    assert places(check(tmp_path, "set.csv", csv_text(rows))) == [("empty-cell", 23)]
    line = {"query": "kiwi", "passages": [{"text": "Green", "label": "Look"}, {"text": "Sour"}]}
    assert places(check(tmp_path, "set.jsonl", with_line(line))) == [("empty-field", 11, 2)]


def test_a_number_is_read_as_it_is_shown(tmp_path):
    rows = more(["fig", "Jam", 2020.0], ["fig", "Pie", DAY], ["fig", "Tree", 0.5])
    report = check(tmp_path, "set.xlsx", xlsx_bytes(rows))
    labels = [p.label for i in report.instances if i.query.text == "fig" for p in i.passages]
    assert labels == ["Garden", "Kitchen", "2020", "2020-02-01", "0.5"]
    assert "“2020”" in report.problems[0].sentence


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "jsonl"])
def test_columns_may_be_named(tmp_path, suffix):
    header = ["Frage", "Abstract", "Kategorie"]
    content = {
        "csv": csv_text(GOOD_ROWS, header, separator=";"),
        "xlsx": xlsx_bytes(GOOD_ROWS, header),
        "jsonl": jsonl_text(
            {
                "Frage": line["query"],
                "passages": [
                    {"Abstract": p["text"], "Kategorie": p["label"]} for p in line["passages"]
                ],
            }
            for line in GOOD_LINES
        ),
    }[suffix]
    columns = {"query": "Frage", "text": "Abstract", "label": "Kategorie"}
    report = check(tmp_path, f"set.{suffix}", content, columns=columns)
    assert not report.errors and report.n_passages == 20
    assert [i.query.text for i in report.instances] == FRUIT
    # Without names all three are asked for, and what is not there is said.
    assert check(tmp_path, f"set.{suffix}", content).n_passages == 0
    report = check(tmp_path, f"set.{suffix}", content, columns={**columns, "path": "Pfad"})
    (problem,) = report.errors
    assert problem.kind == ("no-such-field" if suffix == "jsonl" else "no-such-column")
    assert "“" not in problem.found and "Pfad" in problem.sentence


@pytest.mark.parametrize(
    ("header", "column", "likely"),
    [
        (["query", "texts", "label"], "text", "texts"),
        (["query", "Abstract", "label"], "text", "Abstract"),
        (["query", "text", "Categories"], "label", "Categories"),
        (["query", "text", "Sub-topic"], "label", "Sub-topic"),
        (["query", "text", "lable"], "label", "lable"),
        (["Research question", "text", "label"], "query", "Research question"),
        (["queries", "text", "label"], "query", "queries"),
    ],
)
def test_a_column_of_a_near_name_is_suggested(tmp_path, header, column, likely):
    (problem,) = check(tmp_path, "set.csv", csv_text(GOOD_ROWS, header)).problems
    assert (problem.kind, problem.column, problem.other) == ("near-column", column, likely)
    assert f'--column "{column}={likely}"' in problem.advice
    columns = {column: likely}
    assert not check(tmp_path, "set.csv", csv_text(GOOD_ROWS, header), columns=columns).problems


def test_nothing_far_off_is_suggested(tmp_path):
    report = check(tmp_path, "set.csv", csv_text(GOOD_ROWS, ["query", "text", "price"]))
    assert [p.kind for p in report.problems] == ["missing-column"]
    assert "(found: query, text, price)" in report.problems[0].sentence
    # The title is a column of its own, and one column is suggested once.
    report = check(tmp_path, "set.csv", csv_text(GOOD_ROWS, ["Question", "title", "note"]))
    assert sorted((p.kind, p.column) for p in report.problems) == [
        ("missing-column", "label"),
        ("missing-column", "text"),
        ("near-column", "query"),
    ]


HELD_OUT = [
    *[["kiwi", f"{FRUIT[n]} {n}", "ab"[n % 2]] for n in range(4)],
    ["fig", "A held-out fig.", "a"],
    ["kiwi", "Eating of the  grape.", "a"],
]


@pytest.mark.parametrize("as_path", [True, False])
def test_what_the_held_out_set_has_too_is_found(tmp_path, as_path):
    held = tmp_path / "held.csv"
    held.write_text(csv_text(HELD_OUT))
    against = held if as_path else read_instances(held)
    report = check(tmp_path, "set.csv", csv_text(GOOD_ROWS), against=against)
    assert places(report) == [("held-out-passage", 15), ("held-out-query", 12)]
    assert not report.errors
    assert ("held.csv" in report.problems[0].sentence) == as_path
    assert "question “kiwi”" in report.problems[1].sentence


def test_a_held_out_set_with_errors_is_told_and_compared_all_the_same(tmp_path):
    held = tmp_path / "held.csv"
    held.write_text(csv_text([*HELD_OUT, ["kiwi", "", "b"]]))
    report = check(tmp_path, "set.csv", csv_text(GOOD_ROWS[:2]), against=held)
    (problem,) = report.problems
    assert problem.kind == "held-out-errors" and "row 8: the column" in problem.sentence
    with raises(FileFormatError):
        check(tmp_path, "set.csv", csv_text(GOOD_ROWS), against=tmp_path / "none.csv")


def test_a_set_that_is_not_split_may_be_small(tmp_path):
    assert not check(tmp_path, "set.csv", csv_text(GOOD_ROWS[:2]), to_split=False).problems
    assert not check(tmp_path, "set.csv", csv_text(GOOD_ROWS[:2]), against=[]).problems


def test_the_longest_text_follows_the_encoder(tmp_path):
    assert words_read(128) == MAX_WORDS == 100
    assert words_read(256) > 190 and words_read(1) == 1
    content = csv_text(changed(8, "text", "word " * 20))
    assert not check(tmp_path, "set.csv", content, max_words=20).problems
    (problem,) = check(tmp_path, "set.csv", content, max_words=19).problems
    assert "20 words" in problem.sentence
    assert not check(tmp_path, "set.csv", csv_text(changed(8, "text", "w " * 999)),
                     max_words=None).problems  # fmt: skip


def test_a_missing_file_and_a_wrong_name_are_the_callers_mistakes(tmp_path):
    with raises(FileFormatError):
        check_labelled_set(tmp_path / "none.csv")
    with raises(InputError, name="topic"):
        check(tmp_path, "set.csv", csv_text(GOOD_ROWS), columns={"topic": "x"})


def test_the_sentence_that_stops(tmp_path):
    rows = more(["fig", "", "x"], ["fig", "y", ""])
    report = check(tmp_path, "set.csv", csv_text(rows))
    with raises(FileFormatError, n=2, row=22, column="text"):
        report.stop_at_errors()


def test_read_instances_passes_over_what_is_only_doubtful(tmp_path):
    path = tmp_path / "set.csv"
    path.write_text(csv_text(more(["kiwi", "#N/A", "NaN"], ["kiwi", "#N/A", "nan"])))
    assert read_instances(path)[-1].query.text == "kiwi"
    path.write_text("".join([*LINES, 'fig,"Jam,Kitchen\n']))
    with raises(FileFormatError, row=22, text='"Jam,Kitchen', file="set.csv"):
        read_instances(path)


def test_a_damaged_workbook_is_refused_though_its_first_rows_can_be_read(tmp_path):
    content = bytearray(xlsx_bytes([["war", f"Text {n} " * 30, "ab"[n % 2]] for n in range(9000)]))
    start = content.index(b"xl/worksheets/sheet1.xml") + 60_000
    content[start : start + 40] = b"\xa5" * 40
    report = check(tmp_path, "set.xlsx", bytes(content))
    assert "damaged-workbook" in {p.kind for p in report.errors}
    assert report.instances == ()


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_work_grows_with_the_file_and_no_faster(tmp_path, form):
    """Ten thousand rows with a problem each, of the kinds that compare rows with rows."""
    n = 10_000
    rows = [["fig", "Jam", "kitchen" if i % 2 else "Kitchen", "id", str(i)] for i in range(n)]
    if form == "csv":
        content = csv_text(rows, [*HEADER, "id", "description"]) + 'fig,"x,y\n' * n
    else:
        passages = [{"text": row[1], "label": row[2], "id": row[3]} for row in rows]
        content = jsonl_text([{"query": "fig", "passages": passages}, *["{\n"] * n])
    path = tmp_path / f"set.{form}"
    path.write_text(content)
    started = time.process_time()
    report = check_labelled_set(path, to_split=False)
    assert len(report.problems) > 2.4 * n
    assert len(report.groups) < 12 and all(len(line) < 300 for line in report.summary)
    assert time.process_time() - started < 5
