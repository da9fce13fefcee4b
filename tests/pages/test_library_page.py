"""The Library page: what there is, adding documents, and the account of imports."""

import io
import json
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
import small_library
from app_files import APP, PAGES
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.core.bin import Bin
from subclust.core.settings import Settings
from subclust.jobs import Job, JobStore
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest.import_record import ImportRecord
from subclust.text.ingest.local import ingest
from subclust.text.ingest.uploads import receive_file
from subclust.text.library import PassageLibrary
from subclust.text.library.imports import ImportLog, read_imports
from subclust.text.library.names import rename_library
from subclust.text.sources import SOURCES
from subclust.text.sources.opening import open_source
from subclust.ui.library.sources import LABELS

RIS = "TY  - JOUR\nTI  - Maps {0}\nAB  - About maps and shelves, number {0}.\nPY  - {1}\nER  - \n\n"
CSV = "id,text,language\n1,About maps and shelves.,eng\n2,,eng\n3,Über Bücher und Regale.,ger\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def visit(data, launcher):
    def at(**params):
        # By way of the app, since the page links to another one.
        page = AppTest.from_file(APP, default_timeout=120)
        for name, value in params.items():
            page.query_params[name] = value
        return checked(page.switch_page("pages/library.py").run())

    return at


def checked(page):
    assert not page.exception
    return page


def said(page):
    kinds = (page.info, page.warning, page.error, page.success, page.markdown, page.caption)
    return " ".join(one.value for kind in kinds for one in kind).replace("\\", "")


def button(page, label):
    return next(one for one in page.button if label in one.label)


def records(n=30):
    return "".join(RIS.format(n, 1990 + n) for n in range(n)).encode()


def imported(data, *files, name="mine", state="finished", **changes):
    """Do an import as its worker does, and write its record."""
    store, encoder = JobStore(data / "jobs"), HashingEncoder()
    paths = []
    for filename, content in files:
        paths.append(receive_file(data / "uploads", io.BytesIO(content), filename).path)
    id_ = f"import-{name}"
    words = ("import", *map(str, paths), "--library", name)
    now = time.time()
    ended = {"outcome": state, "finished": now} if state in ("finished", "cancelled") else {}
    facts = {"kind": "import", "title": f"{name}/{files[0][0]}", "device": "cpu", "created": now,
             "queued_at": now, "started": now, "pid": 1, "process_started": 1.0}  # fmt: skip
    store.save(Job(id_, words, **facts | ended | changes))
    record = ImportRecord(store.path(id_), name, paths, [None] * len(paths), lambda stage: None)
    with (
        suppress(KeyboardInterrupt),
        ImportLog(data / "library", name, paths, job=id_) as log,
    ):
        for number, path in enumerate(paths):
            record.begin(number)
            source = open_source(path)
            report = ingest(source, encoder, data / "library", name, watcher=record, log=log)
            record.end(report, source.label)
        if state == "cancelled":
            raise KeyboardInterrupt  # as if it had been stopped while it looked on
    return id_


def test_without_a_library_it_is_said_what_to_do(visit):
    page = visit()
    assert page.info
    checked(button(page, "Add documents").click().run())
    assert "Files to import" in [one.label for one in page.get("file_uploader")]
    checked(page.segmented_control(key="library-show").set_value("imports").run())
    assert page.button(key="library-first-import")


def test_a_library_is_told_and_browsed(visit, data):
    imported(data, ("maps.ris", records()), ("more.csv", CSV.encode()))
    page = visit()
    told = texts(page)
    assert "<dt>Passages</dt><dd>32</dd>" in told
    assert "1990–2019" in told
    assert "English 1" in told and "German 1" in told
    assert len(page.dataframe[0].value) == 32
    page.text_input(key="library-words-mine-0").input("number 29").run()
    checked(page)
    assert list(page.dataframe[0].value["Title"]) == ["Maps 29"]
    page.text_input(key="library-words-mine-0").input("no such words").run()
    assert page.info and not page.dataframe
    checked(page.button(key="library-clear").click().run())
    assert len(page.dataframe[0].value) == 32


