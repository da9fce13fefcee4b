"""The data folder of version 0.1.0 is brought up to date, whatever happens meanwhile."""

import json
import signal
import subprocess
import sys

import pytest
from filelock import FileLock
from old_data import unpack
from raising import raises

from subclust import upgrades
from subclust.checkpoints import CheckpointStore
from subclust.cli import main
from subclust.core.exceptions import SettingsError, StorageError
from subclust.core.storage.presence import VERSION_FILE
from subclust.core.storage.version import FIRST_FORM, FORM, check_version
from subclust.deleting.removal import bin_of, put_back
from subclust.jobs import JobStore
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import read_manifest, restore
from subclust.text.library.imports import read_imports
from subclust.upgrades import STEPS, bring_up_to_date

LABELLED = {"p12", "p13"}


@pytest.fixture
def old(tmp_path):
    return unpack(tmp_path / "data")


def found_by_a_label(settings):
    library = PassageLibrary.open(settings.library_dir, "maps")
    return {one.id for one in library.search_text("background methods", 10).passages}


def form_of(settings):
    return json.loads((settings.data_dir / VERSION_FILE).read_bytes())["form"]


def test_there_is_a_step_to_each_form():
    assert sorted(STEPS) == list(range(FIRST_FORM + 1, FORM + 1))


def test_what_the_first_version_wrote_is_all_there_afterwards(old):
    assert check_version(old.data_dir, "x") == FIRST_FORM
    assert found_by_a_label(old) == LABELLED
    told = []
    assert bring_up_to_date(old, told.append) == FORM == form_of(old)
    assert len(told) == FORM - FIRST_FORM and found_by_a_label(old) == set()
    library = PassageLibrary.open(old.library_dir, "maps")
    assert library.count() == 15
    assert library.get(["p12"]).passages[0].text == "BACKGROUND: Atlas of old. METHODS: We drew it."
    assert {one.id for one in library.search_text("atlas", 20).passages} >= {"p0", "p12"}
    assert len(read_imports(old.library_dir, "maps")) == 1
    (header,) = SessionStore(old.sessions_dir).headers()
    assert SessionStore(old.sessions_dir).load(header.id)[1].question == header.question
    assert len(CorrectionStore(old.corrections_dir).load("war").history.done) == 1
    assert LabelledSetStore(old.sets_dir).load("ants").version == 2
    models = CheckpointStore.of(old)
    assert models.promoted("qs3m") == "ours" and models.load("qs3m").tensors["head.w"].sum() == 4
    assert models.history("qs3m")[-1].who == "Ada"
    assert JobStore(old.jobs_dir).load("qs3m-ours").outcome == "finished"
    assert {one.kind for one in bin_of(old).entries()} <= {"library", "set", "model"}


def test_what_is_changed_is_backed_up_first(old, tmp_path):
    bring_up_to_date(old, lambda told: None)
    (backup,) = (old.data_dir / f"before-form-{FORM}").iterdir()
    assert read_manifest(backup).n_passages == 15
    restore(tmp_path / "again", backup)
    assert PassageLibrary.open(tmp_path / "again", "maps").count() == 15


def test_done_twice_it_changes_nothing(old):
    bring_up_to_date(old, lambda told: None)
    revision = PassageLibrary.open(old.library_dir, "maps").revision()
    told = []
    assert bring_up_to_date(old, told.append) == FORM and told == []
    (old.data_dir / VERSION_FILE).unlink()  # as if killed before the mark
    bring_up_to_date(old, told.append)
    assert told == [] and PassageLibrary.open(old.library_dir, "maps").revision() == revision


KILLED = """
import os, signal, sys
from pathlib import Path
from subclust.core.settings import Settings
from subclust.text.library import PassageLibrary
from subclust.upgrades import bring_up_to_date
folder, left = Path(sys.argv[1]), int(sys.argv[2])
def counted(call):
    def write(*given):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*given)
    return write
os.replace, os.fsync = counted(os.replace), counted(os.fsync)
PassageLibrary.add, PassageLibrary.optimize = map(
    counted, (PassageLibrary.add, PassageLibrary.optimize)
)
bring_up_to_date(Settings(data_dir=folder, models_dir=folder / "models"), lambda told: None)
print("done")
"""


@pytest.mark.app  # waits for processes
def test_killed_anywhere_it_is_done_by_the_next_command(old):
    for n_writes in range(1, 20):
        (old.data_dir / VERSION_FILE).unlink(missing_ok=True)
        command = [sys.executable, "-c", KILLED, str(old.data_dir), str(n_writes)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert ended.returncode == -signal.SIGKILL or ended.stdout == "done\n", ended.stderr
        assert PassageLibrary.open(old.library_dir, "maps").count() == 15
        for backup in (old.data_dir / f"before-form-{FORM}").glob("*.zip"):
            assert read_manifest(backup).n_passages == 15
        if ended.stdout:
            break
        bring_up_to_date(old, lambda told: None) if n_writes % 2 else None
    assert n_writes > 3 and form_of(old) == FORM and found_by_a_label(old) == set()


def test_a_command_brings_it_up_to_date_and_says_so(old, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(old.data_dir))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    assert main(["library", "list"]) == 0
    assert "'maps'" in capsys.readouterr().err and form_of(old) == FORM


def test_two_at_once_are_one(old):
    with FileLock(old.data_dir / ".upgrade.lock"), raises(SettingsError, folder=str(old.data_dir)):
        bring_up_to_date(old, lambda told: None)


def test_a_disk_that_takes_nothing_leaves_it_as_it_was(old, monkeypatch):
    def refuse(settings, backups, tell):
        raise StorageError("The disk is full.")

    monkeypatch.setattr(upgrades, "STEPS", {FORM: refuse})
    told = []
    assert bring_up_to_date(old, told.append) == FORM - 1 and "full" in told[-1]
    assert not (old.data_dir / VERSION_FILE).exists()


def test_what_was_deleted_can_still_be_put_back(old):
    bring_up_to_date(old, lambda told: None)
    for entry in bin_of(old).entries("set"):
        put_back(old, entry.id)
    assert LabelledSetStore(old.sets_dir).load("ants").version == 2
