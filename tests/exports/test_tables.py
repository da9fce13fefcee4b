"""CSV and Excel: everything comes back, and nothing is a formula."""

import csv
import io
from dataclasses import replace

import openpyxl
import pytest
from hostile_map import TEXTS, hostile_map, hostile_report

from subclust.exports import FORMATS, written
from subclust.exports.tables import harmless
from subclust.figures.wrapping import printable


def members():
    return [(m, g) for g in hostile_map().subtopics for m in g.passages]


def csv_rows():
    text = written(hostile_report(), FORMATS[".csv"]).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_gives_every_passage_back():
    found = csv_rows()
    for row, (member, group) in zip(found, members(), strict=True):
        assert row["id"].removeprefix("'") == member.passage.id
        assert row["text"].removeprefix("'") == printable(member.passage.text)
        assert row["group_name"].removeprefix("'") == group.name
        assert (int(row["hit"]), int(row["group_size"])) == (member.rank, group.size)
        assert float(row["fit"]) == round(member.strength, 6)
        assert (float(row["x"]), float(row["y"])) == (round(member.x, 6), round(member.y, 6))
        assert row["authors"] == member.passage.metadata.get("authors", "")
        assert row["source_id"] == "an id of the source's own"
        assert "description" not in row


def test_tables_number_groups_in_the_order_of_the_page():
    report = hostile_report()
    first, second, *others = report.subtopics.subtopics
    report = replace(
        report, subtopics=replace(report.subtopics, subtopics=(second, first, *others))
    )
    lines = list(csv.reader(io.StringIO(written(report, FORMATS[".csv"]).decode("utf-8-sig"))))
    assert list(dict.fromkeys(line[0] for line in lines[1:])) == ["1", "2", "3", ""]
    groups = list(book(report)["Groups"].iter_rows(min_row=2, max_col=1, values_only=True))
    assert groups == [(1,), (2,), (3,), (None,)]


def test_no_text_in_csv_is_a_formula():
    for row in csv_rows():
        for name, value in row.items():
            assert not name.startswith(("=", "+", "-", "@"))
            if name not in ("fit", "x", "y"):  # numbers, which may be below 0
                assert not value.lstrip().startswith(("=", "+", "-", "@", "\t"))


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@A1", " =1", "\t=1", "\r=1", "\n=1", "＝1", "|x"]
)
def test_what_begins_a_formula_is_made_text(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["a=1", "tea", "1-2", ""])
def test_other_text_stays_as_it_is(text):
    assert harmless(text) == text


def test_csv_opens_with_umlauts_in_excel():
    content = written(hostile_report(), FORMATS[".csv"])
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\r\n") == len(TEXTS) + 1


def book(report=None):
    content = written(report or hostile_report(), FORMATS[".xlsx"])
    return openpyxl.load_workbook(io.BytesIO(content))


def test_xlsx_gives_every_passage_back():
    rows = list(book()["Passages"].iter_rows(values_only=True))
    names = rows[0]
    for values, (member, group) in zip(rows[1:], members(), strict=True):
        row = dict(zip(names, values, strict=True))
        assert row["id"] == member.passage.id
        assert row["text"] == printable(member.passage.text)
        assert row["group_name"] == group.name
        assert row["hit"] == member.rank
        assert row["fit"] == round(member.strength, 6)


@pytest.mark.parametrize("too_many", [0, 1])
def test_xlsx_cuts_only_what_is_longer_than_a_cell_and_says_so(too_many):
    report = hostile_report()
    group = report.subtopics.subtopics[0]
    member = group.passages[0]
    passage = replace(member.passage, text="a" * (32_767 + too_many))
    group = replace(group, passages=(replace(member, passage=passage),))
    made = book(replace(report, subtopics=replace(report.subtopics, subtopics=(group,))))
    names, values = made["Passages"].iter_rows(values_only=True)
    text = dict(zip(names, values, strict=True))["text"]
    assert len(text) == 32_767 and ("cut" in text) == bool(too_many)


def test_no_cell_of_xlsx_is_a_formula():
    n_texts = 0
    for sheet in book():
        for line in sheet.iter_rows():
            for cell in line:
                assert cell.data_type in ("s", "n")
                if cell.data_type == "s":
                    n_texts += 1
                    assert cell.quotePrefix
    assert n_texts > 100


def test_xlsx_tells_groups_and_how_they_came_about():
    groups = list(book()["Groups"].iter_rows(values_only=True))[1:]
    assert [row[1] for row in groups] == [group.name for group in hostile_map().subtopics]
    assert [row[2] for row in groups] == [group.size for group in hostile_map().subtopics]
    about = dict(list(book()["About"].iter_rows(values_only=True))[1:])
    assert about["Question"] == hostile_map().query.text
    assert (about["Seed"], about["Model revision"]) == (3, "bbbbbbbbbbbb")
    assert about["Made with"] == "Subclust 9.9"
