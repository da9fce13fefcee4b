"""Passages that a filter takes out of a library lie in the bin, and come back as they were."""

import numpy as np
import pytest
from made_library import make_library
from raising import raises

from subclust.core.exceptions import BinError, InputError, LibraryError, LibraryNotFoundError
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.deleting.removal import (
    bin_of,
    delete_library,
    delete_passages,
    put_back,
    take_back_import,
)
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.library import PassageLibrary
from subclust.text.library.browse import PassageFilter
from subclust.text.library.imports import ImportLog, read_imports
from subclust.text.sources import Document

TEXTS = [f"{word} about libraries, number {n}" for n in range(6) for word in ("maps", "books")]
PASSAGES = [
    Passage(id=f"a:{n}", text=text, title=text, collection="old" if n < 4 else "new", label=None)
    for n, text in enumerate(TEXTS)
]
OLD = PassageFilter(collection="old")


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path)


def made(settings, encoder=None, passages=PASSAGES):
    return make_library(settings.library_dir, encoder or HashingEncoder(), passages, "mine")


def imported(settings, passages):
    """Import passages as a file of their own."""
    documents = [Document(one.id, one.title, (one,)) for one in passages]
    path = settings.data_dir / "file.csv"
    path.touch()
    with ImportLog(settings.library_dir, "mine", [path]) as log:
        ingest(documents, HashingEncoder(), settings.library_dir, "mine", log=log)


def test_deleted_passages_come_back_as_they_were(settings):
    library = made(settings)
    before = library.passages()
    assert delete_passages(settings, "mine", OLD) == 4
    assert library.count() == 8 and library.collections() == {"new": 8}
    (entry,) = bin_of(settings).entries()
    assert (entry.kind, entry.name, entry.title) == ("passages", "mine", "mine (4)")
    put_back(settings, entry.id)
    after = library.passages()
    assert after.passages == before.passages
    assert np.array_equal(after.embeddings, before.embeddings)
    assert bin_of(settings).entries() == []


def test_what_has_come_in_again_meanwhile_stays_as_it_is(settings):
    library = made(settings)
    delete_passages(settings, "mine", OLD)
    newer = Passage(id="a:0", text="newer", title="newer", collection="old", label=None)
    library.add([newer], HashingEncoder().encode(["newer"]))
    put_back(settings, bin_of(settings).entries()[0].id)
    assert library.count() == 12
    assert library.get(["a:0"]).passages[0].text == "newer"


def test_a_filter_that_means_nothing_deletes_nothing(settings):
    library = made(settings)
    assert delete_passages(settings, "mine", PassageFilter(words="zebra")) == 0
    for which in (PassageFilter(), PassageFilter(words="  ")):
        with raises(InputError, name="mine"):
            delete_passages(settings, "mine", which)
    assert library.count() == 12 and bin_of(settings).entries() == []


def test_what_cannot_be_deleted_is_not_in_the_bin(settings, monkeypatch):
    library = made(settings)

    def refuse(self, ids):
        raise LibraryError("in use")

    monkeypatch.setattr(PassageLibrary, "discard", refuse)
    with pytest.raises(LibraryError):
        delete_passages(settings, "mine", OLD)
    assert library.count() == 12 and bin_of(settings).entries() == []


def test_what_an_import_brought_lies_in_the_bin_when_it_is_taken_back(settings):
    library = made(settings, passages=PASSAGES[:4])
    imported(settings, PASSAGES[2:])
    (entry,) = read_imports(settings.library_dir, "mine")
    assert take_back_import(settings, "mine", entry.id) == 8
    assert library.count() == 4
    (deleted,) = bin_of(settings).entries("passages")
    put_back(settings, deleted.id)
    assert library.count() == 12


def test_a_library_that_an_import_made_goes_to_the_bin_with_it(settings):
    imported(settings, PASSAGES)
    (entry,) = read_imports(settings.library_dir, "mine")
    assert take_back_import(settings, "mine", entry.id) == 12
    assert PassageLibrary.names(settings.library_dir) == []
    (deleted,) = bin_of(settings).entries()
    put_back(settings, deleted.id)
    assert PassageLibrary.open(settings.library_dir, "mine").count() == 12
    assert [one.id for one in read_imports(settings.library_dir, "mine")] == [entry.id]


def test_an_import_that_cannot_be_taken_back_leaves_the_bin_empty(settings):
    made(settings, passages=PASSAGES[:4])
    with pytest.raises(InputError):
        take_back_import(settings, "mine", "none")
    assert bin_of(settings).entries() == []


def test_they_come_back_only_to_a_library_that_is_there_and_of_the_same_encoder(settings):
    made(settings)
    delete_passages(settings, "mine", OLD)
    (entry,) = bin_of(settings).entries("passages")
    delete_library(settings, "mine")
    with pytest.raises(LibraryNotFoundError):
        put_back(settings, entry.id)
    made(settings, HashingEncoder(24), PASSAGES[:1])
    with raises(BinError, library="mine"):
        put_back(settings, entry.id)
    assert bin_of(settings).entries("passages") == [entry]
