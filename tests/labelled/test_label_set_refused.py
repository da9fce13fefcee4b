import gzip
import io
import re
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_sets import incoming, nothing_half_stored
from malformed_uploads import (
    CSV,
    ENDINGS,
    JSONL,
    NAMES,
    OTHERS,
    XLSX,
    rezipped,
    under_every_ending,
)
from raising import raises

from subclust.core.exceptions import FileFormatError, LabelledSetError, SubclustError
from subclust.labelled.sets import LabelledSetStore, upload
from subclust.text.sources import workbook_safety

pytestmark = pytest.mark.usefixtures("in_this_process")

BY_HAND = [*under_every_ending(), *OTHERS.items(), *((name, CSV) for name in NAMES)]

MEMBER_NAMES = st.text(min_size=1, max_size=20).filter(lambda name: not name.startswith("\0"))
"""Of files in an archive; zipfile cuts a name at a null, and writes none that is empty."""


def is_a_sentence(error, folder):
    text = str(error)
    assert text.isprintable() and text.endswith(".") and 20 < len(text) < 600, text
    assert not re.search(
        r"Traceback|Error\b|Exception|<class|0x[0-9a-f]{6}|NoneType|object at", text
    )
    assert str(folder) not in text and "upload-" not in text, text


def test_there_are_more_than_two_hundred_made_by_hand():
    assert len(BY_HAND) > 300 and len({name for name, _ in BY_HAND}) == len(BY_HAND)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return LabelledSetStore(tmp_path_factory.mktemp("store") / "sets")


def test_what_is_no_text_is_refused_when_it_is_received(store):
    for name, content in BY_HAND:
        with pytest.raises(FileFormatError) as error:
            store.receive(io.BytesIO(content), name)
            pytest.fail(f"{name!a} was taken")
        is_a_sentence(error.value, store.folder)
        assert incoming(store.folder) == [] and nothing_half_stored(store.folder) == [], name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trap-4.csv", "a Python pickle"),
        ("elf.xlsx", "a program (ELF)"),
        ("macros.xlsx", "has macros"),
        ("encrypted.xlsx", "a workbook that"),
        ("old-excel.xlsx", "workbook (.xls)"),
        ("locked.xlsx", "by a password"),
        ("ratio.xlsx", "times its size"),
        ("huge.xlsx", "unpacks to 70"),
        ("html.csv", "a web page"),
        ("word.xlsx", "but a Word document"),
        ("workbook.csv", "an Excel workbook"),
        ("table.jsonl", "holds no JSON"),
        ("lines.csv", "holds JSON"),
        ("a-zero.csv", "byte 201"),
        ("late-zero.jsonl", "is a zero"),
        ("png-packed.jsonl.gz", "a picture"),
        ("cut.jsonl.gz", "compression is damaged"),
    ],
)
def test_the_sentence_says_what_it_is(store, name, words):
    with pytest.raises(FileFormatError) as error:
        store.receive(io.BytesIO(dict(BY_HAND)[name]), name)
    assert words in str(error.value)


