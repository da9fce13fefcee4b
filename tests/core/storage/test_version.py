"""The form of a data folder."""

import json

import pytest
from raising import raises

from subclust.core.exceptions import SettingsError
from subclust.core.storage.presence import VERSION_FILE
from subclust.core.storage.version import FORM, check_version


def test_a_folder_is_marked_once_and_a_missing_one_is_not_made(tmp_path):
    check_version(tmp_path / "none", "0.1.0")
    assert not (tmp_path / "none").exists()
    check_version(tmp_path, "0.1.0")
    check_version(tmp_path, "0.2.0")
    told = json.loads((tmp_path / VERSION_FILE).read_bytes())
    assert told == {"form": FORM, "subclust": "0.1.0"}


def test_a_newer_one_is_refused_and_left_alone(tmp_path):
    content = json.dumps({"form": FORM + 1, "subclust": "9.0"})
    (tmp_path / VERSION_FILE).write_text(content, encoding="utf-8")
    with raises(SettingsError, folder=str(tmp_path), version="9.0"):
        check_version(tmp_path, "0.1.0")
    assert (tmp_path / VERSION_FILE).read_text(encoding="utf-8") == content


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"form": "x", "subclust": ""}', "\0" * 30])
def test_a_mark_that_was_lost_keeps_nobody_out(tmp_path, content):
    (tmp_path / VERSION_FILE).write_text(content, encoding="utf-8")
    check_version(tmp_path, "0.1.0")


def test_a_folder_that_cannot_be_written_to_is_read(tmp_path, monkeypatch):
    def refuse(*_given):
        raise PermissionError

    monkeypatch.setattr("subclust.core.storage.version.write_whole", refuse)
    check_version(tmp_path, "0.1.0")
