"""A library that is for some teams is not there for anybody else, nor what was made of it."""

import pytest
from queue_helpers import Nobody
from raising import raises

from subclust.core import limits
from subclust.core.access import LOCAL, Person, Role, acting_as
from subclust.core.bin import Bin
from subclust.core.exceptions import (
    InputError,
    LibraryNotFoundError,
    NotAllowedError,
)
from subclust.core.limits import limit_file, limit_library, may_use, teams_of
from subclust.core.records import Passage
from subclust.jobs import JobQueue, JobStore
from subclust.jobs.view import job_view, job_views
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import catalogue
from subclust.text.library.names import (
    find_library,
    library_id,
    rename_library,
    settle_name,
)
from subclust.text.sources.base import Document

ADA = Person("ada", Role.CURATOR, ("history",))
ROB = Person("rob", Role.CURATOR, ("law",))
BOSS = Person("boss", Role.ADMINISTRATOR)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two libraries, of which one is for a team alone."""
    folder = tmp_path / "library"
    for name in ("open", "secret"):
        document = Document("a", "Ants", (Passage("a", "Ants march."),))
        ingest([document], HashingEncoder(16), folder, name)
    rename_library(folder, "secret", "Secret maps")
    limit_library(folder, "secret", ["history"])
    monkeypatch.setattr(limits, "_libraries", folder)
    return folder


def test_who_is_in_none_of_its_teams_neither_sees_nor_opens_it(folder):
    for person, names in ((LOCAL, 2), (ADA, 2), (ROB, 1), (BOSS, 1)):
        with acting_as(person):
            assert len(PassageLibrary.names(folder)) == len(catalogue(folder)) == names
            assert (find_library(folder, "Secret maps") == "secret") is (names == 2)
            if names == 2:
                PassageLibrary.open(folder, "secret").search_text("ants", 1)
                continue
            for see in (
                lambda: PassageLibrary.open(folder, "secret"),
                lambda: rename_library(folder, "secret", "Mine"),
                lambda: PassageLibrary.remove(folder, "secret"),
            ):
                with pytest.raises(LibraryNotFoundError) as caught:
                    see()
                assert "Secret" not in caught.value.sentence.replace("'secret'", "")


def test_nobody_writes_to_it_by_its_name(folder):
    with acting_as(ROB):
        other = settle_name(folder, "Secret maps")
        assert other != "secret" and settle_name(folder, "secret") not in ("secret", other)
        assert library_id(folder, "Secret maps") != "secret"
        document = Document("b", "Bees", (Passage("b", "Bees fly."),))
        with pytest.raises(LibraryNotFoundError):
            ingest([document], HashingEncoder(16), folder, "secret")
    assert PassageLibrary.open(folder, "secret").count() == 1


def test_one_limits_a_library_to_teams_of_which_one_is_ones_own(folder):
    with acting_as(ADA):
        with pytest.raises(InputError):
            limit_library(folder, "open", ["law"])
        with pytest.raises(InputError):
            limit_library(folder, "open", ["history", " "])
        limit_library(folder, "open", ["law", "history"])
    with acting_as(Person("rea", Role.READER, ("law",))), pytest.raises(NotAllowedError):
        limit_library(folder, "open", [])
    with acting_as(ROB):
        assert teams_of(folder, "open") == ("law", "history") and may_use("open")
        limit_library(folder, "open", [])
    assert not limit_file(folder, "open").exists()


@pytest.mark.parametrize("content", ["", "[]", '{"teams": 3}', "{}", "[" * 100_000])
def test_a_damaged_limit_lets_nobody_in(folder, content):
    limit_file(folder, "secret").write_text(content)
    for person in (ADA, ROB, BOSS):
        with acting_as(person):
            assert not may_use("secret") and PassageLibrary.names(folder) == ["open"]
    assert may_use("secret")


def test_it_stays_limited_in_the_bin_and_when_it_comes_back(folder, tmp_path):
    there = Bin(tmp_path / "bin")
    PassageLibrary.remove(folder, "secret", there, title="Secret maps")
    with acting_as(ROB):
        assert there.entries() == []
    with acting_as(ADA):
        (entry,) = there.entries()
        PassageLibrary.put_back(folder, entry, there)
    assert teams_of(folder, "secret") == ("history",)


def test_its_jobs_are_seen_by_its_teams_and_work_as_who_queued_them(folder, tmp_path):
    store = JobStore(tmp_path / "jobs")
    queue = JobQueue(store, Nobody())
    with acting_as(ADA):
        job = queue.submit(
            ["import", "a.csv", "--library", "secret"], kind="import", title="a.csv", device="cpu"
        )
        queue.submit(["library", "reembed", "secret"], kind="reembed", title="secret", device="cpu")
        assert len(job_views(store)) == 2
    assert (job.person.name, job.person.teams) == ("ada", ("history",))
    with acting_as(store.load(job.id).person):
        assert may_use("secret")
    with acting_as(ROB):
        assert job_views(store) == []
        for look in (queue.cancel, queue.resume, queue.remove, lambda id: job_view(store, id)):
            with raises(InputError, job=job.id, there="none"):
                look(job.id)
