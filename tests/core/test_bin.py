"""The bin: moved there, put back, gone after 30 days."""

import json
import shutil
import time

import pytest
from passing_days import a_day_passes  # noqa: F401 - a fixture
from raising import raises

from subclust.core import bin as bin_module
from subclust.core.bin import KEPT_SECONDS, Bin
from subclust.core.exceptions import BinError


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "things"
    (root / "a.table" / "deep").mkdir(parents=True)
    (root / "a.table" / "deep" / "rows").write_bytes(b"rows")
    (root / ".a.note").write_text("note")
    return root


@pytest.fixture
def there(tmp_path):
    return Bin(tmp_path / "bin")


def paths(root):
    return [root / "a.table", root / ".a.note", root / ".a.not-there"]


def content(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def aged(there, entry, seconds):
    record = there.folder / entry.id / "record.json"
    value = json.loads(record.read_text())
    record.write_text(json.dumps({**value, "deleted": time.time() - seconds}))


def test_what_is_put_back_is_what_it_was(there, root):
    before = content(root)
    entry = there.put("library", "a", root, paths(root), title="The maps")
    assert content(root) == {} and there.entries() == [entry] == there.entries("library")
    assert there.entries("set") == [] and there.find(entry.id) == entry
    there.put_back(entry, root)
    assert content(root) == before and there.entries() == []
    with pytest.raises(BinError):
        there.find(entry.id)


def test_a_place_that_is_taken_is_not_written_over(there, root):
    entry = there.put("library", "a", root, paths(root))
    (root / ".a.note").write_text("another")
    with raises(BinError, name="a"):
        there.put_back(entry, root)
    assert content(root) == {".a.note": b"another"} and there.entries() == [entry]
    second = there.put("library", "a", root, paths(root))
    there.put_back(entry, root)
    assert content(root)[".a.note"] == b"note" and there.entries() == [second]


def test_after_30_days_it_is_gone(there, root, a_day_passes):  # noqa: F811
    kept = there.put("library", "a", root, [root / "a.table"])
    entry = there.put("library", "b", root, [root / ".a.note"])
    aged(there, entry, KEPT_SECONDS + 60)
    aged(there, kept, KEPT_SECONDS - 60)
    assert there.sweep() == []
    a_day_passes()
    aged(there, kept, KEPT_SECONDS - 60)
    assert [one.id for one in there.sweep()] == [entry.id]
    assert [one.id for one in there.entries()] == [kept.id]
    assert [path.name for path in there.folder.iterdir() if path.is_dir()] == [kept.id]


def test_what_is_deleted_next_takes_what_is_over_along(there, root, a_day_passes):  # noqa: F811
    entry = there.put("library", "a", root, [root / "a.table"])
    aged(there, entry, KEPT_SECONDS + 60)
    there.sweep()
    a_day_passes()
    second = there.put("library", "b", root, [root / ".a.note"])
    assert there.entries() == [second]


@pytest.mark.parametrize("back", [False, True])
def test_what_the_disk_does_not_take_stays_whole_where_it_was(there, root, monkeypatch, back):
    before = content(root)
    entry = there.put("library", "a", root, paths(root)) if back else None
    move, moves = shutil.move, []

    def refuse(source, target):
        moves.append(target)
        if len(moves) == 2:
            raise OSError(28, "No space left on device")
        move(source, target)

    monkeypatch.setattr(bin_module.shutil, "move", refuse)
    with raises(BinError, name="a"):
        if back:
            there.put_back(entry, root)
        else:
            there.put("library", "a", root, paths(root))
    monkeypatch.undo()
    assert there.entries() == ([entry] if back else [])
    if back:
        there.put_back(entry, root)
    assert content(root) == before


def test_killed_between_two_files_it_can_be_put_back_whole(there, root):
    before = content(root)
    entry = there.put("library", "a", root, paths(root))
    shutil.move(there.folder / entry.id / "files" / ".a.note", root / ".a.note")
    there.put_back(entry, root)
    assert content(root) == before


@pytest.mark.parametrize("record", [b"", b"{", b"[]", b'{"id": 3}', b"\xff"])
def test_a_damaged_record_is_passed_over(there, root, record):
    entry = there.put("library", "a", root, paths(root))
    other = there.folder / "damaged"
    other.mkdir()
    (other / "record.json").write_bytes(record)
    assert there.entries() == [entry]
    there.sweep()
