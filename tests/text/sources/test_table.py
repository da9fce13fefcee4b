import csv
import datetime
import io
import zipfile
from unittest.mock import ANY

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.text.sources import Document, Refusal
from subclust.text.sources.delimited import DelimitedTable, _cells
from subclust.text.sources.workbook import Workbook

ROWS = [
    ["Key", "Article Title", "Abstract", "Author", "Publication Year", "Notes"],
    ["K1", "On maps", 'Maps, "drawn"\nby hand.', "One, A.", 1999, ""],
    ["K2", "", "Café – naïve.", "", None, "kept"],
]


def write_csv(tmp_path, rows, delimiter=",", encoding="utf-8", name="t.csv"):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter).writerows(rows)
    path = tmp_path / name
    path.write_bytes(buffer.getvalue().encode(encoding))
    return path


def write_xlsx(tmp_path, *sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    path = tmp_path / "t.xlsx"
    book.save(path)
    return path


def check(items):
    first, second = items
    assert [d.metadata["number"] for d in items] == ["K1", "K2"]
    assert first.passages[0].text == 'Maps, "drawn"\nby hand.'
    assert first.passages[0].metadata == {"number": "K1", "authors": "One, A.", "year": "1999"}
    assert second.passages[0].text == "Café – naïve."
    assert second.passages[0].metadata == {"number": "K2", "notes": "kept"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_delimited_tables(tmp_path, delimiter, encoding):
    path = write_csv(tmp_path, ROWS, delimiter, encoding)
    check(list(DelimitedTable(path, "mine")))


def test_workbooks(tmp_path):
    check(list(Workbook(write_xlsx(tmp_path, ROWS), "mine")))
    check(list(Workbook(write_xlsx(tmp_path, [], [[], *ROWS, [], [None]], [["x"]]), "mine")))


def test_lists_of_ones_own_have_subtitles_running_numbers_and_days(tmp_path):
    head = ["Nr.", "Verfasser", "Titel", "Untertitel", "Jahr", "Zugang am"]
    day = datetime.datetime(2020, 3, 4)
    row = [1, "Alm, Ada / Berg, Bo", "Wolle", "Ein Versuch", 1998, day]
    told = [2, "Dahl, C. (WHO/UNICEF, Genf)", "Wolle: ein Versuch", "Ein Versuch", 1998, None]
    first, second = Workbook(write_xlsx(tmp_path, [head, row, told]), "mine")
    assert [one.title for one in (first, second)] == ["Wolle: Ein Versuch", "Wolle: ein Versuch"]
    wanted = {"number": "1", "authors": "Alm, Ada; Berg, Bo", "year": "1998"}
    assert dict(first.metadata) == wanted | {"zugang am": "2020-03-04"}
    assert second.metadata["authors"] == "Dahl, C. (WHO/UNICEF, Genf)"
    volumes = [["Titel", "Zeitschrift", "Jg.", "Nr."], ["Wolle", "Garn", 3, 2]]
    (article,) = Workbook(write_xlsx(tmp_path, volumes), "mine")
    assert (article.metadata["volume"], article.metadata["issue"]) == ("3", "2")


def test_labelled_tables(tmp_path):
    rows = [["query", "text", "label"], ["War", "Taxes.", "Causes"]]
    (document,) = DelimitedTable(write_csv(tmp_path, rows), "mine")
    (passage,) = document.passages
    assert (passage.title, passage.label, passage.path) == ("War", "Causes", "Causes")


def test_bad_rows_are_named_as_a_spreadsheet_counts_them(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id,text\n1,"two\nlines"\n\n2,\n3,good\n4,too,many\n5,"un"balanced\n6,good\n')
    items = list(DelimitedTable(path, "mine"))
    documents = [item.id for item in items if isinstance(item, Document)]
    refusals = [item for item in items if isinstance(item, Refusal)]
    assert documents == ["1", "3", "5", "6"]
    assert [r.place for r in refusals] == ["row 4", "row 6"]
    assert "neither a text" in refusals[0].reason
    assert "3 cells" in refusals[1].reason


@pytest.mark.parametrize(
    ("rows", "titles", "n_mended", "n_refused"),
    [
        ('"Wool" and flax,Looms.,2001\nSilk,Worms.,2002\n', ['"Wool" and flax', "Silk"], 1, 0),
        ('Wool,"Looms, ""they"".,2001\nSilk,Worms.,2002\n', ["Silk"], 0, 1),
        ('Wool,"open,2001\nSilk,Worms.,2002\nHemp,said "x",2003\n', ["Wool", "Silk", "Hemp"], 1, 0),
        ('Wool,"open,2001\nSilk,Worms.,2002\nHemp,x",2003\n', ["Wool", "Silk", "Hemp"], 1, 0),
        ('Wool,"He said "yes"\nand went.",2001\nSilk,,2002\n', ["Wool", "Silk"], 1, 0),
        ('Wool,"Para one.\nPara, with, commas.\n",2001\nSilk,,2002\n', ["Wool", "Silk"], 0, 0),
        ('Wool,"5"" wide, ""1,2"" high",2001\nSilk,,2002\n', ["Wool", "Silk"], 0, 0),
        ('"Wool \\"raw\\"","a \\"b\\", c",2001\nSilk,,2002\n', ['Wool "raw"', "Silk"], 0, 0),
        ('Wool,Looms.,2001\nSilk,"never closed,2002', ["Wool", "Silk"], 1, 0),
    ],
)  # fmt: skip
def test_a_stray_quotation_mark_costs_at_most_its_own_row(
    tmp_path, rows, titles, n_mended, n_refused
):
    path = tmp_path / "t.csv"
    path.write_text("title,abstract,year\n" + rows)
    items = list(DelimitedTable(path, "mine"))
    documents = [item for item in items if isinstance(item, Document)]
    assert [one.title for one in documents] == titles
    assert len(items) - len(documents) == n_refused
    assert sum(bool(one.mended) for one in documents) == n_mended


def test_short_rows_lack_only_what_they_lack(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,text,year\n1,good\n")
    (document,) = DelimitedTable(path, "mine")
    assert document.passages[0].metadata == {}


@pytest.mark.parametrize(
    ("row", "cells"),
    [('"', ['"']), (' ""', [""]), ('" a"", a", ,', [' a", a', " ", ""]), ('"a"b",c', ['a"b', "c"])],
)
def test_a_row_is_divided_at_quotation_marks_beside_separators(row, cells):
    assert _cells(row, ",") == cells


def test_long_cells_become_several_passages(tmp_path):
    (document,) = DelimitedTable(write_csv(tmp_path, [["text"], ["word " * 60_000]]), "mine")
    assert "".join(p.text for p in document.passages).replace(" ", "") == "word" * 60_000
    assert document.passages[1].metadata["position"] == "2"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("id,year\n1,2\n", {"names": "id, year"}),
        ("only words\n", {"names": "only words"}),
        ('"text,id\n', {}),
        ("\n \n", {}),
        (",,\n,,\n", {}),
    ],
)
def test_tables_without_a_usable_header_are_refused(tmp_path, text, values):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with raises(FileFormatError, file="t.csv", **values):
        list(DelimitedTable(path, "mine"))


def test_what_is_no_workbook_is_refused(tmp_path):
    path = tmp_path / "t.xlsx"
    with raises(FileFormatError, file=ANY):
        list(Workbook(path, "mine"))
    path.write_bytes(b"id,text\n1,a\n")
    with raises(FileFormatError, file="t.xlsx"):
        list(Workbook(path, "mine"))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with raises(FileFormatError, file="t.xlsx"):
        list(Workbook(path, "mine"))
    with raises(FileFormatError, file="t.xlsx"):
        list(Workbook(write_xlsx(tmp_path, []), "mine"))


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_damaged_workbooks_bring_no_traceback(tmp_path, keep):
    path = write_xlsx(tmp_path, ROWS)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(FileFormatError):
        list(Workbook(path, "mine"))


def test_a_workbook_that_breaks_off_inside_says_where(tmp_path):
    path = write_xlsx(tmp_path, [["id", "text"], *[[n, f"text {n}"] for n in range(5000)]])
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    members[sheet] = members[sheet][: len(members[sheet]) // 2]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    *documents, refusal = Workbook(path, "mine")
    assert len(documents) > 1000
    assert isinstance(refusal, Refusal)
    assert "damaged from there" in refusal.reason


@given(st.one_of(st.binary(max_size=200), st.text('",;\n\tab', max_size=80).map(str.encode)))
def test_no_bytes_bring_a_traceback(tmp_path, data):
    path = tmp_path / "noise.csv"
    path.write_bytes(b"title,text\n" + data)
    try:
        items = list(DelimitedTable(path, "mine"))
    except FileFormatError:
        return
    assert all(isinstance(item, Document | Refusal) for item in items)
