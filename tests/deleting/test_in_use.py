"""Who works on a library, a model or a labelled set, and what that forbids."""

import pytest
from filelock import FileLock
from made_library import make_library
from raising import raises

from subclust.core.exceptions import InUseError, LibraryNotFoundError
from subclust.core.settings import Settings
from subclust.deleting import Use, check_unused, models_needed, uses, who_uses
from subclust.deleting.removal import delete_library, delete_set
from subclust.jobs import Job, JobStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.harvest import HarvestState
from subclust.text.library import PassageLibrary
from subclust.text.library.folder import imports_folder
from subclust.text.library.imports import ImportLog
from subclust.text.library.names import rename_library
from subclust.text.library.versions import building
from subclust.text.sources.live.base import LiveRequest


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "data", models_dir=tmp_path / "models")


@pytest.fixture
def library(settings):
    return make_library(settings.library_dir, HashingEncoder(16), [], "maps")


def queue(settings, words, id="job", **told):
    argv = tuple(words.split())
    JobStore(settings.jobs_dir).save(Job(id, argv, **{"kind": argv[0], **told}))


@pytest.mark.parametrize(
    ("words", "title", "expected"),
    [
        ("import a.ris --library maps", "maps/a.ris", [("library", "maps", None)]),
        ("harvest arxiv ants --library=maps", "maps-arxiv-1", [("library", "maps", None)]),
        ("library reembed maps", "maps", [("library", "maps", None)]),
        ("train cob --data set:ants@2 --name new", "cob/new",
         [("model", "cob/new", None), ("set", "ants", 2)]),
        ("train cob --data=set:ants --base old --name new", "cob/new",
         [("model", "cob/old", None), ("model", "cob/new", None), ("set", "ants", None)]),
        ("tune qs3m --data a.csv --validation set:ants --base=cob/old --name n", "qs3m/n",
         [("model", "cob/old", None), ("set", "ants", None)]),
        ("bench-convergence --data set:ants@1", "all", [("set", "ants", 1)]),
        ("train cob --data set:.. --name", "cob", []),
        ("train cob --base", "", []),
        ("bench cob --base old", "", []),
    ],
)  # fmt: skip
def test_the_words_of_a_job_tell_what_it_uses(settings, words, title, expected):
    kind = "reembed" if words.startswith("library") else words.split()[0]
    queue(settings, words, title=title, kind=kind)
    assert uses(settings) == [Use(what, name, "job", version) for what, name, version in expected]


def test_only_jobs_that_wait_or_run_count(settings):
    store = JobStore(settings.jobs_dir)
    store.begin("running", ("train", "cob", "--data=set:free", "--name", "new"))
    store.end(store.begin("ended", ("train", "cob", "--data", "set:ants")), "finished")
    queue(settings, "import a.ris --library maps", "gone", pid=4_000_000, process_started=1.0)
    queue(settings, "train cob --data set:ants@1", "waits")
    assert {(use.job, use.name) for use in uses(settings)} == {
        ("running", "cob/new"), ("running", "free"), ("waits", "ants"),
    }  # fmt: skip
    assert models_needed(settings) == {"cob/new": "the job running"}


def test_a_job_is_not_in_its_own_way(settings):
    queue(settings, "library duplicates maps --merge", "mine", title="maps", kind="merge")
    check_unused(settings, "library", "maps", job="mine")
    with raises(InUseError, jobs="mine"):
        check_unused(settings, "library", "maps", job="other")


def test_a_use_of_the_newest_version_protects_all(settings):
    queue(settings, "train cob --data set:ants@1", "first")
    assert who_uses(settings, "set", "ants", 2) == []
    for version in (None, 1):
        with raises(InUseError, jobs="first", name="ants"):
            delete_set_checked(settings, version)
    queue(settings, "train cob --data set:ants", "newest")
    for version in (None, 1, 2):
        with raises(InUseError, name="ants"):
            delete_set_checked(settings, version)
    check_unused(settings, "library", "ants")


def delete_set_checked(settings, version):
    check_unused(settings, "set", "ants", version)


def import_in_a_terminal(settings):
    with ImportLog(settings.library_dir, "maps", []) as log:
        log.storing(["a"], {})
        yield


def harvest_in_a_terminal(settings):
    settings.harvests_dir.mkdir(parents=True)
    state = HarvestState("arxiv", LiveRequest(query="ants"), "maps", "")
    state.save(settings.harvests_dir)
    with FileLock(settings.harvests_dir / f"{state.name}.lock"):
        yield


def embedding_in_a_terminal(settings):
    with building(settings.library_dir, "maps"):
        yield


@pytest.mark.parametrize(
    "at_work", [import_in_a_terminal, harvest_in_a_terminal, embedding_in_a_terminal]
)
def test_what_is_done_in_a_terminal_counts_as_long_as_it_lasts(settings, library, at_work):
    work = at_work(settings)
    next(work)
    assert who_uses(settings, "library", "maps") == [Use("library", "maps")]
    with raises(InUseError, name="maps"):
        delete_library(settings, "maps")
    assert PassageLibrary.names(settings.library_dir) == ["maps"]
    next(work, None)
    assert uses(settings) == []
    delete_library(settings, "maps")
    assert PassageLibrary.names(settings.library_dir) == []
    assert not imports_folder(settings.library_dir, "maps").exists()


def test_a_library_that_a_job_waits_for_is_not_deleted(settings, library):
    queue(settings, "import a.ris --library maps", "maps-a")
    with raises(InUseError, name="maps", jobs="maps-a"):
        delete_library(settings, "maps")
    JobStore(settings.jobs_dir).remove("maps-a")
    delete_library(settings, "maps")
    with pytest.raises(LibraryNotFoundError):
        delete_library(settings, "maps")


def test_the_name_that_people_gave_a_library_means_it_too(settings, library):
    rename_library(settings.library_dir, "maps", "Karten & Pläne")
    JobStore(settings.jobs_dir).save(
        Job("job", ("import", "a.ris", "--library", "karten & pläne"), kind="import")
    )
    assert [use.job for use in who_uses(settings, "library", "maps")] == ["job"]
    with raises(InUseError, name="Karten & Pläne", jobs="job"):
        delete_library(settings, "maps")


def test_what_is_not_there_is_not_called_in_use(settings):
    queue(settings, "train cob --data set:ants")
    with raises(Exception, name="ants", there="none"):
        delete_set(settings, "ants")
