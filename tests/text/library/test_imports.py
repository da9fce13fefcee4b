"""What an import brought: told while it is not whole, and taken back as a whole."""

import json
import os
import subprocess
import sys

import pytest
from raising import raises

from subclust.cli import main
from subclust.core.exceptions import InputError, LibraryError
from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.library import PassageLibrary, imports
from subclust.text.library.catalogue import describe
from subclust.text.library.imports import ImportLog, read_imports, take_back
from subclust.text.sources import Document

HASHING = HashingEncoder(16)


def record(n, text=None):
    passage = Passage(f"c:{n}", text or f"text number {n}", title=f"Title {n}", collection="c")
    return Document(str(n), passage.title, (passage,))


def imported(folder, name, records, n_until_killed=None):
    path = folder / name
    path.write_text(name)

    def source():
        for number, one in enumerate(records):
            if number == n_until_killed:
                raise KeyboardInterrupt
            yield one

    try:
        with ImportLog(folder, "mine", [path]) as log:
            ingest(source(), HASHING, folder, "mine", batch_size=2, log=log)
    except KeyboardInterrupt:
        assert n_until_killed is not None
    return next(one for one in read_imports(folder, "mine") if one.files == (name,))


def there(folder):
    return sorted(PassageLibrary.open(folder, "mine").fingerprints())


def test_taking_back_leaves_what_was_there_or_came_by_another_import(tmp_path):
    ingest([record(0)], HASHING, tmp_path, "mine")  # by an earlier version, which kept no record
    first = imported(tmp_path, "a.ris", [record(0), record(1), record(2), record(3)])
    second = imported(tmp_path, "b.ris", [record(2), record(3, "changed"), record(4)])
    assert (first.n_brought, second.n_brought) == (3, 1)
    assert take_back(tmp_path, "mine", first.id) == 1
    assert there(tmp_path) == ["c:0", "c:2", "c:3", "c:4"]
    assert [one.n_brought for one in read_imports(tmp_path, "mine")] == [3]
    assert take_back(tmp_path, "mine", second.id) == 3
    assert there(tmp_path) == ["c:0"]
    with pytest.raises(InputError):
        take_back(tmp_path, "mine", second.id)


def test_a_library_that_an_import_made_goes_with_it(tmp_path):
    entry = imported(tmp_path, "a.ris", [record(1)])
    assert take_back(tmp_path, "mine", entry.id) == 1
    assert PassageLibrary.names(tmp_path) == []


def test_an_interrupted_import_is_told_until_it_is_gone_on_with(tmp_path):
    records = [record(n) for n in range(6)]
    entry = imported(tmp_path, "a.ris", records, n_until_killed=5)
    assert entry.is_interrupted and entry.n_brought == 4
    assert [one.id for one in describe(tmp_path, "mine").unfinished] == [entry.id]
    again = imported(tmp_path, "a.ris", records)
    assert (again.id, again.n_brought, again.is_interrupted) == (entry.id, 6, False)
    assert describe(tmp_path, "mine").unfinished == ()
    assert take_back(tmp_path, "mine", entry.id) == 6


def test_an_interrupted_import_is_told_until_it_is_taken_back(tmp_path):
    imported(tmp_path, "whole.ris", [record(10)])
    entry = imported(tmp_path, "a.ris", [record(n) for n in range(6)], n_until_killed=5)
    assert take_back(tmp_path, "mine", entry.id) == 4
    assert describe(tmp_path, "mine").unfinished == () and there(tmp_path) == ["c:10"]


def test_nothing_is_taken_back_while_an_import_is_at_work(tmp_path):
    entry = imported(tmp_path, "a.ris", [record(1)])
    path = tmp_path / "b.ris"
    path.write_text("b")
    with ImportLog(tmp_path, "mine", [path]) as log:
        log.storing(["c:2"], {})
        assert [one.is_running for one in read_imports(tmp_path, "mine")] == [True, False]
        assert describe(tmp_path, "mine").unfinished == ()
        with pytest.raises(LibraryError):
            take_back(tmp_path, "mine", entry.id)


def test_of_two_that_resume_an_import_at_once_one_is_told(tmp_path, monkeypatch):
    entry = imported(tmp_path, "a.ris", [record(n) for n in range(6)], n_until_killed=5)
    monkeypatch.setattr(imports, "_PATIENCE", 0.05, raising=False)
    # As if both had looked before either of them locked it.
    monkeypatch.setattr(imports, "is_locked", lambda file: False)
    path = tmp_path / "a.ris"
    with ImportLog(tmp_path, "mine", [path]) as first:
        first.found(["c:0"])
        with raises(LibraryError, name="mine"), ImportLog(tmp_path, "mine", [path]) as second:
            second.found(["c:0"])
        first.storing(["c:5"], {})
    (ended,) = read_imports(tmp_path, "mine")
    assert (ended.id, ended.n_brought) == (entry.id, 5) and ended.ended is not None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"id": 1}', b"\x00" * 40])
def test_a_damaged_record_is_passed_over(tmp_path, content):
    entry = imported(tmp_path, "a.ris", [record(1)])
    (tmp_path / ".mine.imports" / f"{entry.id}.json").write_bytes(content)
    assert read_imports(tmp_path, "mine") == []


def test_a_line_cut_short_is_none(tmp_path):
    entry = imported(tmp_path, "a.ris", [record(1), record(2)])
    file = tmp_path / ".mine.imports" / f"{entry.id}.ids"
    file.write_bytes(file.read_bytes()[:-4])
    assert take_back(tmp_path, "mine", entry.id) == 1


@pytest.mark.app
def test_a_killed_command_is_told_by_the_lists(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    pipe = tmp_path / "slow.jsonl"
    pipe.write_text("".join(json.dumps({"id": n, "text": f"text {n}"}) + "\n" for n in range(600)))
    code = (
        "import sys, time\n"
        "from subclust.cli import main\n"
        "from subclust.text.library import PassageLibrary\n"
        "real = PassageLibrary.add\n"
        "def add(self, *given):\n"
        "    real(self, *given)\n"
        "    print('stored', flush=True)\n"
        "    time.sleep(60)\n"
        "PassageLibrary.add = add\n"
        "main(sys.argv[1:])\n"
    )
    words = [sys.executable, "-c", code, "import", str(pipe), "--library", "mine"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=os.environ) as process:
        assert process.stdout.readline() == b"stored\n"
        assert main(["library", "list", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["libraries"][0]["unfinished"] == []
        process.kill()
    assert main(["library", "list", "--json"]) == 0
    ((entry,),) = [one["unfinished"] for one in json.loads(capsys.readouterr().out)["libraries"]]
    assert entry["n_brought"] == 512
    main(["library", "list"])
    assert entry["id"] in capsys.readouterr().out
    main(["library", "take-back", "mine", entry["id"], "--json"])
    assert json.loads(capsys.readouterr().out)["n_passages"] == 512
    assert main(["library", "take-back", "mine", entry["id"], "--yes"]) == 0
    assert PassageLibrary.names(tmp_path / "library") == []
