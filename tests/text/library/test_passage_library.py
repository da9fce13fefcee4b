from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError
from subclust.text.library import PassageLibrary
from subclust.text.library.folder import lock_file


def make(folder: Path, name: str = "books") -> PassageLibrary:
    return PassageLibrary.create(
        folder, name, embedding_dim=16, encoder_name="hashing", encoder_revision="r1"
    )


def test_what_goes_in_comes_out(library, passages, embed):
    found = library.get([p.id for p in passages])
    assert found.passages == tuple(passages)
    assert [p.metadata for p in found.passages] == [p.metadata for p in passages]
    np.testing.assert_array_equal(found.embeddings, embed(passages))
    assert found.embeddings.dtype == np.float32
    assert library.count() == len(passages)


def test_it_is_the_same_after_opening_again(library, passages):
    again = PassageLibrary.open(library.folder, library.name)
    assert (again.encoder_name, again.encoder_revision) == ("hashing", "hashing-16")
    assert again.embedding_dim == 16
    assert again.passages().passages == tuple(passages)


def test_adding_twice_changes_nothing(library, passages, embed):
    before = library.fingerprints()
    library.add(passages, embed(passages))
    library.optimize()
    assert library.fingerprints() == before
    assert library.count() == len(passages)


def test_a_passage_of_the_same_id_replaces_the_old_one(library, passages, embed):
    new = replace(passages[2], text="Zebras have stripes.")
    library.add([new], embed([new]))
    assert library.count() == len(passages)
    assert library.get(["p2"]).passages == (new,)
    assert [p.id for p in library.search_text("zebra", 5).passages] == ["p2"]
    assert "p2" not in [p.id for p in library.search_text("termites tongue", 5).passages]


def test_of_an_id_given_twice_the_last_counts(empty, passages, embed):
    twice = [passages[0], replace(passages[0], text="Later words.")]
    empty.add(twice, embed(twice))
    assert [p.text for p in empty.passages().passages] == ["Later words."]


def test_adding_nothing_is_allowed(empty):
    empty.add([], np.zeros((0, 16), np.float32))
    assert empty.count() == 0
    assert len(empty.passages()) == 0
    assert empty.passages().embeddings.shape == (0, 16)


@pytest.mark.parametrize(
    "broken",
    [np.zeros((6, 15)), np.zeros((5, 16)), np.full((6, 16), np.nan), np.full((6, 16), 3.0)],
)
def test_embeddings_that_do_not_fit_are_refused_whole(empty, passages, broken):
    with pytest.raises(InputError):
        empty.add(passages, broken)
    assert empty.count() == 0


def test_ids_come_in_the_order_asked_for_and_a_missing_one_is_named(library):
    assert [p.id for p in library.get(["p3", "p1", "p3"]).passages] == ["p3", "p1", "p3"]
    assert len(library.get([])) == 0
    with raises(InputError, id="no-such", name="books"):
        library.get(["p1", "no-such"])


def test_discard(library):
    library.discard(["p0", "it's not there"])
    assert library.count() == 5
    assert "p0" not in library.fingerprints()


def test_counts_by_collection_and_article(library):
    assert library.collections() == {"even": 3, "odd": 3}
    assert library.articles() == {"Animals & 'books'": 5, "The war": 1}
    assert [p.id for p in library.passages(collection="odd").passages] == ["p1", "p3", "p5"]


def test_names_and_removal(tmp_path):
    assert PassageLibrary.names(tmp_path / "none") == []
    make(tmp_path, "b")
    make(tmp_path, "a-1")
    (tmp_path / "half.lance").mkdir()
    assert PassageLibrary.names(tmp_path) == ["a-1", "b"]
    PassageLibrary.remove(tmp_path, "b")
    assert PassageLibrary.names(tmp_path) == ["a-1"]
    with pytest.raises(LibraryNotFoundError):
        PassageLibrary.remove(tmp_path, "b")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "a b", ".hidden", "x" * 65, "a\n", "é"])
def test_names_that_could_leave_the_folder_are_refused(tmp_path, name):
    with raises(InputError, name=name):
        make(tmp_path, name)
    with raises(InputError, name=name):
        PassageLibrary.open(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_says_what_to_do(tmp_path):
    with pytest.raises(LibraryNotFoundError, match="subclust demo"):
        PassageLibrary.open(tmp_path, "demo")
    with raises(LibraryNotFoundError, name="mine"):
        PassageLibrary.open(tmp_path, "mine")
    make(tmp_path, "other")
    with raises(LibraryNotFoundError, name="mine", there="other", same="mine"):
        PassageLibrary.open(tmp_path, "mine")


def test_a_second_library_of_the_same_name_is_refused(tmp_path):
    make(tmp_path)
    with raises(LibraryError, name="books"):
        make(tmp_path)


def test_half_a_creation_can_be_done_again(tmp_path):
    (tmp_path / "books.lance" / "data").mkdir(parents=True)
    assert make(tmp_path).count() == 0


def test_a_damaged_library_says_so(library):
    for manifest in (library.folder / "books.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nonsense")
    with raises(LibraryError, name="books"):
        PassageLibrary.open(library.folder, "books")


def test_a_table_of_somebody_else_is_refused(tmp_path):
    import lancedb

    lancedb.connect(tmp_path).create_table("theirs", [{"id": "1", "text": "a"}])
    with raises(LibraryError, name="theirs", expected="1", layout="unknown"):
        PassageLibrary.open(tmp_path, "theirs")


def test_another_encoder_is_refused_with_both_named(library):
    library.check_encoder("hashing", "hashing-16")
    with raises(LibraryError, encoder="hashing", other="hashing", revision="hashing-16"):
        library.check_encoder("hashing", "hashing-32")
    with raises(LibraryError, name="books", other="other", same="books"):
        library.check_encoder("other", "hashing-16")


def test_a_writer_that_cannot_have_the_lock_says_so(library, passages, embed, monkeypatch):
    from filelock import FileLock

    monkeypatch.setattr("subclust.text.library.add.LOCK_TIMEOUT", 0.05)
    with (
        FileLock(lock_file(library.folder, "books")),
        raises(LibraryError, name="books"),
    ):
        library.add(passages, embed(passages))
    assert library.count() == 6


def test_a_commit_conflict_is_tried_again(library, passages, embed, monkeypatch):
    from subclust.text.library import add

    monkeypatch.setattr(add, "_FIRST_PAUSE", 0.0)
    calls = []

    class Conflicting:
        def __init__(self, table):
            self.table = table

        def __getattr__(self, name):
            return getattr(self.table, name)

        def merge_insert(self, on):
            calls.append(on)
            if len(calls) < 3:
                raise RuntimeError("Commit conflict for version 7")
            return self.table.merge_insert(on)

    library.table = Conflicting(library.table)
    new = replace(passages[0], id="new")
    library.add([new], embed([new]))
    assert len(calls) == 3
    assert library.count() == 7
