"""`search --export` and `--save`, and the sessions that come of it."""

import csv
import io
import json

import pytest
import rispy

from subclust.exports import FORMATS
from subclust.sessions import SessionStore

SEARCH = ["search", "colony trade", "--library", "small", "--method", "centred-cosine"]


def test_search_writes_the_files_that_are_named(run, library, tmp_path):
    words = [word for suffix in FORMATS for word in ("--export", tmp_path / f"tea{suffix}")]
    status, out, err = run(*SEARCH, *words, "--json")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    ids = [one["id"] for group in printed["subtopics"] for one in group["passages"]]
    assert json.loads((tmp_path / "tea.json").read_bytes()) == printed
    assert [one["id"] for one in json.loads((tmp_path / "tea.csl.json").read_bytes())] == ids
    assert [one["id"] for one in rispy.loads((tmp_path / "tea.ris").read_text())] == ids
    rows = csv.DictReader(io.StringIO((tmp_path / "tea.csv").read_text("utf-8-sig")))
    assert [row["id"] for row in rows] == ids
    assert {path.name for path in tmp_path.glob("tea.*")} == {f"tea{one}" for one in FORMATS}
    assert not list(tmp_path.glob(".*"))


def test_a_wrong_ending_is_told_before_the_search(run, settings, tmp_path):
    file = tmp_path / "a.pdf"
    run.refused("search", "x", "--library", "absent", "--export", file, name="a.pdf")


def test_a_place_that_cannot_be_written_is_one_sentence(run, library, tmp_path):
    status, _, err = run(*SEARCH, "--export", tmp_path / "absent" / "a.csv")
    assert status == 1 and "a.csv" in err and err.count("\n") == 1


@pytest.fixture
def saved(run, library, settings):
    status, out, err = run(*SEARCH, "--save", "Tea and ships", "--json")
    assert (status, err) == (0, "")
    return out


def test_a_session_shows_what_the_search_printed_byte_for_byte(run, saved):
    status, out, _ = run("sessions", "show", "Tea and ships", "--json")
    assert status == 0 and out == saved
    assert "24 passages" in run("sessions", "show", "Tea and ships")[1]


def test_sessions_are_listed_renamed_exported_imported_and_deleted(run, saved, settings, tmp_path):
    (header,) = json.loads(run("sessions", "--json")[1])["sessions"]
    assert (header["question"], header["n_passages"]) == ("colony trade", 24)
    assert run("sessions", "rename", header["id"], "Ships")[0] == 0
    assert "Ships: 'colony trade', 24 passages" in run("sessions", "list")[1]
    path = tmp_path / "ships.subclust"
    assert run("sessions", "export", "Ships", path)[0] == 0
    assert path.read_bytes() == SessionStore(settings.sessions_dir).export(header["id"])
    assert run("sessions", "export", "Ships", tmp_path / "ships.json")[0] == 0
    assert (tmp_path / "ships.json").read_text("utf-8") == saved
    assert run("sessions", "delete", "Ships")[0] == 0
    assert run("sessions")[1].count("\n") == 1
    assert json.loads(run("sessions", "import", path, "--json")[1])["id"] == header["id"]
    assert run("sessions", "show", header["id"], "--json")[1] == saved


def test_a_check_tells_what_has_changed(run, saved, library):
    assert "Nothing has changed" in run("sessions", "check", "Tea and ships")[1]
    library.discard(["tax1760"])
    status, out, _ = run("sessions", "check", "Tea and ships")
    assert "had 24" in out and "has 23" in out
    (change,) = json.loads(run("sessions", "check", "Tea and ships", "--json")[1])["changes"]
    assert change == {"kind": "library", "then": "24", "now": "23"}
    assert run("sessions", "show", "Tea and ships", "--json")[1] == saved


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["show", "absent"], {"name": "absent"}),
        (["import", "absent.subclust"], {"file": "absent.subclust"}),
        (["delete", "../etc"], {"name": "../etc"}),
        (["import", __file__], {}),
        (["rename", "Tea and ships", "x" * 200], {"max_name": 120, "count": 200}),
        (["export", "Tea and ships", "a.pdf"], {"name": "a.pdf"}),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run, saved, words, values):
    run.refused("sessions", *words, **values)
