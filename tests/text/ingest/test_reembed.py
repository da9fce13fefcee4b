"""A library embedded anew while it is read and written to, and back."""

import threading

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import EncoderError, InputError, LibraryError, LibraryNotFoundError
from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.reembed import EncodedTexts, reembed, roll_back
from subclust.text.ingest.units import encoded_text
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import describe
from subclust.text.library.versions import forget, versions
from subclust.text.sources.base import Document

OLD, NEW, THIRD = HashingEncoder(16), HashingEncoder(24), HashingEncoder(32)


def records(start, stop, mark=""):
    return [
        Document(
            f"d{n}", f"Title {n}", (Passage(f"p{n}", f"text number {n} {mark}", f"Title {n}"),)
        )
        for n in range(start, stop)
    ]


def add(folder, documents, encoder=OLD):
    return ingest(documents, encoder, folder, "books", find_near_duplicates=False)


def check(folder, encoder, n_passages):
    """Hold every vector of the library to the encoder's of what an import would encode."""
    library = PassageLibrary.open(folder, "books")
    found = library.passages()
    assert len(found) == n_passages == library.count()
    texts = [f"{one.title}. {one.text}" for one in found.passages]
    np.testing.assert_allclose(found.embeddings, encoder.encode(texts), atol=1e-6)
    assert (library.encoder_name, library.encoder_revision) == (encoder.name, encoder.revision)
    assert len(library.search_text("text", 10_000)) == n_passages
    best = library.search_vector(encoder.encode(["Title 7. text number 7 "])[0], 1)
    assert best.passages[0].id == "p7"
    return library


@pytest.fixture
def folder(tmp_path):
    add(tmp_path, records(0, 60))
    return tmp_path


class Meddling(HashingEncoder):
    """Does something at its n-th call, in another thread as another process would."""

    def __init__(self, dim, at, what):
        super().__init__(dim)
        self.at, self.what, self.n_texts = at, what, 0

    def _encode(self, texts, query, progress):
        self.at -= 1
        if self.at == 0:
            other = threading.Thread(target=self.what)
            other.start()
            other.join()
        self.n_texts += len(texts)
        return super()._encode(texts, query, progress)


def test_another_encoder_and_back(folder):
    reader = PassageLibrary.open(folder, "books")
    before = reader.revision()
    told = []
    report = reembed(folder, "books", NEW, progress=lambda *given: told.append(given))
    assert (report.version, report.n_encoded, report.n_passages, report.switched) == (
        2, 60, 60, True,
    )  # fmt: skip
    assert told[-1] == (60, 60)
    check(folder, NEW, 60)
    # Who had it open goes on with the vectors and the encoder that he has.
    assert reader.revision() == before and reader.embedding_dim == 16
    assert len(reader.search_vector(OLD.encode(["text"])[0], 100)) == 60
    assert [(v.number, v.state) for v in versions(folder, "books")] == [
        (1, "previous"), (2, "in use"),
    ]  # fmt: skip
    entry = describe(folder, "books", (NEW.name, NEW.revision))
    assert entry.is_current and entry.can_roll_back and entry.version == 2
    assert entry.n_bytes_other > 0 and PassageLibrary.names(folder) == ["books"]

    back = roll_back(folder, "books", lambda name: pytest.fail("no encoder is needed"))
    assert (back.version, back.n_encoded, back.switched) == (1, 0, True)
    assert check(folder, OLD, 60).revision() == before
    forth = reembed(folder, "books", NEW)
    assert (forth.version, forth.n_encoded, forth.n_reused) == (2, 0, 60)
    check(folder, NEW, 60)


def test_the_same_encoder_changes_nothing(folder):
    report = reembed(folder, "books", OLD)
    assert not report.switched and report.version == 1
    assert [v.number for v in versions(folder, "books")] == [1]


