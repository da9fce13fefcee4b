"""A data folder that a newer Subclust has written."""

import pytest

import subclust
from subclust.core.exceptions import SettingsError
from subclust.core.storage.presence import VERSION_FILE


def test_no_command_and_no_notebook_opens_a_newer_one(tmp_path, monkeypatch, run):
    (tmp_path / VERSION_FILE).write_text('{"form": 99, "subclust": "9.0"}', encoding="utf-8")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    for words in (("library", "list"), ("serve", "--port", "1"), ("search", "war")):
        status, out, err = run(*words)
        assert (status, out) == (1, "") and "9.0" in err
    with pytest.raises(SettingsError):
        subclust.open_library("demo")
