import gzip
import hashlib
import json
import os
import subprocess
import sys
import time

import pytest
from label_sets import incoming, kept, nothing_half_stored, received
from labelled_files import GOOD_LINES, GOOD_ROWS, csv_text, jsonl_text, xlsx_bytes
from passing_days import a_day_passes  # noqa: F401 - a fixture
from raising import raises

from subclust.core.exceptions import InputError, LabelledSetError, LabelledSetNotFoundError
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import (
    LabelledSetStore,
    set_reference,
    suggested_name,
    why_not_without,
)
from subclust.labelled.sets.upload import sweep

GOOD = csv_text(GOOD_ROWS)
OTHER = csv_text(GOOD_ROWS[:-2])


@pytest.fixture
def store(tmp_path):
    return LabelledSetStore(tmp_path / "sets")


def with_errors():
    """Make a table whose rows 5 and 8 have no label, and row 21 no text."""
    rows = [list(row) for row in GOOD_ROWS]
    rows[3][2] = rows[6][2] = rows[19][1] = ""
    return csv_text(rows)


def test_a_set_is_kept_and_found_again(store):
    before = time.time()
    one = kept(store, GOOD, "fruit", "Obst & Gemüse.csv")
    assert one.is_new and one == store.load("fruit") == store.load("fruit", 1)
    assert (one.label, one.reference, one.title) == ("fruit@1", "set:fruit@1", "Obst & Gemüse.csv")
    assert before <= one.created <= time.time()
    assert (one.n_queries, one.n_passages, one.n_labels, one.n_left_out) == (10, 20, 20, 0)
    assert one.sha256 == hashlib.sha256(one.path.read_bytes()).hexdigest()
    assert one.left_out == () and incoming(store.folder) == []
    assert nothing_half_stored(store.folder) == [one]


def test_what_is_kept_is_what_was_uploaded(store, tmp_path):
    rows = [
        ["q", 'a "text", with\r\nlines', "L", "7", "Title", "in words", "L / part"],
        ["q", "b é 漢", "M", "8", "", "", ""],
        ["other", "c", "L", "9", "", "", ""],
        ["other", "d", "L", "10", "", "", ""],
    ]
    header = ["query", "text", "label", "id", "title", "description", "path"]
    path = tmp_path / "set.csv"
    path.write_bytes(csv_text(rows, header).encode())
    one = kept(store, path.read_bytes())
    assert read_instances(one.path) == read_instances(path)
    passage = read_instances(one.path)[0].passages[0]
    assert (passage.title, passage.path, passage.id) == ("Title", "L / part", "7")


def test_the_same_queries_add_no_version_whatever_their_format(store):
    first = kept(store, GOOD)
    again = [
        kept(store, GOOD),
        kept(store, GOOD.replace(",", ";").encode("utf-8-sig")),
        kept(store, xlsx_bytes(GOOD_ROWS), filename="set.xlsx"),
    ]
    assert [one.label for one in again] == ["set@1"] * 3
    assert not any(one.is_new for one in again) and first.is_new
    second = kept(store, OTHER, title="Without jujube")
    assert (second.label, second.is_new, second.title) == ("set@2", True, "Without jujube")
    # Going back to what was is a change.
    assert kept(store, GOOD).label == "set@3"
    assert [one.label for one in nothing_half_stored(store.folder)] == ["set@3", "set@2", "set@1"]
    assert store.load("set") == store.load("set", 3)


def test_errors_stop_it_with_one_sentence(store):
    upload = received(store, with_errors())
    with raises(LabelledSetError, n=3, row=5, column="label"):
        store.keep(upload, "set")
    assert store.sets() == [] and upload.path.exists()


def test_it_goes_on_without_the_rows_that_have_errors(store, tmp_path):
    one = kept(store, with_errors(), without_errors=True)
    # Each error leaves its query with one passage, which goes too.
    assert (one.n_queries, one.n_passages, one.n_left_out) == (7, 14, 6)
    assert [(row.row, row.reasons[0][:12]) for row in one.left_out] == [
        (4, "its query ha"), (5, "the column \""), (8, "the column \""), (9, "its query ha"),
        (20, "its query ha"), (21, "the column \""),
    ]  # fmt: skip
    assert one.left_out[1].query == "banana" and one.left_out[1].where == "row 5"
    assert nothing_half_stored(store.folder) == [one]
    assert store.load("set").left_out == one.left_out


