"""A folder where a command takes a file."""

import pytest


@pytest.mark.parametrize(
    "words",
    [
        ("import", "{}", "--library", "x"),
        ("check", "{}"),
        ("cluster", "{}"),
        ("restore-all", "{}"),
        ("library", "restore", "{}"),
        ("models", "import", "{}"),
        ("sets", "add", "{}"),
        ("sessions", "import", "{}"),
        ("train", "qs3m", "--data", "{}", "--name", "x"),
        ("train", "qs3m", "--data", "demo", "--name", "x", "--recipe", "{}"),
    ],
    ids=" ".join,
)
def test_a_folder_is_called_one(run, settings, tmp_path, words):
    folder = tmp_path / "exports"
    folder.mkdir()
    status, _, err = run(*(word.format(folder) for word in words))
    assert status == 1 and "exports" in err and err.count("\n") == 1
    assert ("is a folder" in err or "is a directory" in err.lower()) and "Errno" not in err
