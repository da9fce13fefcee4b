"""A disk that fails at any step: a sentence, and what was saved before is whole."""

import errno
import os
import sqlite3
import stat

import pytest
from disk_faults import READS, STEPS, WRITES, failing
from raising import raises

from subclust.core.exceptions import OutOfMemoryError, SettingsError, StorageError
from subclust.core.messages import Message
from subclust.core.storage import presence
from subclust.core.storage.disk import (
    check_reached,
    flush_names,
    new_folder,
    refusals_told,
    write_whole,
    written_whole,
)
from subclust.core.storage.faults import fault_of
from subclust.core.translation import translated


@pytest.fixture
def watched(tmp_path):
    """Watch a data folder as a server does."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / presence.VERSION_FILE).write_text("{}")
    presence.watch(folder)
    yield folder
    presence.watch(None)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", WRITES.values(), ids=WRITES)
def test_what_was_saved_stays_and_nothing_is_left_beside_it(tmp_path, number, step):
    file = tmp_path / "kept"
    write_whole(file, "before")
    with (
        raises(StorageError, folder=str(tmp_path)),
        refusals_told(Message("It cannot be saved"), tmp_path),
        failing(tmp_path, number, step),
    ):
        write_whole(file, "after")
    assert file.read_text() == "before" and os.listdir(tmp_path) == ["kept"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_is_for_those_for_whom_other_new_files_are(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        folder = new_folder(tmp_path, ".a-")
        write_whole(tmp_path / "new", "a")
        write_whole(tmp_path / "secret", "a", mode=0o600)
        for kept in (0o600, 0o640, 0o644, 0o664):
            file = tmp_path / "old"
            file.write_text("a")
            file.chmod(kept)
            write_whole(file, "b")
            assert file.read_text() == "b" and stat.S_IMODE(file.stat().st_mode) == kept
            write_whole(file, "c", mode=0o600)
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == mode
    assert stat.S_IMODE(folder.stat().st_mode) == 0o777 & ~umask and not any(folder.iterdir())
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_what_others_may_not_read_they_may_not_while_it_is_written(tmp_path):
    file = tmp_path / "old"
    file.touch(0o600)
    for options in ({}, {"mode": 0o600}):
        with written_whole(file, **options):
            assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE, errno.ENOSPC])
def test_names_that_may_not_have_reached_the_disk_are_not_reported_as_saved(tmp_path, number):
    with pytest.raises(OSError), failing(tmp_path, number, "flush"):  # noqa: PT011 - any of it
        flush_names(tmp_path)
    with failing(tmp_path, errno.EINVAL, "flush"):  # a disk that knows no such thing
        flush_names(tmp_path)


@pytest.mark.parametrize("number", READS.values(), ids=READS)
def test_a_file_that_the_disk_does_not_give_is_not_called_damaged(tmp_path, number):
    with raises(StorageError, file=str(tmp_path)):
        check_reached(OSError(number, "no"), tmp_path)
    for error in (FileNotFoundError(errno.ENOENT, "no"), ValueError("no JSON")):
        check_reached(error, tmp_path)


def wrapped(error):
    outer = RuntimeError("in a library")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        *((OSError(number, "no", "/data/x"), StorageError) for number in WRITES.values()),
        (RuntimeError("LanceError(IO): Stale file handle (os error 116)"), StorageError),
        (sqlite3.OperationalError("disk I/O error"), None),
        (MemoryError(), OutOfMemoryError),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), OutOfMemoryError),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), OutOfMemoryError),
        (SettingsError("No."), SettingsError),
        (FileNotFoundError(errno.ENOENT, "no"), None),
        (ValueError("a mistake of the program"), None),
    ],
    ids=str,
)
def test_what_failed_outside_of_the_program_is_told_and_its_own_mistakes_are_not(error, kind):
    for one in (error, wrapped(error)):
        fault = fault_of(one)
        assert type(fault) is (kind or type(None))
        if kind in (StorageError, OutOfMemoryError):
            assert translated(fault.sentence, "de") != str(fault.sentence)
            assert "\n" not in str(fault.sentence)


def test_nothing_is_written_where_the_data_folder_was_and_it_goes_on_when_that_is_back(
    watched, tmp_path
):
    write_whole(watched / "sessions" / "one", "saved")
    aside = watched.rename(tmp_path / "unmounted")
    for is_mount_point in (False, True):
        if is_mount_point:
            watched.mkdir()
        with raises(StorageError, folder=str(watched)):
            write_whole(watched / "sessions" / "two", "lost")
        with raises(StorageError, folder=str(watched)):
            presence.check_there()
        fault = fault_of(FileNotFoundError(errno.ENOENT, "no"))
        assert isinstance(fault, StorageError)
        write_whole(tmp_path / "elsewhere", "written")
    assert os.listdir(watched) == []
    watched.rmdir()
    aside.rename(watched)
    presence.check_there()
    write_whole(watched / "sessions" / "two", "saved")
    assert sorted(os.listdir(watched / "sessions")) == ["one", "two"]


def test_a_folder_without_a_mark_is_not_watched(tmp_path):
    presence.watch(tmp_path)
    presence.check_there()
