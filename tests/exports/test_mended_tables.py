"""Tables of rejected records that are filled in and imported again."""

import csv

import openpyxl
import pytest

from subclust.exports.refused import COLUMNS, mended_row, refused_row, write_refused
from subclust.text.sources.base import MOST_ORIGINAL, Document, Refusal
from subclust.text.sources.mended_tables import telling_places
from subclust.text.sources.opening import open_source

FILES = {
    "table.csv": (
        "Titel;Verfasser;Jahr;Signatur;place;file\n"
        ';"Alm, Ada; Berg, Bo";2001;=K 7;Ulm;scan\n;Dahl;1999;K 8;Bonn;\nWool;Eck;2000;K 9;;\n'
    ),
    "tags.ris": (
        "TY  - JOUR\nAU  - Alm, Ada\nAU  - Berg, Bo\nPY  - 2001\nJO  - Looms\nVL  - 3\nXX  - K 7\n"
        "ER  - \nTY  - JOUR\nAU  - Dahl, C\nPY  - 1999\nER  - \n"
    ),
    "cited.json": (
        '[{"author": [{"family": "Alm", "given": "Ada"}, {"family": "Berg", "given": "Bo"}], '
        '"issued": {"date-parts": [[2001]]}, "container-title": "Looms", "type": "article-journal"}'
        ', {"author": [{"family": "Dahl"}], "issued": {"date-parts": [[1999]]}}]'
    ),
    "entries.bib": (
        "@article{a, author = {Alm, Ada and Berg, Bo}, year = 2001, journal = {Looms}}\n"
        "@article{b, author = {Dahl, C}, year = 1999}\n"
    ),
    "marc.xml": (
        '<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a22</leader>'
        '<controlfield tag="001">77</controlfield><datafield tag="100" ind1=" " ind2=" ">'
        '<subfield code="a">Alm, Ada</subfield></datafield><datafield tag="700" ind1=" " ind2=" ">'
        '<subfield code="a">Berg, Bo</subfield></datafield><datafield tag="264" ind1=" " ind2="1">'
        '<subfield code="c">2001</subfield></datafield></record><record><leader>00000nam a22'
        '</leader><datafield tag="100" ind1=" " ind2=" "><subfield code="a">Dahl, C</subfield>'
        "</datafield></record></collection>"
    ),
}  # fmt: skip


def refusals_of(path):
    return [one for one in open_source(path) if isinstance(one, Refusal)]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx"])
@pytest.mark.parametrize("name", FILES)
def test_who_fills_in_a_title_has_the_record_with_its_other_fields(tmp_path, name, ending):
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    refusals = refusals_of(tmp_path / name)
    assert len(refusals) == 2 and all(one.original for one in refusals)
    table = tmp_path / f"refused{ending}"
    rows = [refused_row(name, one) for one in refusals]
    write_refused([*rows, mended_row(name, "row 9", "Something.")], table)

    filled_in(table, 1, "Felt and wool")
    first, second = open_source(table)
    assert isinstance(first, Document) and isinstance(second, Refusal)
    assert (first.title, first.metadata["authors"]) == ("Felt and wool", "Alm, Ada; Berg, Bo")
    assert first.metadata["year"] == "2001"
    assert not {"what happened", "reason", "excerpt"} & first.metadata.keys()
    assert first.passages[0].collection == (tmp_path / name).stem
    assert filled(second.original) == filled(refusals[1].original)
    named = next(iter(open_source(table, collection="mine")))
    assert named.passages[0].collection == "mine"
    if name == "table.csv":
        assert first.metadata["signatur"] == "=K 7" and first.metadata["place"] == "Ulm"
    if name == "tags.ris":
        assert (first.metadata["venue"], first.metadata["volume"]) == ("Looms", "3")
        assert first.metadata["xx"] == "K 7"
    if name == "marc.xml":
        assert first.metadata["number"] == "77"


def filled(original):
    return [value for value in original.values() if value]


def filled_in(table, row, title):
    """Write a title where the table has a column for it."""
    if table.suffix == ".xlsx":
        book = openpyxl.load_workbook(table)
        sheet = book.active
        heads = [cell.value for cell in sheet[1]]
        sheet.cell(row + 1, column_of_titles(heads) + 1).value = title
        book.save(table)
        return
    mark = "\t" if table.suffix == ".tsv" else ","
    with table.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.reader(stream, delimiter=mark))
    assert tuple(rows[0][:7]) == COLUMNS and len({*rows[0]}) == len(rows[0])
    rows[row][column_of_titles(rows[0])] = title
    with table.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, delimiter=mark).writerows(rows)


def column_of_titles(heads):
    return next(heads.index(one) for one in ("title", "Titel") if one in heads)


def test_of_a_row_of_too_many_cells_all_are_kept_and_of_a_huge_one_none(tmp_path):
    path = tmp_path / "a.csv"
    long = "x" * (MOST_ORIGINAL + 1)
    path.write_text(f"id,Author,Author\n1,ants,bees,,flax\n2,{long},\n".replace("id", "title", 1))
    many = refusals_of(path)[0]
    assert many.original == {
        "title": "1", "Author": "ants", "Author (2)": "bees", "column 5": "flax"
    }  # fmt: skip
    path.write_text(f"title,Shelf\n,{long}\n,{long[:99]}\n")
    huge, short = refusals_of(path)
    assert (huge.original, short.original) == ({}, {"title": "", "Shelf": long[:99]})


def test_a_table_with_such_heads_of_its_own_is_read_as_it_is(tmp_path):
    assert telling_places(["title", "file", "place", "reason"]) == {}
    path = tmp_path / "a.csv"
    path.write_text("title,file,place\nLooms,scan 7,Ulm\n")
    (one,) = open_source(path)
    assert one.metadata["file"] == "scan 7" and one.passages[0].collection == "a"
