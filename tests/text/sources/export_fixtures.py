"""The exports of `tests/fixtures/sources`, and those formats that are made when a test runs."""

import io
from functools import cache
from pathlib import Path

import openpyxl
import pymarc

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sources"

WIKIPEDIA = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="en"><siteinfo>
<sitename>Wikipedia</sitename><dbname>enwiki</dbname>
<base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>
<page><title>Maps</title><ns>0</ns><id>7</id><revision><id>9</id><text>Maps are drawings of places
that readers carry with them, and most of them were made by people who had never been there.
== History ==
The oldest maps were drawn on clay, and showed fields, canals and the houses of those who paid for
them, while the sea around was left to the imagination of whoever looked at it.
</text></revision></page></mediawiki>"""
JSONL = (
    '{"id": "1", "title": "Maps", "abstract": "Maps persuade.", "authors": ["Müller, Anna"]}\n'
    '{"query": "War", "passages": [{"id": "1", "text": "Taxes.", "label": "Causes"}]}\n'
)
TSV = "PT\tAU\tTI\tSO\tAB\tPY\tUT\nJ\tMüller, A\tMaps\tJ MAPS\tMaps persuade.\t2019\tWOS:1\n"
TEXT = "Maps persuade.\nThey do so quietly.\n\nCatalogues describe books. " * 30


def marc() -> bytes:
    with (FIXTURES / "marc.xml").open("rb") as stream:
        records = pymarc.parse_xml_to_array(stream)
    for record in records:
        record.leader = pymarc.Leader(str(record.leader)[:9] + "a" + str(record.leader)[10:])
    return b"".join(record.as_marc() for record in records)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in [["id", "title", "abstract"], [1, "Maps", "Maps persuade."], [2, "Books", None]]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def pdf(*pages: str, title: str = "Maps as arguments") -> bytes:
    """Write a PDF with a line of text for each line of each page; an empty page has no text."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    font = len(objects) + 1
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for text in pages:
        lines = text.replace("(", r"\(").replace(")", r"\)").split("\n")
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines if text)
        content = f"BT /F1 12 Tf 72 720 Td {shown} ET".encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 %d 0 R >> >> >>" % (len(objects), font)
        )
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
        len(kids),
        b" ".join(b"%d 0 R" % kid for kid in kids),
    )
    objects.append(b"<< /Title (%s) /Author (Anna M\\374ller) >>" % title.encode("latin-1"))
    out, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return out + trailer % (len(objects) + 1, len(objects), start)


@cache
def every_format() -> dict[str, bytes]:
    """Give a whole file of each format, by a file name."""
    files = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())}
    files |= {
        "catalogue.mrc": marc(),
        "table.xlsx": workbook(),
        "lines.jsonl": JSONL.encode(),
        "wos.tsv": TSV.encode(),
        "book.txt": TEXT.encode(),
        "dump.xml": WIKIPEDIA.encode(),
        "article.pdf": pdf("Maps persuade.\nThey do so quietly.", "Catalogues describe books."),
    }
    return files
