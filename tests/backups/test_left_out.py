"""What a backup of everything leaves out is said, and stays where it is when that is restored."""

import json
import zipfile
from dataclasses import replace

import pytest
from old_data import unpack

from subclust.backups import back_up_everything, restore_everything
from subclust.cli import main
from subclust.core.settings import Settings
from subclust.text.library.folder import Pointer, pointer_file

SECRET = "a-secret-of-the-sign-in"
ACCOUNTS = f"""
[roles]
administrators = ["ada"]
[header]
name = "X-User"
proxies = ["127.0.0.1"]
# {SECRET}
"""


@pytest.fixture(params=["accounts.toml", "sessions/accounts.toml", "../accounts.toml"])
def settings(request, tmp_path):
    """Have the accounts lie in the data folder, among what is saved there, or elsewhere."""
    settings = unpack(tmp_path / "data")
    file = (settings.data_dir / request.param).resolve()
    file.write_text(ACCOUNTS)
    return replace(settings, accounts=file)


def test_the_accounts_are_in_no_backup_and_outlive_a_restoring(settings, tmp_path):
    report = back_up_everything(settings, tmp_path / "b" / "all.zip")
    assert report.accounts == settings.accounts
    with zipfile.ZipFile(report.file) as archive:
        assert not any(SECRET.encode() in archive.read(name) for name in archive.namelist())
    for _ in range(2):
        restore_everything(settings, report.file, replace=True)
        assert settings.accounts.read_text() == ACCOUNTS
        assert list((settings.data_dir / "sessions").glob("*.subclust"))


def test_a_folder_that_has_the_accounts_alone_is_empty(tmp_path):
    report = back_up_everything(unpack(tmp_path / "old"), tmp_path / "b" / "all.zip")
    data = tmp_path / "data"
    data.mkdir()
    (data / "accounts.toml").write_text(ACCOUNTS)
    new = Settings(data_dir=data, models_dir=data / "models", accounts=data / "accounts.toml")
    restore_everything(new, report.file)
    assert (data / "accounts.toml").read_text() == ACCOUNTS and (data / "library").is_dir()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_command_says_what_is_not_in_it(tmp_path, monkeypatch, capsys, language):
    settings = unpack(tmp_path / "data")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    file = tmp_path / "accounts.toml"
    words = [f"--language={language}", "backup-all", str(tmp_path / "b" / "all.zip"), "--json"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["left_out"] == {"accounts": None, "earlier_vectors": []}
    assert str(file) not in told.err
    file.write_text(ACCOUNTS)
    monkeypatch.setenv("SUBCLUST_ACCOUNTS", str(file))
    pointer = pointer_file(settings.library_dir, "maps")
    before = Pointer.load(settings.library_dir, "maps")
    changed = {**vars(before), "previous": before.current, "last": before.last}
    pointer.write_text(json.dumps(changed))
    assert main(words) == 0
    told = capsys.readouterr()
    left_out = {"accounts": str(file), "earlier_vectors": ["maps"]}
    assert json.loads(told.out)["left_out"] == left_out
    assert str(file) in told.err and "maps" in told.err