class Counted:
    """A stream of so many bytes, that counts what is read of it."""

    def __init__(self, n_bytes):
        self.left, self.read_so_far = n_bytes, 0

    def read(self, size=-1):
        n = min(size, self.left)
        self.left -= n
        self.read_so_far += n
        return (b"fig,a text,label\n" * (n // 17 + 1))[:n]


def test_too_large_a_file_is_refused_before_all_of_it_is_read(store, monkeypatch):
    stream = Counted(201 << 20)
    with raises(FileFormatError, file="set.csv", most_bytes=200):
        store.receive(stream, "set.csv", n_bytes=201 << 20)
    assert stream.read_so_far == 0
    monkeypatch.setattr(upload, "MOST_BYTES", 3 << 20)
    stream = Counted(300 << 20)
    with raises(FileFormatError, file="set.csv", most_bytes=3):
        store.receive(stream, "set.csv")
    assert stream.read_so_far <= 5 << 20 and incoming(store.folder) == []


@pytest.mark.slow
def test_the_largest_file_that_is_taken(store):
    assert upload.MOST_BYTES == 200 << 20
    stream = Counted(201 << 20)
    with raises(FileFormatError, file="set.csv", most_bytes=200):
        store.receive(stream, "set.csv")
    assert stream.read_so_far <= (200 << 20) + (2 << 20) and incoming(store.folder) == []
    taken = store.receive(Counted(200 << 20), "set.csv")
    assert taken.n_bytes == taken.path.stat().st_size == 200 << 20
    store.discard(taken)


def test_a_packed_file_that_unpacks_to_too_much(store, monkeypatch):
    bomb = gzip.compress(JSONL) + gzip.compress(b" " * (1 << 20) + b"\n") * 20
    monkeypatch.setattr(upload, "MOST_UNPACKED", 10 << 20)
    with raises(FileFormatError, file="set.jsonl.gz", most=10):
        store.receive(io.BytesIO(bomb), "set.jsonl.gz")
    monkeypatch.setattr(upload, "MOST_UNPACKED", 30 << 20)
    store.discard(store.receive(io.BytesIO(bomb), "set.jsonl.gz"))


@pytest.mark.slow
def test_a_real_bomb(store):
    bomb = gzip.compress(JSONL) + gzip.compress(b" " * (1 << 20) + b"\n") * 2000
    assert len(bomb) < 4 << 20
    with pytest.raises(FileFormatError, match="unpacks to"):
        store.receive(io.BytesIO(bomb), "set.jsonl.gz")


def test_a_workbook_with_printers_and_pictures_is_taken(store):
    content = rezipped({"xl/printerSettings/printerSettings1.bin": b"x", "xl/media/a.png": b"x"})
    store.discard(store.receive(io.BytesIO(content), "set.xlsx"))
    assert workbook_safety.MOST_UNPACKED == upload.MOST_UNPACKED


def test_entities_that_grow_in_a_workbook_are_not_followed(store):
    lines = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    sheet = (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{lines}]><worksheet><sheetData>'
        "<row><c t='inlineStr'><is><t>&e11;</t></is></c></row></sheetData></worksheet>"
    )
    taken = store.receive(io.BytesIO(rezipped({"xl/worksheets/sheet1.xml": sheet})), "set.xlsx")
    began = time.monotonic()
    with pytest.raises(LabelledSetError) as error:
        store.keep(taken, "set", without_errors=True)
    is_a_sentence(error.value, store.folder)
    assert time.monotonic() - began < 20
    store.discard(taken)


class Broken:
    def __init__(self, error):
        self.error = error
        self.first = True

    def read(self, size=-1):
        if self.first:
            self.first = False
            return CSV
        raise self.error


@pytest.mark.parametrize("error", [OSError("gone"), ValueError("I/O operation on closed file")])
def test_a_stream_that_breaks_off(store, error):
    with raises(FileFormatError, file="set.csv"):
        store.receive(Broken(error), "set.csv")
    assert incoming(store.folder) == []


def goes_through(name, content):
    """Take an upload as far as it goes; it ends with a sentence or with a whole set."""
    with tempfile.TemporaryDirectory() as place:
        store = LabelledSetStore(Path(place) / "sets")
        kept = False
        try:
            taken = store.receive(io.BytesIO(content), name)
            preview = store.preview(taken)
            assert all(len(row) == len(preview.header) for row in preview.rows)
            for problem in preview.problems:
                assert problem.sentence.isprintable()
            try:
                store.keep(taken, "set", preview.columns)
            except LabelledSetError as error:
                is_a_sentence(error, store.folder)
                store.keep(taken, "set", preview.columns, without_errors=True)
            kept = True
        except SubclustError as error:
            is_a_sentence(error, store.folder)
        assert len(nothing_half_stored(store.folder)) == kept
        return kept


ANY_NAME = st.sampled_from([f"set.{ending}" for ending in ENDINGS])
GOOD = {"csv": CSV, "tsv": CSV, "xlsx": XLSX, "jsonl": JSONL, "jsonl.gz": gzip.compress(JSONL)}


@given(ANY_NAME, st.binary(max_size=400))
def test_any_bytes(name, content):
    goes_through(name, content)


@given(st.text(max_size=30), st.sampled_from(["", ".csv", ".xlsx", ".jsonl"]))
def test_any_name(name, ending):
    goes_through(name + ending, CSV)


@given(st.binary(max_size=300), st.binary(max_size=20))
def test_any_bytes_in_a_packed_file(content, tail):
    goes_through("set.jsonl.gz", gzip.compress(content) + tail)


@given(st.text(max_size=300), ANY_NAME, st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-16-le"]))
def test_any_text(text, name, encoding):
    goes_through(name, text.encode(encoding, "replace"))


@given(
    st.sampled_from(sorted(GOOD)),
    st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=5)), max_size=6),
    st.floats(0.05, 1),
)
def test_a_good_file_with_some_bytes_changed_or_cut_off(ending, changes, share):
    content = bytearray(GOOD[ending])
    for where, new in changes:
        at = int(where * (len(content) - 1))
        content[at : at + len(new)] = new
    goes_through(f"set.{ending}", bytes(content[: int(share * len(content))]))


@given(st.dictionaries(MEMBER_NAMES, st.binary(max_size=50), max_size=4))
def test_a_workbook_with_anything_in_it(members):
    goes_through("set.xlsx", rezipped(members))


def test_good_files_go_through():
    for ending, content in GOOD.items():
        assert goes_through(f"set.{ending}", content)