def test_lines_are_left_out_too(store):
    lines = [*GOOD_LINES, "no JSON\n"]
    lines[0] = {**lines[0], "passages": [*lines[0]["passages"], {"text": "x"}, {"label": "y"}]}
    one = kept(store, jsonl_text(lines), filename="set.jsonl", without_errors=True)
    assert (one.n_passages, one.n_left_out) == (20, 3)
    assert [row.where for row in one.left_out] == [
        "line 1, passage 3",
        "line 1, passage 4",
        "line 11",
    ]


@pytest.mark.parametrize(
    ("content", "values"),
    [
        (GOOD.encode("cp1252").replace(b"apple", b"\xe4pple"), {"line": 2}),
        (csv_text(GOOD_ROWS, ["query", "text", "tag"]), {"column": "label", "other": "tag"}),
        (csv_text(GOOD_ROWS, ["query", "text", "label", "label"]), {"column": "label", "row": 1}),
        (csv_text(GOOD_ROWS[:2]), {}),
        (csv_text([*GOOD_ROWS[:2], ["fig", "", "x"], ["fig", "x", ""]]), {}),
    ],
    ids=["encoding", "column", "doubled", "one", "one left"],
)  # fmt: skip
def test_it_does_not_go_on_where_that_is_not_sound(store, content, values):
    upload = received(store, content)
    report = store.check(upload)
    assert report.errors and why_not_without(report)
    with raises(LabelledSetError, file="set.csv", **values):
        store.keep(upload, "set", without_errors=True)
    with pytest.raises(LabelledSetError) as error:
        store.keep(upload, "set")
    assert "without" not in str(error.value)
    assert nothing_half_stored(store.folder) == []


def test_a_report_is_not_made_twice_and_another_ones_is_not_taken(store, monkeypatch):
    upload, other = received(store, GOOD), received(store, OTHER)
    report, of_other = store.check(upload), store.check(other)
    wrong = store.keep(upload, "set", report=of_other)
    assert wrong.n_queries == 10
    monkeypatch.setattr(LabelledSetStore, "check", None)
    assert store.keep(other, "other", report=of_other).n_queries == 9
    assert report.path == upload.path


def test_columns_with_other_names(store):
    header = ["Topic", "Abstract", "label"]
    columns = {"query": "topic", "text": "Abstract"}
    with raises(LabelledSetError, n=2, row=1, column="query"):
        kept(store, csv_text(GOOD_ROWS, header))
    assert kept(store, csv_text(GOOD_ROWS, header), columns=columns) == kept(store, GOOD)


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", "../x", ".x", "é", "a b", "x" * 65, "a@1", "incoming", "a\n", "CON:"]
)
def test_names_cannot_lead_elsewhere(store, name):
    upload = received(store, GOOD)
    for call in (
        lambda: store.keep(upload, name),
        lambda: store.load(name),
        lambda: store.remove(name),
    ):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value).count("\n") == 0
    assert nothing_half_stored(store.folder) == []


def test_references():
    assert set_reference("set:fruit") == set_reference("fruit") == ("fruit", None)
    assert set_reference("set:fruit@12") == ("fruit", 12)
    for wrong in ("fruit@", "fruit@0", "fruit@x", "fruit@1@2", "fruit@-1", "set:", "fruit@²"):
        with pytest.raises(InputError):
            set_reference(wrong)


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("Obst & Gemüse (neu).csv", "obst-gemuse-neu"),
        ("set.jsonl.gz", "set"),
        ("漢字.xlsx", "set"),
        ("incoming.csv", "set"),
        ("x" * 90 + ".csv", "x" * 64),
        ("2024_final.v2.tsv", "2024_final-v2"),
    ],
)
def test_a_name_is_suggested(filename, name):
    assert suggested_name(filename) == name


