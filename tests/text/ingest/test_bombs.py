"""Small files that would fill memory or hours: each is refused, soon and in little memory."""

import bz2
import gzip
import time
import zlib

import psutil
import pytest
from bombs import workbook_of
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.core.storage import apart
from subclust.text.ingest.preview import LONGEST, MOST_MEMORY, preview_apart

pytestmark = pytest.mark.app  # waits for processes

MB = 1 << 20
MARC = b'<collection xmlns="http://www.loc.gov/MARC21/slim"><record>'
ENTITIES = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
PLAIN = b'{"id": "1", "title": "A", "text": "One that can be read."}\n'


def many(begin, unit, n_megabytes):
    """Pack so many megabytes of one thing, a piece at a time."""
    return gzip.compress(begin) + gzip.compress(unit * (MB // len(unit))) * n_megabytes


def pdf_of(stream):
    """A PDF of one page that unpacks to very much."""
    packed = zlib.compress(stream, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(data)
    )


REFUSED = {
    "deep.json": lambda: b"[" * 400_000,
    "deep-objects.json": lambda: b"[" + b'{"a":' * 80_000,
    "deep.json.gz": lambda: many(b"", b"[", 20),
    "item.json.gz": lambda: many(b'[{"a":[', b"[],", 60),
    "text.json.gz": lambda: many(b'[{"a":"', b"a", 60),
    "line.jsonl.gz": lambda: many(b'{"text":"', b"a", 400),
    "line.jsonl.bz2": lambda: bz2.compress(b'{"text":"' + b"a" * (70 * MB)),
    "table.csv.gz": lambda: many(b"title,abstract\n", b",", 400),
    "deep.xml": lambda: MARC + b"<a>" * MB,
    "wide.xml.gz": lambda: many(MARC, b"<a/>", 60),
    "entities.xml": lambda: ENTITIES + MARC + b"&b;</record></collection>",
    "dump-deep.xml": lambda: b"<mediawiki><page>" + b"<a>" * MB,
    "dump-wide.xml.bz2": lambda: bz2.compress(b"<mediawiki><page>" + b"<a/>" * MB),
    "dump-entities.xml": lambda: ENTITIES + b"<mediawiki><page>&b;</page></mediawiki>",
    "row.xlsx": lambda: workbook_of(worksheets__sheet1=b"<sheetData><row>" + b"<c/>" * (14 * MB)),
    "texts.xlsx": lambda: workbook_of(sharedStrings=b"<sst>" + b"<si/>" * (11 * MB)),
    "styles.xlsx": lambda: workbook_of(styles=b"<styleSheet>" + b"<xf/>" * (11 * MB)),
    "ratio.xlsx": lambda: workbook_of(worksheets__sheet1=b" " * (300 * MB)),
    "page.pdf": lambda: pdf_of(b"q " * (200 * MB)),
}

ONE_REFUSED = {
    "deep.jsonl": lambda: b'{"a":' * 80_000 + b"\n" + PLAIN,
    "line.jsonl": lambda: b'{"text":"' + b"a" * (60 * MB) + b'"}\n' + PLAIN,
    "cells.csv": lambda: b"title,abstract\nA,One that can be read.\n" + b"," * (60 * MB),
    "open.csv": lambda: b'title,abstract\nA,One that can be read.\n"' + b"a b\n" * (5 * MB),
    "long.ris": lambda: (
        b"TY  - JOUR\nTI  - A\nAB  - One that can be read.\nER  - \n"
        b"TY  - JOUR\nTI  - B\nAB  - " + b"a\n " * (2 * MB) + b"\nER  - \n"
    ),
    "long.bib": lambda: (
        b"@article{a, title={A}, abstract={One that can be read.}}\n@article{b, title={"
        + b"a\n" * (3 * MB)
    ),
}

SLOW = {"item.json.gz", "line.jsonl.bz2", "dump-wide.xml.bz2", "texts.xlsx", "long.ris"}


@pytest.fixture
def peaks(monkeypatch):
    """The memory of the process, as the one that ends it sees it."""
    seen = [0]
    memory_info = psutil.Popen.memory_info

    class Watched(psutil.Popen):
        def memory_info(self):
            info = memory_info(self)
            seen.append(info.rss)
            return info

    monkeypatch.setattr(apart.psutil, "Popen", Watched)
    return seen


def of(bombs):
    """Name the bombs; those that a quicker one of their kind stands for are slow."""
    return [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in bombs]


@pytest.mark.parametrize("name", of(REFUSED))
def test_a_bomb_is_refused_in_little_time_and_memory(name, tmp_path, peaks):
    path = tmp_path / name
    path.write_bytes(REFUSED[name]())
    began = time.monotonic()
    try:
        seen = preview_apart(path)
    except FileFormatError as error:
        assert name in str(error)
    else:
        assert seen is not None
        assert not seen.n_documents
        assert seen.refusals
    assert time.monotonic() - began < LONGEST
    assert max(peaks) < MOST_MEMORY


@pytest.mark.parametrize("name", of(ONE_REFUSED))
def test_what_can_be_read_beside_a_bomb_is_read(name, tmp_path, peaks):
    path = tmp_path / name
    path.write_bytes(ONE_REFUSED[name]())
    seen = preview_apart(path)
    assert seen is not None
    # A quotation mark that nothing closes is one sign of its row, and those below it are read.
    is_read_on = name == "open.csv"
    assert seen.n_documents == 1 + is_read_on
    assert len(seen.refusals) == 1
    assert max(peaks) < MOST_MEMORY


def test_a_preview_is_ended_when_its_time_is_over(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(PLAIN)
    assert preview_apart(path, seconds=0.0) is None
    assert not [one for one in psutil.Process().children() if apart._MODULE in one.cmdline()]


def test_a_preview_is_ended_when_it_takes_too_much_memory(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(PLAIN)
    with raises(FileFormatError, file="a.jsonl"):
        preview_apart(path, most_bytes=1)


def test_a_preview_says_the_same_apart(tmp_path):
    from subclust.text.ingest.preview import _preview_file

    path = tmp_path / "a.jsonl"
    path.write_bytes(PLAIN + b"none\n")
    assert preview_apart(path, "mine") == _preview_file(path, collection="mine")