def test_a_row_of_its_passages_shows_whatever_the_record_has(visit, data):
    content = "id,title,text,shelf mark,url\n1,Maps,Old maps.,Hs 12,https://example.org/1\n"
    imported(data, ("maps.csv", content.encode()))
    table = checked(visit()).dataframe[0].value
    (row,) = table.to_dict("records")
    assert row == {
        "Title": "Maps",
        "Collection": "maps",
        "Passage": "Old maps.",
        "Link": "https://example.org/1",
        "Id": row["Id"],
        "shelf mark": "Hs 12",
    }


def test_a_long_library_is_turned_page_by_page(visit, data):
    imported(data, ("maps.ris", records(120)))
    page = visit()
    assert "1 to 50 of 120 passages" in texts(page)
    checked(button(page, "Next page").click().run())
    checked(button(page, "Next page").click().run())
    assert "101 to 120 of 120 passages" in texts(page)
    assert button(page, "Next page").disabled


def test_what_fits_the_filters_is_deleted_once_it_is_confirmed(visit, data):
    imported(data, ("maps.ris", records(30)), ("more.csv", CSV.encode()))
    page = visit()
    page.selectbox(key="library-collection-mine-0").select("more").run()
    checked(page.button(key="library-delete-matching").click().run())
    assert "2 passages of mine" in said(page)
    library = PassageLibrary.open(data / "library", "mine")
    assert library.count() == 32
    checked(page.button(key="library-delete-matching-yes").click().run())
    assert library.count() == 30
    assert "2 passages of mine" in page.success[0].value
    (entry,) = Bin(data / "bin").entries("passages")
    checked(page.button(key=f"put-back-{entry.id}").click().run())
    assert library.count() == 32


def test_a_library_is_deleted_once_it_is_confirmed(visit, data):
    small_library.build(data, "old")
    small_library.build(data, "other", 3)
    page = delete(visit(open="old"), "old", "Old")
    assert "Type old" in page.session_state["library-delete-refused"]
    assert PassageLibrary.names(data / "library") == ["old", "other"]
    delete(page, "old", " old ")
    assert PassageLibrary.names(data / "library") == ["other"]
    assert "library old" in page.success[0].value
    assert not page.get("dialog")  # so that the next one is not deleted by the next click
    delete(page, "other", "other")
    assert page.info


def delete(page, name, typed):
    checked(page.button(key="library-delete").click().run())
    page.text_input(key=f"library-delete-name-{name}").set_value(typed)
    return checked(page.button(key=f"library-delete-yes-{name}").click().run())


def test_a_deleted_library_is_put_back_on_the_page(visit, data):
    small_library.build(data, "old", 5)
    rename_library(data / "library", "old", "Karten & Pläne")
    page = delete(visit(), "old", "Karten & Pläne")
    (entry,) = Bin(data / "bin").entries()
    checked(page.button(key=f"put-back-{entry.id}").click().run())
    assert "Karten & Pläne" in said(page)
    assert PassageLibrary.open(data / "library", "old").count() == 5
    assert not any(one.key.startswith("put-back") for one in page.button)
    delete(page, "old", "Karten & Pläne")
    small_library.build(data, "old", 3)
    checked(page.button(key=f"put-back-{Bin(data / 'bin').entries()[0].id}").click().run())
    assert "of that name again" in said(page)
    assert PassageLibrary.open(data / "library", "old").count() == 3


def test_a_library_that_a_job_needs_is_not_deleted(visit, data):
    small_library.build(data, "old", 5)
    words = ("import", "a.ris", "--library", "old")
    JobStore(data / "jobs").save(Job("old-a", words, kind="import", title="old/a"))
    page = visit()
    checked(page.button(key="library-delete").click().run())
    assert "(old-a)" in said(page)
    assert not [one for one in page.button if one.key == "library-delete-yes-old"]


def test_a_library_of_another_encoder_is_offered_to_be_encoded_anew(visit, data, launcher):
    encoder, passages = HashingEncoder(), small_library.passages()
    library = PassageLibrary.create(
        data / "library", "old", embedding_dim=encoder.embedding_dim,
        encoder_name="another", encoder_revision="1",
    )  # fmt: skip
    library.add(passages, encoder.encode([one.text for one in passages]))
    page = visit()
    assert "another" in page.info[0].value
    checked(page.button(key="library-reembed").click().run())
    job = JobStore(data / "jobs").jobs()[0]
    assert (job.kind, job.title, job.argv) == ("reembed", "old", ("library", "reembed", "old"))
    assert "old: recomputing the embeddings" in texts(page)


