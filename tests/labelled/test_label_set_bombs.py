"""What would fill the memory is refused when it is received, or looked into in a process apart."""

import gzip
import io
import time

import psutil
import pytest
from bombs import Memory, workbook_of
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.core.storage import apart
from subclust.labelled.sets import LabelledSetStore, preview
from subclust.labelled.sets import store as sets_store

MB = 1 << 20
CSV = b"query,text,label\na,one,x\na,two,y\n"


BOMBS = {
    "line.jsonl": lambda: b'{"query":"' + b"a" * (60 * MB),
    "line.csv": lambda: CSV + b"," * (60 * MB),
    "line.jsonl.gz": lambda: gzip.compress(b"[") + gzip.compress(b"a" * MB) * 400,
    "lines.jsonl.gz": lambda: gzip.compress((b"a" * 99 + b"\n") * 10_000) * 700,
    "row.xlsx": lambda: workbook_of(worksheets__sheet1=b"<sheetData><row>" + b"<c/>" * (14 * MB)),
    "texts.xlsx": lambda: workbook_of(sharedStrings=b"<sst>" + b"<si/>" * (11 * MB)),
    "ratio.xlsx": lambda: workbook_of(worksheets__sheet1=b" " * (300 * MB)),
}


@pytest.fixture
def store(tmp_path):
    return LabelledSetStore(tmp_path / "sets")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_little_time_and_memory(store, name):
    content = BOMBS[name]()
    began = time.monotonic()
    with Memory() as memory, raises(FileFormatError, file=name):
        store.receive(io.BytesIO(content), name)
    assert time.monotonic() - began < 20
    assert memory.most - memory.before < 600 * MB


def test_what_is_looked_into_for_a_visitor_is_ended_in_its_process(store, monkeypatch):
    upload = store.receive(io.BytesIO(CSV), "a.csv")
    assert store.preview(upload) == preview._preview_of(upload.path)
    assert store.check_apart(upload, None, max_words=9) == store.check(upload, max_words=9)
    monkeypatch.setattr(preview, "_SECONDS", 0.0)
    monkeypatch.setattr(sets_store, "_CHECK_MEMORY", 1)
    with raises(FileFormatError, file="a.csv"):
        store.preview(upload)
    with raises(FileFormatError, file="a.csv"):
        store.check_apart(upload, None, max_words=9)
    children = psutil.Process().children()
    assert not [one for one in children if apart._MODULE in one.cmdline()]
