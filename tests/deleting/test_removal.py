"""Whatever is deleted can be put back as it was."""

import pytest
from raising import raises
from things import DELETE, MAKE, content

from subclust.core.bin import KEPT_SECONDS
from subclust.core.exceptions import BinError, InUseError, LibraryNotFoundError, SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, put_back
from subclust.jobs import Job, JobStore
from subclust.labelled.sets import LabelledSetStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.reembed import reembed
from subclust.text.library import PassageLibrary
from subclust.text.library.imports import read_imports
from subclust.text.library.names import name_of, rename_library, settle_name


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "data", models_dir=tmp_path / "data" / "models")


@pytest.mark.parametrize("kind", DELETE)
def test_what_is_deleted_can_be_put_back(settings, kind):
    name = MAKE[kind](settings)
    before = content(settings.data_dir)
    DELETE[kind](settings, name)
    with pytest.raises(SubclustError):  # it is not there any more
        DELETE[kind](settings, name)
    (entry,) = bin_of(settings).entries()
    assert (entry.kind, entry.name) == (kind, name)
    put_back(settings, entry.id)
    assert content(settings.data_dir) == before
    DELETE[kind](settings, name)
    assert len(bin_of(settings).entries(kind)) == 1


@pytest.mark.parametrize("kind", ["model", "session", "corrections"])
def test_a_name_that_is_taken_again_stays_as_it_is(settings, kind):
    name = MAKE[kind](settings)
    DELETE[kind](settings, name)
    MAKE[kind](settings)
    before = content(settings.data_dir)
    (entry,) = bin_of(settings).entries()
    with pytest.raises(BinError):
        put_back(settings, entry.id)
    assert content(settings.data_dir) == before


def test_a_library_of_two_versions_comes_back_whole(settings):
    MAKE["library"](settings)
    other = HashingEncoder(24)
    other.name = "other"
    reembed(settings.library_dir, "maps", other)
    DELETE["library"](settings, "maps")
    assert PassageLibrary.names(settings.library_dir) == []
    put_back(settings, bin_of(settings).entries()[0].id)
    library = PassageLibrary.open(settings.library_dir, "maps")
    assert (library.encoder_name, library.embedding_dim) == ("other", 24)
    assert [one.id for one in library.search_text("shelves", 5).passages] == ["a"]
    assert [one.n_brought for one in read_imports(settings.library_dir, "maps")] == [1]


def test_a_library_comes_back_under_the_name_that_people_gave_it(settings):
    MAKE["library"](settings)
    rename_library(settings.library_dir, "maps", "Karten & Pläne")
    DELETE["library"](settings, "maps")
    (entry,) = bin_of(settings).entries()
    assert entry.title == "Karten & Pläne"
    other = settle_name(settings.library_dir, "Karten & Pläne")
    with pytest.raises(LibraryNotFoundError):
        PassageLibrary.open(settings.library_dir, other)
    put_back(settings, entry.id)
    assert name_of(settings.library_dir, "maps") == "Karten & Pläne"


def test_two_libraries_of_one_name_are_not_made(settings):
    MAKE["library"](settings)
    rename_library(settings.library_dir, "maps", "Karten")
    DELETE["library"](settings, "maps")
    library = PassageLibrary.create(
        settings.library_dir, "other", embedding_dim=2, encoder_name="e", encoder_revision="1"
    )
    rename_library(settings.library_dir, library.name, "Karten")
    back = put_back(settings, bin_of(settings).entries()[0].id)
    assert (back.name, back.title) == ("maps", "Karten-2")
    assert name_of(settings.library_dir, "maps") == "Karten-2"


def test_a_library_whose_name_is_taken_comes_back_beside_it(settings):
    MAKE["library"](settings)
    DELETE["library"](settings, "maps")
    MAKE["library"](settings)
    back = put_back(settings, bin_of(settings).entries()[0].id)
    assert (back.name, back.title) == ("maps-2", "maps-2")
    assert PassageLibrary.names(settings.library_dir) == ["maps", "maps-2"]
    library = PassageLibrary.open(settings.library_dir, "maps-2")
    assert [one.id for one in library.search_text("shelves", 5).passages] == ["a"]
    assert [one.n_brought for one in read_imports(settings.library_dir, "maps-2")] == [1]
    assert bin_of(settings).entries() == []


def test_a_version_of_a_set_keeps_its_number(settings):
    MAKE["set"](settings)
    DELETE["set"](settings, "ants@1")
    assert MAKE["set"](settings) == "ants@2"
    put_back(settings, bin_of(settings).entries()[0].id)
    store = LabelledSetStore(settings.sets_dir)
    assert [one.version for one in store.sets()] == [2, 1]
    assert store.find("set:ants@1").n_passages == 4
    assert len(store.remove("ants")) == 2 and store.sets() == []
    assert MAKE["set"](settings) == "ants@3"


def test_a_model_does_not_come_back_under_a_training_that_will_have_its_name(settings):
    MAKE["model"](settings)
    DELETE["model"](settings, "qs3m/ours")
    JobStore(settings.jobs_dir).save(Job("next", ("train", "qs3m", "--name", "ours")))
    with raises(InUseError, jobs="next", name="qs3m/ours"):
        put_back(settings, bin_of(settings).entries()[0].id)


def test_the_bin_keeps_30_days():
    assert KEPT_SECONDS == 30 * 24 * 60 * 60