@pytest.fixture
def given(visit, data):
    """Open the page with files that were received."""

    def at(*files):
        page = visit(show="import")
        page.session_state["library-import-files"] = [
            receive_file(data / "uploads", io.BytesIO(content), name) for name, content in files
        ]
        return checked(page.run())

    return at


def test_files_are_checked_before_anything_is_imported(given, data):
    page = given(("maps.ris", records()), ("more.csv", CSV.encode()), ("x.csv", b"<!doctype html>"))
    told = texts(page)
    assert "30 records: 30 can be imported." in told
    assert "3 records" in told and "2 can" in told and "1 is" in told
    assert "maps and shelves, number 0" in told
    assert "x.csv is a web page" in said(page)
    table = page.dataframe[0].value
    assert list(table["Place"]) == ["row 3"]
    assert PassageLibrary.names(data / "library") == []
    assert button(page, "Import 2 files")


def test_the_check_knows_the_library_that_is_chosen(given, data):
    imported(data, ("march.ris", records(4)))
    page = given(("april.ris", records(6)))
    assert "6 records: 6 can be imported." in texts(page)
    checked(page.selectbox(key="library-import-library").set_value("mine").run())
    assert "6 records" in texts(page)


def typed(page, name):
    """Type the name of a new library; AppTest sends only options that it knows."""
    box = page.selectbox(key="library-import-library")
    box.options.append(name)
    checked(box.set_value(name).run())
    page.selectbox(key="library-import-library").options.append(name)


def test_an_import_is_started_and_looked_at(given, data, launcher):
    page = given(("maps.ris", records()))
    assert button(page, "Import 1 file").disabled
    assert "type a name" in said(page)
    typed(page, "mine")
    checked(button(page, "Import 1 file").click().run())
    job = JobStore(data / "jobs").jobs()[0]
    assert (job.kind, job.title) == ("import", "mine/maps.ris")
    assert job.argv[-2:] == ("--library", "mine")
    assert launcher.started == [job.id]
    assert "maps.ris into mine" in texts(page)
    assert button(page, "Pause")
    checked(button(page, "Pause").click().run())
    job = JobStore(data / "jobs").jobs()[0]
    assert job.cancel_asked and job.paused
    assert "pausing" in texts(page)


def test_any_name_will_do_and_what_will_not_is_said_before_the_click(given, data, launcher):
    page = given(("maps.ris", records()))
    for name, will_do in (("x" * 81, False), ("Ökologie & Umwelt", True)):
        typed(page, name)
        assert button(page, "Import 1 file").disabled is not will_do
        assert bool(page.error) is not will_do
    checked(button(page, "Import 1 file").click().run())
    job = JobStore(data / "jobs").jobs()[0]
    assert job.argv[-2:] == ("--library", "oekologie-umwelt")
    assert "maps.ris into Ökologie & Umwelt" in texts(page)


def test_pages_show_what_a_library_is_called(visit, data):
    small_library.build(data, "old")
    rename_library(data / "library", "old", "Alte Karten")
    page = visit(open="old")
    assert "Alte Karten" in [one.value for one in page.header]
    assert button(page, "Alte Karten").key == "library-open-old"


def test_a_file_can_be_left_out(given, data):
    page = given(("maps.ris", records()), ("more.csv", CSV.encode()))
    checked(button(page, "Remove").click().run())
    assert "maps.ris" not in texts(page)
    assert len(list((data / "uploads").iterdir())) == 1


def test_the_report_tells_how_many_why_and_which(visit, data):
    id_ = imported(data, ("maps.ris", records()), ("broken.csv", CSV.encode()))
    page = visit(show="imports", job=id_)
    told = texts(page)
    assert "33 read, 32 imported, 1 rejected" in told
    assert "1 rejected:" in told
    table = page.dataframe[0].value
    assert list(table["File"]) == ["broken.csv"]
    assert list(table["Place"]) == ["row 3"]
    assert [one.label for one in page.get("download_button")] == ["CSV", "Excel"]
    checked(page.button(key=f"library-to-{id_}").click().run())
    assert "<dt>Passages</dt><dd>32</dd>" in texts(page)