def test_a_third_encoder_takes_the_oldest_version_away(folder):
    reembed(folder, "books", NEW)
    reembed(folder, "books", THIRD)
    check(folder, THIRD, 60)
    assert [v.number for v in versions(folder, "books")] == [2, 3]
    tables = sorted(path.name for path in folder.glob("*.lance"))
    assert tables == ["books.2.lance", "books.3.lance"]
    assert PassageLibrary.names(folder) == ["books"]
    assert not list(folder.glob(".gone-*"))
    PassageLibrary.remove(folder, "books")
    assert PassageLibrary.names(folder) == [] and not list(folder.glob("*.lance"))
    add(folder, records(0, 8))
    check(folder, OLD, 8)


def test_what_is_written_meanwhile_is_in_the_new_version(folder, monkeypatch):
    def write():
        add(folder, records(60, 75))  # new
        add(folder, records(0, 5, "changed"))
        PassageLibrary.open(folder, "books").discard(["p50", "p51"])

    encoder = Meddling(24, 1, write)
    report = reembed(folder, "books", encoder)
    assert report.n_encoded == 60 + 15 + 5
    library = check(folder, NEW, 73)
    assert library.get(["p3"]).passages[0].text.endswith("changed")


def test_a_writer_who_began_before_the_switch_is_told_and_loses_nothing(folder):
    writer = PassageLibrary.open(folder, "books")
    reembed(folder, "books", NEW)
    passage = Passage("late", "text")
    for write in (
        lambda: writer.add([passage], OLD.encode(["text"])),
        lambda: writer.discard(["p1"]),
        lambda: writer.optimize(),
    ):
        with raises(LibraryError, name="books"):
            write()
    check(folder, NEW, 60)


def test_going_back_keeps_what_came_in_since(folder):
    reembed(folder, "books", NEW)
    add(folder, records(60, 70), NEW)
    PassageLibrary.open(folder, "books").discard(["p0", "p1"])
    asked = []

    def load(name):
        asked.append(name)
        return OLD

    report = roll_back(folder, "books", load)
    assert (report.n_encoded, asked) == (10, ["hashing"])
    check(folder, OLD, 68)


def test_going_back_needs_a_version_and_sometimes_its_encoder(folder):
    with raises(LibraryError, name="books"):
        roll_back(folder, "books", lambda name: OLD)
    reembed(folder, "books", NEW)
    add(folder, records(60, 61), NEW)
    with raises(LibraryError, name="books", encoder="hashing", wanted="hashing-16"):
        roll_back(folder, "books", lambda name: THIRD)

    def missing(name):
        raise EncoderError("It is gone.")

    with pytest.raises(EncoderError):
        roll_back(folder, "books", missing)
    check(folder, NEW, 61)


def test_a_run_that_failed_goes_on_and_another_encoder_begins_anew(folder):
    add(folder, records(60, 1200))

    def stop():
        raise RuntimeError("stopped")

    failing = Meddling(24, 2, lambda: None)
    failing._encode = lambda *given, inner=failing._encode: (
        stop() if failing.n_texts else inner(*given)
    )
    with pytest.raises(RuntimeError):
        reembed(folder, "books", failing)
    n_done = failing.n_texts
    assert 0 < n_done < 1200
    check(folder, OLD, 1200)
    assert [v.state for v in versions(folder, "books")] == ["in use", "being built"]
    report = reembed(folder, "books", NEW)
    assert (report.n_encoded, report.n_reused) == (1200 - n_done, n_done)
    check(folder, NEW, 1200)
    failing.n_texts = 0
    back = Meddling(16, 1, lambda: None)
    assert reembed(folder, "books", back).n_encoded == 0, "the version before is used again"


def test_one_at_a_time(folder):
    sentences = []

    def again():
        for act in (
            lambda: reembed(folder, "books", THIRD),
            lambda: roll_back(folder, "books", lambda name: OLD),
            lambda: forget(folder, "books", 2),
        ):
            with raises(LibraryError, name="books") as told:
                act()
            sentences.append(str(told.value))

    reembed(folder, "books", Meddling(24, 1, again))
    assert len(sentences) == 3


