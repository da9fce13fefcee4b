"""What is deleted for its age, while the clock leaps ahead and back."""

import os
import time

import pytest

from subclust.core import bin as bin_module
from subclust.core import tokens
from subclust.core.access import Person, Role
from subclust.core.bin import KEPT_SECONDS, Bin
from subclust.core.storage import ageing
from subclust.core.storage.ageing import WAIT_SECONDS, long_old, old_folders
from subclust.core.tokens import TokenStore

DAY = 24 * 3600.0


@pytest.fixture
def clock(monkeypatch):
    """Set the clock: seconds from now."""
    began = time.time()

    def leap(seconds):
        for module in (ageing, bin_module, tokens):
            monkeypatch.setattr(module.time, "time", lambda: began + seconds)

    return leap


@pytest.mark.parametrize(
    ("looks", "gone"),
    [
        ([(0, "a"), (WAIT_SECONDS, "a")], ["a"]),
        ([(0, "a"), (WAIT_SECONDS - 60, "a")], []),
        ([(0, "a"), (10, "a"), (WAIT_SECONDS, "ab")], ["a"]),
        ([(40 * DAY, "a"), (0, ""), (WAIT_SECONDS, "a")], []),  # ahead, back, and old in truth
        ([(40 * DAY, "a"), (0, "a"), (WAIT_SECONDS - 60, "a")], []),
        ([(40 * DAY, "a"), (0, "a"), (WAIT_SECONDS, "a")], ["a"]),
        ([(0, "a"), (-5 * 3600, "a"), (WAIT_SECONDS - 60, "a")], ["a"]),
    ],
)
def test_what_two_looks_a_day_apart_find_old_is_old(tmp_path, clock, looks, gone):
    for seconds, old in looks:
        clock(seconds)
        found = long_old(tmp_path, old)
    assert found == gone


@pytest.mark.parametrize("noted", [b"", b"[]", b'{"a": "b"}', b"\xff"])
def test_notes_that_are_damaged_are_begun_anew(tmp_path, noted):
    (tmp_path / ".old.json").write_bytes(noted)
    assert long_old(tmp_path, ["a"]) == []


def test_where_nothing_can_be_noted_nothing_is_old(tmp_path, monkeypatch, clock):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ageing, "write_whole", refuse)
    for seconds in (0, 2 * DAY):
        clock(seconds)
        assert long_old(tmp_path, ["a"]) == []


def test_the_bin_outlives_a_clock_that_leaps_ahead_and_comes_back(tmp_path, clock):
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "a").write_text("a")
    there = Bin(tmp_path / "bin")
    entry = there.put("library", "a", tmp_path / "things", [tmp_path / "things" / "a"])
    for seconds in (40 * DAY, 40 * DAY + 3600, 0, -5 * 3600, 40 * DAY, 60):
        clock(seconds)
        assert there.sweep() == []
    there.put_back(entry, tmp_path / "things")
    assert (tmp_path / "things" / "a").read_text() == "a"
    assert KEPT_SECONDS == 30 * DAY


def test_a_token_outlives_a_clock_that_leaps_ahead_and_comes_back(tmp_path, clock):
    store = TokenStore(tmp_path)
    ann = Person("ann", Role.READER)
    _, text = store.create(ann, "notebook", Role.READER, 10)
    clock(20 * DAY)
    assert store.person_of(text) is None
    store.create(ann, "another", Role.READER, 10)
    clock(0)
    assert store.person_of(text) is not None
    clock(41 * DAY)
    store.create(ann, "a third", Role.READER, 10)
    assert [one.name for one in store.all()] == ["a third", "another"]


def test_folders_are_old_by_their_time(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").write_text("")
    os.utime(tmp_path / "old", (0, 0))
    os.utime(tmp_path / "file", (0, 0))
    assert old_folders(tmp_path, DAY) == ["old"]