def test_near_duplicates_are_told(visit, data):
    twice = records(3) + records(3).replace(b"TI  - Maps", b"TI  - The Maps")
    id_ = imported(data, ("maps.ris", twice))
    page = visit(show="imports", job=id_)
    assert any("near-duplicate" in one.label for one in page.expander)


def test_a_paused_import_goes_on_when_somebody_says_so(visit, data, launcher):
    id_ = imported(data, ("maps.ris", records()), state="cancelled", paused=True)
    page = visit(show="imports", job=id_)
    assert "30 passages" in texts(page)
    checked(page.button(key=f"library-resume-{id_}").click().run())
    assert launcher.started == [id_]


def test_an_import_that_was_broken_off_is_told_and_taken_back(visit, data):
    imported(data, ("maps.ris", records(4)))
    id_ = imported(data, ("more.csv", CSV.encode()), state="cancelled", paused=True)
    page = visit()
    assert "incomplete" in texts(page) and "more.csv" in said(page)
    (entry,) = read_imports(data / "library", "mine", unfinished=True)
    page = visit(show="imports", job=id_)
    checked(page.button(key=f"library-back-{entry.id}").click().run())
    assert "2 passages" in said(page)
    checked(page.button(key=f"library-back-yes-{entry.id}").click().run())
    assert PassageLibrary.open(data / "library", "mine").count() == 4
    assert "2 passages" in page.success[0].value and "incomplete" not in texts(page)


def test_a_failed_import_tells_why(visit, data):
    id_ = imported(data, ("maps.ris", records()), outcome="failed", error="maps.ris is <odd>.")
    page = visit(show="imports", job=id_)
    assert "maps.ris is &lt;odd&gt;." in texts(page)
    checked(page.button(key=f"library-forget-{id_}").click().run())
    assert JobStore(data / "jobs").jobs() == []


def test_texts_of_others_stay_text(visit, data):
    evil = "<img src=x onerror=alert(1)>"
    content = json.dumps({"id": evil, "title": evil, "text": f"{evil} [x](http://y)", "year": evil})
    id_ = imported(data, ("a.jsonl", content.encode()))
    for params in ({}, {"show": "imports", "job": id_}):
        assert "<img" not in texts(visit(**params))


def test_the_page_says_of_each_format_what_its_card_says():
    assert {name: SOURCES[name].label for name in LABELS} == LABELS


def test_the_train_page_lists_no_import(data, launcher):
    imported(data, ("maps.ris", records(3)))
    page = AppTest.from_file(PAGES / "train.py", default_timeout=60)
    page.query_params["show"] = "Trainings"
    checked(page.run())
    assert page.info and not any(one.key.startswith("run-open") for one in page.button)


def test_the_address_leads_to_what_was_shown(visit, data):
    small_library.build(data, "one", 2)
    small_library.build(data, "two", 3)
    page = visit(open="two")
    assert "<dt>Passages</dt><dd>3</dd>" in texts(page)
    checked(page.button(key="library-open-one").click().run())
    assert page.query_params["open"] == "one"
    assert "<dt>Passages</dt><dd>2</dd>" in texts(page)


def test_a_backup_comes_back_under_another_name(visit, data):
    from subclust.ui.library.backup import _backup

    small_library.build(data, "mine", 5)
    settings = Settings.from_environment()
    packed = _backup(settings, "mine")
    page = visit()
    page.session_state["library-restore-file"] = receive_file(
        settings.uploads_dir, io.BytesIO(packed), "mine.zip"
    )
    checked(page.run())
    assert "5 passages" in said(page)
    checked(button(page, "Restore it").click().run())
    assert PassageLibrary.names(settings.library_dir) == ["mine", "mine-2"]
    page.session_state["library-restore-file"] = SimpleNamespace(
        path=receive_file(settings.uploads_dir, io.BytesIO(b"no zip"), "x.zip").path, n_bytes=6
    )
    checked(page.run())
    assert page.error
