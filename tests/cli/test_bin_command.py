"""``bin``: what was deleted is listed, put back, or deleted for good."""

import json

from subclust.core.bin import Bin
from subclust.text.library import PassageLibrary


def entries(run, *words):
    status, out, err = run("bin", *words, "--json")
    assert status == 0, err
    return json.loads(out)


def test_a_deleted_library_is_put_back(run, library, settings):
    assert run("library", "remove", "small", "--yes")[0] == 0
    (entry,) = entries(run)["entries"]
    assert list(entry) == [
        "id", "kind", "name", "title", "deleted", "files", "owner", "teams", "until",
    ]  # fmt: skip
    assert (entry["kind"], entry["name"]) == ("library", "small")
    assert entry["until"] - entry["deleted"] == 30 * 24 * 3600
    assert entry["id"] in run("bin")[1]
    assert entries(run, "restore", entry["id"]) == {"restored": entry}
    assert PassageLibrary.open(settings.library_dir, "small").count() == 24
    assert entries(run, "list") == {"entries": []} and run("bin")[0] == 0


def test_what_is_not_there_is_told(run, settings):
    for words in (("restore", "abc"), ("empty", "abc", "--yes")):
        status, _, said = run("bin", *words)
        assert status == 1 and "'abc'" in said


def test_the_bin_is_emptied_only_when_it_is_confirmed(run, library, settings):
    run("library", "remove", "small", "--yes")
    (entry,) = Bin(settings.bin_dir).entries()
    assert entries(run, "empty")["removed"] is False
    assert Bin(settings.bin_dir).entries() == [entry]
    assert [one["id"] for one in entries(run, "empty", entry.id, "--yes")["entries"]] == [entry.id]
    assert Bin(settings.bin_dir).entries() == []
    assert not any(settings.bin_dir.iterdir())
