"""Adding documents on the Library page, and the account of imports."""

import io
import zipfile

import pytest
import streamlit as st
from app_files import PAGES
from library_pages import CSV, button, checked, imported, records, said
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.jobs import JobStore
from subclust.text.ingest.uploads import receive_file
from subclust.text.library import PassageLibrary
from subclust.text.library.imports import read_imports
from subclust.text.sources.columns import remember_columns
from subclust.text.sources.opening import open_source


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
    assert "x.csv is " in said(page)
    table = next(one.value for one in page.dataframe if "Place" in one.value)
    assert list(table["Place"]) == ["row 3"]
    assert PassageLibrary.names(data / "library") == []
    assert button(page, "Import 2 files")


def test_the_check_knows_the_library_that_is_chosen(given, data):
    imported(data, ("march.ris", records(4)))
    page = given(("april.ris", records(6)))
    assert "6 records: 6 can be imported." in texts(page)
    checked(page.selectbox(key="library-import-library").set_value("mine").run())
    assert "6 records" in texts(page)


def test_a_file_that_is_not_received_is_told_in_the_visitors_language(visit, data):
    page = visit(show="import", lang="de")
    page.file_uploader[0].upload("a.ris", b"", "text/plain")
    checked(page.run())
    assert "a.ris ist" in said(page)


def test_a_text_is_not_replaced_by_another_one_of_its_name(given):
    page = given(("notes.txt", b"On tides."), ("a.ris", records()))
    for name in ("notes.txt", "a.ris"):
        page.file_uploader[0].upload(name, b"TY  - JOUR", "text/plain")
        checked(page.run())
    received = [one.filename for one in page.session_state["library-import-files"]]
    assert received == ["notes.txt", "a.ris", "a.ris"]


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


def test_the_encoding_of_a_file_can_be_corrected(given, data, launcher):
    russian = "TY  - JOUR\nTI  - Ткацкие станки старых фабрик\nER  - \n"
    page = given(("looms.ris", russian.encode("cp1251")))
    box = next(one for one in page.selectbox if one.key.startswith("library-encoding"))
    assert box.value is None and "Windows-1251" in box.options[0]
    assert "Ткацкие станки" in " ".join(one.value for one in page.text)
    checked(box.set_value("koi8-r").run())
    assert "Ткацкие" not in " ".join([*(one.value for one in page.text), texts(page)])
    typed(page, "mine")
    checked(button(page, "Import 1 file").click().run())
    assert JobStore(data / "jobs").jobs()[0].argv[-1] == "--encoding=koi8-r"


def test_the_columns_of_a_table_can_be_corrected(given, data):
    page = given(("looms.csv", b"Benamsung,Werk\nOn looms,Loom Notes\nOn wool,Loom Notes\n"))
    assert page.warning
    assert "Import into" not in [one.value for one in page.header]  # nothing to import yet
    editor = page.dataframe[0].value
    assert list(editor["theirs"]) == ["Benamsung", "Werk"]
    remember_columns(data, _received(page), {"title": "Benamsung"})  # AppTest has no data editor
    page = checked(page.run())
    assert "2 records: 2 can be imported." in texts(page)
    assert list(page.dataframe[0].value["ours"]) == ["title", ""]


def _received(page):
    return page.session_state["library-import-files"][0].path


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


def test_a_file_can_be_left_out(given, data):
    page = given(("maps.ris", records()), ("more.csv", CSV.encode()))
    checked(button(page, "Remove").click().run())
    assert "maps.ris" not in texts(page)
    assert len(list((data / "uploads").iterdir())) == 1


def test_the_report_tells_how_many_why_and_which(visit, data):
    id_ = imported(data, ("maps.ris", records()), ("broken.csv", CSV.encode()))
    page = visit(show="imports", job=id_)
    told = texts(page)
    assert "33 records read, 32 imported, 1 rejected" in told
    assert "1 rejected:" in told
    table = page.dataframe[0].value
    assert list(table["File"]) == ["broken.csv"]
    assert list(table["Place"]) == ["row 3"]
    assert [one.label for one in page.get("download_button")] == ["CSV", "Excel"]
    checked(page.button(key=f"library-to-{id_}").click().run())
    assert "<dt>Passages</dt><dd>32</dd>" in texts(page)


def test_rejected_records_are_corrected_on_the_page(visit, data, monkeypatch):
    id_ = imported(data, ("broken.csv", CSV.encode()))
    monkeypatch.setattr(st, "data_editor", lambda table, **_: table)
    page = visit(show="imports", job=id_)
    press = f"library-mended-{id_}"
    checked(page.button(key=press).click().run())
    assert page.warning and "library-import-files" not in page.session_state
    monkeypatch.setattr(st, "data_editor", lambda table, **_: table.assign(text="Looms"))
    checked(page.button(key=press).click().run())
    assert page.segmented_control(key="library-show").value == "import"
    assert page.selectbox(key="library-import-library").value == "mine"
    (file,) = page.session_state["library-import-files"]
    (mended,) = open_source(file.path)
    (passage,) = mended.passages
    assert (passage.id, passage.text, passage.collection) == ("broken:2", "Looms", "broken")
    assert passage.metadata["language"] == "eng"


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


def test_the_format_of_an_archive_is_told_in_the_visitors_language(visit, data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("notes.txt", "On tides.")
    page = visit(show="import", lang="de")
    page.file_uploader[0].upload("a.zip", stream.getvalue(), "application/zip")
    checked(page.run())
    assert "ZIP-Archiv" in texts(page)


def test_the_train_page_lists_no_import(data, launcher):
    imported(data, ("maps.ris", records(3)))
    page = AppTest.from_file(PAGES / "train.py", default_timeout=60)
    page.query_params["show"] = "Trainings"
    checked(page.run())
    assert page.info and not any(one.key.startswith("run-open") for one in page.button)