def test_a_library_that_is_removed_meanwhile(folder):
    encoder = Meddling(24, 1, lambda: PassageLibrary.remove(folder, "books"))
    with pytest.raises(LibraryNotFoundError):
        reembed(folder, "books", encoder)
    assert PassageLibrary.names(folder) == []
    with pytest.raises(LibraryNotFoundError):
        reembed(folder, "absent", NEW)
    with pytest.raises(InputError):
        reembed(folder, "../x", NEW)


def test_a_version_that_is_not_in_use_can_be_forgotten(folder):
    reembed(folder, "books", NEW)
    with raises(InputError, number=2, name="books"):
        forget(folder, "books", 2)
    with raises(InputError, name="books", number=5, there="1, 2"):
        forget(folder, "books", 5)
    forget(folder, "books", 1)
    assert [v.number for v in versions(folder, "books")] == [2]
    check(folder, NEW, 60)
    with raises(LibraryError, name="books"):
        roll_back(folder, "books", lambda name: OLD)


def test_a_damaged_pointer_says_so_and_the_library_can_be_removed(folder):
    reembed(folder, "books", NEW)
    (folder / ".books.versions.json").write_text("{")
    assert PassageLibrary.names(folder) == ["books"]
    with raises(LibraryError, name="books"):
        PassageLibrary.open(folder, "books")
    PassageLibrary.remove(folder, "books")
    add(folder, records(0, 8))
    check(folder, OLD, 8)


def test_searches_are_answered_all_along(folder):
    over, wrong, dims = threading.Event(), [], set()

    def search():
        try:
            while not over.is_set():
                library = PassageLibrary.open(folder, "books")
                encoder = HashingEncoder(library.embedding_dim)
                hits = library.search_vector(encoder.encode(["Title 7. text number 7 "])[0], 5)
                assert len(hits) == 5 and hits.passages[0].id == "p7"
                assert len(library.search_text("text", 100)) == 60
                dims.add(library.embedding_dim)
        except BaseException as error:
            wrong.append(error)
            raise

    readers = [threading.Thread(target=search) for _ in range(3)]
    for reader in readers:
        reader.start()
    reembed(folder, "books", NEW)
    for _ in range(4):
        roll_back(folder, "books", lambda name: OLD)
    over.set()
    for reader in readers:
        reader.join()
    assert not wrong and dims <= {16, 24}


def test_what_is_encoded_is_what_an_import_encodes(tmp_path):
    meta = {"year": "2000"}
    documents = [
        Document("r1", "Editorial", (Passage("c:r1", "one", "Editorial", "c", metadata=meta),)),
        Document("r2", "Editorial", (Passage("c:r2", "two", "Editorial", "c", metadata=meta),)),
        Document("r3", "Same", (Passage("c:r3", "Same", "Same", "c"),)),
        Document("r4", "", (Passage("c:r4", "no title", "", "c"),)),
        Document("long", "Long", tuple(
            Passage(f"c:long#{n}", f"part {n}", "Long", "c", metadata={"position": str(n)})
            for n in (1, 2)
        )),
        Document("w", "Article", (Passage("enwiki:1#0", "alone", "Article", "w", "L"),)),
        Document("q", "a query", tuple(
            Passage(f"c:q{n}", f"hit {n}", "a query", "c", f"label {n}") for n in (1, 2)
        )),
        Document("l", "Titled", (Passage("c:l", "labelled", "Titled", "c", "l", "l", meta),)),
    ]  # fmt: skip
    ingest(documents, OLD, tmp_path, "books", find_near_duplicates=False)
    library = PassageLibrary.open(tmp_path, "books")
    texts = EncodedTexts(library)
    stored = {one.id: one for one in library.passages().passages}
    for document in documents:
        for passage in document.passages:
            assert texts.of(stored[passage.id]) == encoded_text(document.passages, passage)
