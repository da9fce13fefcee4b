"""Everything as one file, and back."""

import json
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from old_data import unpack
from raising import raises

from subclust.backups import (
    back_up_everything,
    read_whole_manifest,
    restore_everything,
    restoring,
    writing,
)
from subclust.checkpoints import CheckpointStore
from subclust.cli import main
from subclust.core.exceptions import InputError, SettingsError, StorageError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage.version import RESTORING_FILE, check_version
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore
from subclust.text.library import PassageLibrary


@pytest.fixture
def settings(tmp_path):
    settings = unpack(tmp_path / "data")
    (settings.data_dir / "embeddings").mkdir()
    (settings.data_dir / "embeddings" / "x.sqlite").write_text("a cache")
    return settings


@pytest.fixture
def file(settings, tmp_path):
    back_up_everything(settings, tmp_path / "b" / "all.zip")
    return tmp_path / "b" / "all.zip"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Settings of a folder, and a backup of it."""
    folder = tmp_path_factory.mktemp("whole")
    settings = unpack(folder / "data")
    back_up_everything(settings, folder / "all.zip")
    return settings, folder / "all.zip"


def elsewhere(folder):
    return Settings(data_dir=folder, models_dir=folder / "models", encoder="hashing", device="cpu")


def plain_files(settings):
    """Return what is restored byte by byte."""
    folder = settings.data_dir
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(".lock")
        if path.relative_to(folder).parts[0] not in ("library", "embeddings", "version.json")
    }


def test_everything_comes_back_and_caches_do_not(settings, file, tmp_path):
    new = elsewhere(tmp_path / "new")
    report = restore_everything(new, file)
    assert report.libraries == ("maps",) and report.n_files > 10
    assert plain_files(new) == plain_files(settings)
    assert not (new.data_dir / "embeddings").exists()
    library = PassageLibrary.open(new.library_dir, "maps")
    old = PassageLibrary.open(settings.library_dir, "maps")
    assert library.fingerprints() == old.fingerprints()
    assert {p.name for p in new.library_dir.glob(".maps.imports/*.json")} == {
        p.name for p in settings.library_dir.glob(".maps.imports/*.json")
    }
    assert CheckpointStore.of(new).promoted("qs3m") == "ours"
    assert check_version(new.data_dir, "x") == check_version(settings.data_dir, "x")
    left = [path.name for path in new.data_dir.iterdir() if path.name.endswith(".partial")]
    assert left == [] and file.stat().st_mode & 0o077 == 0


def test_folders_of_their_own_are_taken_along(settings, tmp_path):
    apart = Settings(
        data_dir=settings.data_dir,
        models_dir=tmp_path / "m",
        libraries=tmp_path / "l",
        encoder="hashing",
    )
    (settings.data_dir / "models").rename(apart.models_dir)
    settings.library_dir.rename(tmp_path / "l")
    back_up_everything(apart, tmp_path / "all.zip")
    new = Settings(data_dir=tmp_path / "n", models_dir=tmp_path / "nm", libraries=tmp_path / "nl")
    restore_everything(new, tmp_path / "all.zip")
    assert PassageLibrary.names(tmp_path / "nl") == ["maps"]
    assert (tmp_path / "nm" / "promoted.json").is_file() and not (
        tmp_path / "n" / "models"
    ).exists()


def test_a_folder_that_holds_something_is_left_alone_unless_told(settings, file, tmp_path):
    before = plain_files(settings)
    with raises(StorageError, folder=str(settings.data_dir)):
        restore_everything(settings, file)
    (settings.data_dir / "sessions" / "more.subclust").write_text("later")
    restore_everything(settings, file, replace=True)
    assert plain_files(settings) == before
    assert [path for path in settings.data_dir.iterdir() if ".partial" in path.name] == []


def test_a_damaged_file_restores_nothing(settings, file, tmp_path):
    with zipfile.ZipFile(file) as archive:
        info = archive.getinfo(read_whole_manifest(file).members[-1].name)
    content = bytearray(file.read_bytes())
    content[info.header_offset + info.compress_size] ^= 1
    file.write_bytes(content)
    with raises(StorageError, file=str(file)):
        restore_everything(elsewhere(tmp_path / "new"), file)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.99])
def test_a_file_that_was_cut_restores_nothing(file, tmp_path, cut):
    content = file.read_bytes()
    file.write_bytes(content[: int(cut * len(content))])
    with raises(StorageError, file=str(file)) as caught:
        restore_everything(elsewhere(tmp_path / "new"), file)
    assert isinstance(caught.value.sentence.values["why"], Message)


def test_a_folder_is_no_backup(tmp_path):
    with raises(StorageError, file=str(tmp_path)):
        restore_everything(elsewhere(tmp_path / "new"), tmp_path)


def changed(file, **told):
    """Write the backup again with a manifest that says something else."""
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(contents.pop("manifest.json")) | told
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))


CRAFTED = {
    **{f"at {path[:20]!r}": [{"path": path}] for path in (
        "../out", "/etc/passwd", "a/../../out", "", ".", "a\\b", "C:/x", "a\0b", "\ud800",
        "x" * 300, "y/" * 3000 + "z", ".restored.partial/x", "version.json/x", "models/x",
        "library/x",
    )},
    "twice": [{}, {}],
    "a file and a folder": [{"path": "a"}, {"path": "a/b"}],
    "in no folder": [{"root": "elsewhere"}],
    "less than nothing": [{"n_bytes": -1}],
    "more than there is room": [{"n_bytes": 10**18}],
    "smaller than it is": [{"n_bytes": 1}],
    "another sum": [{"sha256": "0" * 64}],
    "a sum of another kind": [{"sha256": ["x"]}],
    "itself": [{"name": "manifest.json"}],
    "a library elsewhere": [{"is_library": True, "path": "../x"}],
    "no library": [{"is_library": True, "path": "x"}],
}  # fmt: skip


@pytest.mark.parametrize("how", CRAFTED)
def test_a_crafted_file_restores_nothing_and_nothing_elsewhere(file, tmp_path, how):
    members = json.loads(zipfile.ZipFile(file).read("manifest.json"))["members"]
    first = next(one for one in members if not one["is_library"])
    changed(file, members=[first | change for change in CRAFTED[how]])
    before = {path for path in tmp_path.rglob("*")}
    with raises(StorageError):
        restore_everything(elsewhere(tmp_path / "new"), file)
    left = {path for path in tmp_path.rglob("*")} - before
    assert not any(path.is_file() for path in left)
    assert all(path.is_relative_to(tmp_path / "new") for path in left)


@pytest.mark.parametrize("kind", [0o120777, 0o020666, 0o010666])
def test_a_link_or_a_device_comes_back_as_the_file_that_was_summed(settings, file, tmp_path, kind):
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in contents.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = kind << 16
            archive.writestr(info, content)
    new = elsewhere(tmp_path / "new")
    restore_everything(new, file)
    assert plain_files(new) == plain_files(settings)
    assert all(path.is_file() or path.is_dir() for path in new.data_dir.rglob("*"))
    assert not any(path.is_symlink() for path in new.data_dir.rglob("*"))


EDITS = st.lists(
    # From the beginning or, where names and places of the files lie, the end.
    st.tuples(st.booleans(), st.integers(0, 5000), st.integers(0, 60), st.binary(max_size=40)),
    min_size=1,
    max_size=4,
)


# Whatever the bytes: what was written, or one sentence and nothing.
@given(edits=EDITS)
def test_a_mangled_file_is_taken_whole_or_refused(whole, tmp_path, edits):
    settings, content = whole[0], whole[1].read_bytes()
    for at_end, at, n_cut, put in edits:
        place = max(0, len(content) - 1 - at) if at_end else at
        content = content[:place] + put + content[place + n_cut :]
    place = Path(tempfile.mkdtemp(dir=tmp_path))
    (place / "all.zip").write_bytes(content)
    try:
        restore_everything(elsewhere(place / "new"), place / "all.zip")
    except StorageError as error:
        assert "\n" not in str(error)
        assert not any(path.is_file() for path in (place / "new").rglob("*"))
    else:
        assert plain_files(elsewhere(place / "new")) == plain_files(settings)
    shutil.rmtree(place)


@pytest.mark.parametrize("id_", ["../out", "a/b", "a.b", "-a", "", "a" * 65])
def test_a_library_is_restored_under_an_id_alone(file, tmp_path, id_):
    members = json.loads(zipfile.ZipFile(file).read("manifest.json"))["members"]
    changed(file, members=[members[0] | {"path": id_, "is_library": True}])
    with raises(StorageError, file=str(file)):
        restore_everything(elsewhere(tmp_path / "new"), file)


@pytest.mark.parametrize(
    "told", [{"form": 99}, {"version": 99}, {"format": "else"}, {"members": 3}]
)
def test_another_kind_of_file_is_refused(file, tmp_path, told):
    changed(file, **told)
    with pytest.raises(StorageError):
        restore_everything(elsewhere(tmp_path / "new"), file)


def test_a_restoring_that_is_broken_off_is_told_and_done_again(settings, file, monkeypatch):
    before = plain_files(settings)
    real = os.rename
    n_left = 5

    class Killed(BaseException):
        pass

    def rename(self, target):
        nonlocal n_left
        n_left -= 1
        if not n_left:
            raise Killed
        real(self, target)

    monkeypatch.setattr(restoring.Path, "rename", rename)
    with pytest.raises(Killed):
        restore_everything(settings, file, replace=True)
    monkeypatch.undo()
    assert (settings.data_dir / RESTORING_FILE).exists()
    with raises(SettingsError, folder=str(settings.data_dir)):
        check_version(settings.data_dir, "x")
    restore_everything(settings, file, replace=True)
    assert plain_files(settings) == before
    assert check_version(settings.data_dir, "x")


def test_a_damaged_library_is_named_and_the_rest_is_there(settings, tmp_path, monkeypatch, capsys):
    for data in settings.library_dir.glob("maps.lance/data/*"):
        data.write_bytes(b"")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setattr("subclust.cli._open_data", lambda *given: None)
    file = tmp_path / "all.zip"
    assert main(["backup-all", str(file)]) == 1
    assert "maps" in capsys.readouterr().err
    manifest = read_whole_manifest(file)
    assert not any(member.is_library for member in manifest.members) and len(manifest.members) > 10


def test_of_a_folder_whose_files_keep_vanishing_the_others_are_there(
    settings, tmp_path, monkeypatch
):
    files = writing._files
    folder = next(path for path in (settings.data_dir / "jobs").iterdir() if path.is_dir())
    staying = {path.relative_to(settings.data_dir).as_posix() for path in files(folder)}

    def with_vanishing(unit):
        found = files(unit)
        return [unit / "a-gone", *found, unit / "z-gone"] if unit == folder else found

    monkeypatch.setattr(writing, "_files", with_vanishing)
    back_up_everything(settings, tmp_path / "all.zip")
    there = {member.path for member in read_whole_manifest(tmp_path / "all.zip").members}
    assert staying and staying <= there
    new = elsewhere(tmp_path / "new")
    restore_everything(new, tmp_path / "all.zip")
    assert plain_files(new) == plain_files(settings)


@pytest.mark.parametrize("name", ["all.tar", "data/all.zip"])
def test_a_place_that_cannot_be_is_refused(settings, tmp_path, name):
    with pytest.raises(InputError):
        back_up_everything(settings, tmp_path / name)


def test_a_full_disk_leaves_the_older_backup(settings, file, monkeypatch):
    before = file.read_bytes()

    def full(*given, **how):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("subclust.backups.writing.os.fsync", full)
    with raises(StorageError):
        back_up_everything(settings, file)
    assert file.read_bytes() == before and [p.name for p in file.parent.iterdir()] == ["all.zip"]


def test_commands_back_up_and_restore(settings, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    assert main(["backup-all", str(tmp_path / "all.zip"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["libraries"] == ["maps"] and told["damaged"] == []
    new = elsewhere(tmp_path / "new")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(new.data_dir))
    assert main(["restore-all", str(tmp_path / "all.zip"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_files"] == told["n_files"]
    assert main(["restore-all", str(tmp_path / "all.zip")]) == 1
    assert "--replace" in capsys.readouterr().err
    assert LabelledSetStore(new.sets_dir).load("ants").version == 2
    assert len(SessionStore(new.sessions_dir).headers()) == 1