def test_what_is_not_there_is_said_with_what_is(store):
    with raises(LabelledSetNotFoundError, name="set", there="none"):
        store.load("set")
    kept(store, GOOD, "fruit")
    with raises(LabelledSetNotFoundError, there="fruit", name="set"):
        store.find("set:set")
    with raises(LabelledSetNotFoundError, number=2, there="1", name="fruit"):
        store.find("set:fruit@2")
    assert store.find("fruit") is None and store.find("fruit.csv") is None


def test_damage_is_told(store):
    one = kept(store, GOOD)
    one.path.write_bytes(gzip.compress(b"{}"))
    with raises(LabelledSetError, name="set@1"):
        store.find("set:set")
    one.path.unlink()
    with raises(LabelledSetError, name="set@1"):
        store.load("set")
    for content in ("", "[]", '{"name": "set"}', json.dumps({**record_of(one), "version": 7})):
        (one.path.parent / "set.json").write_text(content)
        with raises(LabelledSetError, parent="set", folder="1"):
            store.load("set")
        assert store.sets() == [] and [one.name for one in store.damaged()] == ["set@1"]


def record_of(one):
    return json.loads((one.path.parent / "set.json").read_text())


def test_removed_versions_do_not_come_back(store):
    for content in (GOOD, OTHER, GOOD):
        kept(store, content)
    assert [one.label for one in store.remove("set", 3)] == ["set@3"]
    assert store.load("set").version == 2
    assert kept(store, GOOD).label == "set@4"
    assert len(store.remove("set")) == 3
    assert store.sets() == [] and not any(store.folder.glob("set/*/*"))
    with pytest.raises(LabelledSetNotFoundError):
        store.remove("set")
    assert kept(store, GOOD).label == "set@5"
    nothing_half_stored(store.folder)


def test_forgotten_uploads_are_swept_after_a_day(store, a_day_passes):  # noqa: F811
    old, new = received(store, GOOD), received(store, GOOD)
    killed = store.folder / "incoming" / "keep-x.partial"
    killed.mkdir()
    a_day_ago = time.time() - 24 * 3600 - 60
    for path in (old.path.parent, killed):
        os.utime(path, (a_day_ago, a_day_ago))
    received(store, GOOD)
    assert old.path.exists() and killed.exists()
    a_day_passes()
    received(store, GOOD)
    assert not old.path.exists() and not killed.exists() and new.path.exists()
    with raises(LabelledSetError, file="set.csv"):
        store.keep(old, "set")
    sweep(store.folder / "nowhere")


def test_the_upload_is_gone_once_it_is_kept(store):
    upload = received(store, GOOD)
    store.keep(upload, "set")
    for use in (store.check, store.preview):
        with raises(LabelledSetError, file="set.csv"):
            use(upload)


def test_several_processes_add_at_once(store, tmp_path):
    code = (
        "import io, sys\n"
        "from pathlib import Path\n"
        "from subclust.labelled.sets import LabelledSetStore\n"
        "store, n = LabelledSetStore(Path(sys.argv[1])), sys.argv[2]\n"
        "for i in range(5):\n"
        "    rows = ''.join(f'{q},text {n} {i} {p},l{p}\\n' for q in 'ab' for p in '12')\n"
        "    upload = store.receive(io.BytesIO(('query,text,label\\n' + rows).encode()), 's.csv')\n"
        "    print(store.keep(upload, 'set').version)\n"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(store.folder), str(n)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    given = sorted(int(line) for run in runs for line in run.communicate()[0].split())
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert given == list(range(1, 16))
    assert len(nothing_half_stored(store.folder)) == 15


def test_a_large_number_of_rows_left_out_is_kept_with_their_reasons(store, tmp_path):
    rows = [*GOOD_ROWS, *[["apple", "", "x"]] * 2000]
    one = kept(store, csv_text(rows), without_errors=True)
    assert one.n_left_out == len(one.left_out) == 2000
    assert one.left_out[-1].row == 2021
    assert "left_out" not in record_of(one)
