"""Workbooks with more than one table on one sheet, others that call themselves one, archives."""

import datetime
import io
import zipfile

import openpyxl
import pytest
from raising import raises, values_of

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.opening import format_of, open_source

RIS = "TY  - JOUR\nTI  - Wool\nER  - \n"
HEAD = ["Title", "Date", "Author"]
WOOL = ["Wool", datetime.datetime(2019, 5, 3), "Alm, Ada\nBerg, Bo"]
SPREADSHEET = "urn:schemas-microsoft-com:office:spreadsheet"
CONTENT = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="A">{}</table:table></office:spreadsheet></office:body>
</office:document-content>"""
PAGE = (
    "<html><body><table><tr><td><table><tr><td>menu</td></tr></table></td></tr></table><table>"
    "<tr><th>Title</th><th>Year</th></tr><tr><td>W&ouml;&#111;l</td><td>2019</td></tr></table>"
)


def archive(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return stream.getvalue()


def opendocument():
    cell = "<table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell>"
    rows = "".join(
        f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>"
        for row in (["Titel", "Jahr"], ["Wool", "2019"])
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    parts = {"META-INF/manifest.xml": manifest, "content.xml": CONTENT.format(rows)}
    return archive(mimetype=kind, **parts)


def excel_xml():
    def row(*cells):
        written = (f"<Cell {at}><Data>{value}</Data></Cell>" for at, value in cells)
        return f"<Row>{''.join(written)}</Row>"

    rows = row(("", "Title"), ("", "Author"), ("", "Year")) + row(
        ("", "Wool"), ('ss:Index="3"', 2019)
    )
    return (
        f'<?xml version="1.0"?><Workbook xmlns="{SPREADSHEET}" xmlns:ss="{SPREADSHEET}">'
        f'<Worksheet ss:Name="A"><Table>{rows}</Table></Worksheet></Workbook>'
    ).encode()


def read(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return list(open_source(path))


def book(*sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for rows in sheets:
        sheet = made.create_sheet()
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("sheets", "titles", "n_remarks"),
    [
        ([[["Cover of May"]], [HEAD, WOOL]], ["Wool"], 1),
        ([[HEAD, WOOL], [["Titel", "Jahr"], ["Flachs", 2020]]], ["Wool", "Flachs"], 0),
        ([[["Loans"], [], ["Seen", "May"], HEAD, WOOL]], ["Wool"], 1),
        ([[[None, *HEAD], [], [None, *WOOL]]], ["Wool"], 0),
        ([[["Title", "Year", "Author"], ["Wool", 2019, "A"]], [["Silk", 2020, "B"]]],
         ["Wool", "Silk"], 0),
        ([[HEAD, WOOL, HEAD, ["Silk", "#DIV/0!", None]]], ["Wool", "Silk"], 0),
    ],
)  # fmt: skip
def test_each_sheet_is_read_from_its_head_on(tmp_path, sheets, titles, n_remarks):
    items = read(tmp_path, "a.xlsx", book(*sheets))
    assert [one.title for one in items] == titles
    assert sum(len(one.mended) for one in items) == n_remarks


def test_dates_and_lines_of_cells(tmp_path):
    (document,) = read(tmp_path, "a.xlsx", book([HEAD, WOOL]))
    assert document.metadata["date"] == "2019-05-03"
    assert document.metadata["authors"] == "Alm, Ada; Berg, Bo"


@pytest.mark.parametrize(
    ("name", "content", "format_", "title"),
    [
        ("a.ods", opendocument(), "xls", "Wool"),
        ("a.xls", PAGE.encode(), "web-table", "Wöol"),
        ("a.xls", excel_xml(), "web-table", "Wool"),
        ("a.xml", excel_xml(), "web-table", "Wool"),
        ("a.xls", b"Title\tYear\nWool\t2019\n", "tsv", "Wool"),
        ("a.xls", book([["Title", "Year"], ["Wool", 2019]]), "xlsx", "Wool"),
    ],
)
def test_what_calls_itself_a_workbook(tmp_path, name, content, format_, title):
    (document,) = read(tmp_path, name, content)
    assert format_of(tmp_path / name) == format_
    assert (document.title, document.metadata["year"]) == (title, "2019")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xls", b"<html><body>Log in</body></html>"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ],
)
def test_what_is_no_workbook_is_refused_with_the_way_out(tmp_path, name, content):
    with raises(FileFormatError, file="a.xls"):
        read(tmp_path, name, content)


def test_the_exports_of_an_archive_are_read_each(tmp_path):
    content = archive(
        **{"x/a.ris": RIS, "b.csv": "Title\nFlax\n", "readme.txt": "Hello.", "c.png": b"\x89PNG",
           "__MACOSX/a.ris": RIS}
    )  # fmt: skip
    items = read(tmp_path, "a.zip", content)
    assert [one.title for one in items if isinstance(one, Document)] == ["Wool", "Flax"]
    assert [one.place for one in items if isinstance(one, Refusal)] == ["readme.txt", "c.png"]
    assert items[0].place.startswith("a.ris, ")


def test_texts_in_an_archive_are_documents_of_their_own(tmp_path):
    members = {"1/page.txt": "On tides.", "2/Page.txt": "On quays.", "On, & off.md": "On locks."}
    items = read(tmp_path, "a.zip", archive(**members))
    titles = ["1 - page", "2 - Page", "On, & off"]
    assert [one.title for one in items] == [one.id for one in items] == titles
    assert len({one.passages[0].id for one in items}) == 3


def test_names_in_an_archive_of_a_mac_have_their_letters(tmp_path):
    content = archive(**{"Gezeiten & Größe.txt": "On tides."})
    unsaid = bytearray(content)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        unsaid[content.index(mark) + at + 1] &= ~0x08  # that its name is in UTF-8
    (item,) = read(tmp_path, "a.zip", bytes(unsaid))
    assert item.title == "Gezeiten & Größe"


def test_what_is_refused_in_an_archive_is_called_what_it_is_called_there(tmp_path):
    word = archive(**{"[Content_Types].xml": "<Types/>", "word/document.xml": "<w:document/>"})
    members = {"x/a.ris": RIS, "b.docx": word, "c.csv": "", "d.html": "<html></html>"}
    refused = read(tmp_path, "z.zip", archive(**members))[1:]
    assert [one.place for one in refused] == ["b.docx", "c.csv", "d.html"]
    assert [values_of(one.reason)["file"] for one in refused] == ["b.docx", "c.csv", "d.html"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.docx", archive(**{"[Content_Types].xml": "", "word/document.xml": ""})),
        ("a.epub", archive(**{"mimetype": "application/epub+zip", "META-INF/container.xml": ""})),
        ("a.odt", archive(**{"mimetype": "opendocument.text", "META-INF/manifest.xml": ""})),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.html", b"<html><body>Tides</body></html>"),
    ],
)
def test_of_what_is_no_table_nobody_is_told_to_make_one(tmp_path, name, content):
    with raises(FileFormatError, file=name) as caught:
        read(tmp_path, name, content)
    instead = caught.value.sentence.values["content"].values["instead"]
    assert "PDF" in instead
    assert isinstance(instead, Message)  # which is said in German, too


@pytest.mark.parametrize(
    "content",
    [
        archive(**{"a.png": b"\x89PNG"}),
        archive(**{"a.zip": archive(**{"a.ris": RIS})}),
        archive(**{"a.ris": b"TY  - JOUR\n" * (6 << 20)}),
        archive(**{"a.ris": RIS})[:-30],
    ],
    ids=["picture", "archive", "trap", "damaged"],
)
def test_archives_that_are_not_read_should_be_unpacked(tmp_path, content):
    with raises(FileFormatError, file="a.zip"):
        read(tmp_path, "a.zip", content)
