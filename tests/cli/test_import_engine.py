"""What ``import`` says of engines before it does anything."""

import sys

import pytest

from subclust.cli import main


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--workers", "2"], "--engine ray"),
        (["--address", "auto"], "--engine ray"),
        (["--engine", "ray", "--queue"], "is not queued"),
        (["--engine", "ray"], "[ray]"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path, monkeypatch, capsys, settings, words, sentence
):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    file = tmp_path / "notes.jsonl"
    file.write_text('{"id": "1", "title": "Ants", "text": "ants dig"}\n')
    assert main(["import", str(file), "--library", "mine", *words]) == 1
    told = capsys.readouterr()
    assert sentence in told.err and "Traceback" not in told.err
    assert not settings.library_dir.exists()
