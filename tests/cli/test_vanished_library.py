"""A library that is deleted while documents come into it."""

import json

import pytest
from raising import raises

from subclust.cli.documents import transfer as import_
from subclust.core.exceptions import LibraryNotFoundError
from subclust.core.records import Passage
from subclust.jobs import JobStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.harvest import HarvestState, harvest
from subclust.text.ingest.local import ingest
from subclust.text.library import PassageLibrary
from subclust.text.sources.base import Document
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveRequest, Page


@pytest.fixture
def queued(idle, run, settings, tmp_path):
    """Queue an import of two files; return its words and the job's id."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(f"id,text\n1,Maps of {name}.\n2,Shelves of {name}.\n")
    words = ("import", tmp_path / "one.csv", tmp_path / "two.csv", "--library", "mine")
    return words, json.loads(run(*words, "--queue", "--json")[1])["job"]


def outcome(settings, id_):
    job = JobStore(settings.jobs_dir).load(id_)
    assert "'mine' was deleted" in (job.error or "")
    return job.outcome


@pytest.mark.parametrize("when", ["between two files", "at the end", "while it is made ready"])
def test_an_import_job_fails_with_a_sentence(run, settings, queued, monkeypatch, when):
    words, id_ = queued
    done = import_.ingest
    prepared = import_.prepare_for_default

    def delete():
        PassageLibrary.remove(settings.library_dir, "mine")

    def ingest_and_delete(source, *given, **named):
        report = done(source, *given, **named)
        if when == "between two files" and source.path.name == "one.csv":
            delete()
        if when == "at the end" and source.path.name == "two.csv":
            delete()
        return report

    def prepare_and_delete(*given):
        prepared(*given)
        if when == "while it is made ready":
            delete()

    monkeypatch.setattr(import_, "ingest", ingest_and_delete)
    monkeypatch.setattr(import_, "prepare_for_default", prepare_and_delete)
    assert run(*words, "--job", id_)[0] == 1
    assert outcome(settings, id_) == "failed"
    assert PassageLibrary.names(settings.library_dir) == []

    # Whoever lets it go on without the library does not get half of one.
    assert run(*words, "--job", id_)[0] == 1
    assert PassageLibrary.names(settings.library_dir) == []


@pytest.mark.parametrize("step", range(2))
def test_an_import_in_a_terminal_does_too(run, settings, monkeypatch, tmp_path, step):
    (tmp_path / "one.csv").write_text("id,text\n1,Maps.\n2,Shelves.\n")
    assert run("import", tmp_path / "one.csv", "--library", "mine")[0] == 0
    encode = HashingEncoder.encode

    def encode_and_delete(self, *given, **named):
        if PassageLibrary.names(settings.library_dir):
            PassageLibrary.remove(settings.library_dir, "mine")
        return encode(self, *given, **named)

    optimize = PassageLibrary.optimize

    def optimize_and_delete(self):
        optimize(self)
        PassageLibrary.remove(settings.library_dir, "mine")

    if step:
        monkeypatch.setattr(HashingEncoder, "encode", encode_and_delete)
    else:
        monkeypatch.setattr(PassageLibrary, "optimize", optimize_and_delete)
    (tmp_path / "two.csv").write_text("id,text\n7,Ants.\n")
    status, _, said = run("import", tmp_path / "two.csv", "--library", "mine")
    assert status == 1 and "'mine'" in said  # deleted, removed or not there: it depends on when
    assert "Traceback" not in said and PassageLibrary.names(settings.library_dir) == []


class Pages:
    """A source of two pages, whose library is deleted before the second one."""

    card = LIVE["arxiv"]

    def __init__(self, folder):
        self.folder = folder

    def page(self, place, size):
        if place:
            PassageLibrary.remove(self.folder, "mine")
        passage = Passage(f"d{place}-1", "Maps and shelves.")
        return Page((Document(f"d{place}", "Maps", (passage,)),), None if place else "next", 2)


def test_a_harvest_does_not_make_its_library_anew(settings, tmp_path):
    state = HarvestState("arxiv", LiveRequest(query="maps"), "mine", "")
    with raises(LibraryNotFoundError, name="mine"):
        harvest(
            settings.harvests_dir,
            state,
            lambda state: Pages(settings.library_dir),
            HashingEncoder(16),
            settings.library_dir,
        )
    assert PassageLibrary.names(settings.library_dir) == []


def test_what_has_not_begun_makes_its_library(settings):
    encoder = HashingEncoder(16)
    with pytest.raises(LibraryNotFoundError):
        ingest([], encoder, settings.library_dir, "mine", has_begun=True)
    ingest([], encoder, settings.library_dir, "mine")
