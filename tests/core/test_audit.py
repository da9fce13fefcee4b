"""What the audit log holds, and what becomes of it when some of it is changed."""

import errno
import json

import pytest
from disk_faults import failing

from subclust.core import audit

DAMAGED = (b'{"per', b"\xff\x00\xfe", b"[1]", b"", b"[" * 100_000)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "audit.jsonl.1").write_bytes(b'{"person": "ada"}\n{"person": "rob"}\n{"per')
    path = tmp_path / "audit.jsonl"
    whole = b'{"person":  "rob"}\n{"person": "ada"}\n'
    path.write_bytes(b"".join(one + b"\n" for one in DAMAGED) + whole)
    return path


def persons(file):
    return [one["person"] for one in audit.lines(file)]


def test_lines_are_changed_also_in_files_put_aside_and_damaged_ones_are_kept(file):
    assert persons(file) == ["ada", "rob", "rob", "ada"]

    def change(line):
        return line | {"person": "x"} if line["person"] == "ada" else line

    assert audit.rewrite(file, change) == 2
    assert persons(file) == ["x", "rob", "rob", "x"]
    before = file.with_name("audit.jsonl.1").read_bytes().split(b"\n")
    assert [json.loads(one) for one in before[:2]] == [{"person": "x"}, {"person": "rob"}]
    assert before[2:] == [b'{"per']
    *damaged, unchanged, changed, end = file.read_bytes().split(b"\n")
    assert tuple(damaged) == DAMAGED and end == b""
    assert unchanged == b'{"person":  "rob"}' and json.loads(changed) == {"person": "x"}


def test_lines_that_are_left_out_are_counted_and_damaged_ones_are_not(file):
    assert audit.rewrite(file, lambda line: None) == 4
    assert file.read_bytes().split(b"\n") == [*DAMAGED, b""]


@pytest.mark.parametrize("step", ["flush", "rename"])
def test_a_log_is_changed_only_when_all_of_it_is_on_the_disk(file, step):
    before = {path.name: path.read_bytes() for path in file.parent.glob("audit*")}
    with pytest.raises(OSError) as caught, failing(file.parent, errno.EIO, step):  # noqa: PT011
        audit.rewrite(file, lambda line: line | {"person": "x"})
    assert caught.value.errno == errno.EIO
    assert {path.name: path.read_bytes() for path in file.parent.glob("audit*")} == before
    assert not list(file.parent.glob("*.partial"))


def test_a_damaged_line_goes_with_the_name_that_is_to_be_forgotten(file):
    with file.open("ab") as stream:
        stream.write(b'{"person": "J\\u00fcrgen", "di\n{"person": "rob", "di\n')
    assert audit.rewrite(file, lambda line: line, forgotten="j\u00fcrgen") == 1
    assert file.read_bytes().splitlines()[-1] == b'{"person": "rob", "di'


def test_a_line_that_was_cut_short_does_not_take_the_next_one_along(tmp_path, monkeypatch):
    path = tmp_path / "audit.jsonl"
    monkeypatch.setattr(audit, "_file", path)
    audit.note("ada", "signed in")
    with path.open("ab") as stream:
        stream.write(b'{"person": "rob", "di')
    audit.note("eve", "signed in")
    audit.note("ada", "signed in")
    assert persons(path) == ["ada", "eve", "ada"]
    assert len(path.read_bytes().splitlines()) == 4
