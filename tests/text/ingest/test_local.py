import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import FileFormatError, InputError, LibraryError
from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.ingest.units import encoded_text
from subclust.text.library import PassageLibrary
from subclust.text.sources import Document, Refusal
from subclust.text.sources.opening import open_source


class CountingEncoder(HashingEncoder):
    def __init__(self, embedding_dim=16):
        super().__init__(embedding_dim)
        self.encoded = []

    def _encode(self, texts, query, progress):
        self.encoded += texts
        return super()._encode(texts, query, progress)


class KilledError(Exception):
    """Stands for the process being killed."""


def record(n, text=None, id_=None):
    passage = Passage(id=id_ or f"c:{n}", text=text or f"text number {n}", title=f"Title {n}")
    return Document(str(n), passage.title, (passage,))


@pytest.fixture
def encoder():
    return CountingEncoder()


def balanced(report):
    parts = report.n_imported, report.n_unchanged, report.n_merged, report.n_refused
    return report.n_read == sum(parts)


def test_everything_is_accounted_for(tmp_path, encoder):
    refusal = Refusal("row 3", "It is empty.", "Fill it in.")
    source = [record(1), refusal, record(2), record(1), record(3, "other", "c:2")]
    report = ingest(source, encoder, tmp_path, "mine")
    assert (report.n_read, report.n_imported, report.n_merged) == (5, 3, 1)
    assert balanced(report) and report.refusals == (refusal,)
    assert [one.place for one in report.mendings] == ["record 1", "record 3"]
    library = PassageLibrary.open(tmp_path, "mine")
    assert library.count() == 3
    assert library.get(["c:2"]).passages[0].text == "text number 2"


def test_importing_again_encodes_and_writes_nothing(tmp_path, encoder):
    source = [record(n) for n in range(10)]
    ingest(source, encoder, tmp_path, "mine", batch_size=4)
    encoder.encoded.clear()
    report = ingest(source, encoder, tmp_path, "mine")
    assert (report.n_imported, report.n_unchanged) == (0, 10)
    assert encoder.encoded == []


def test_only_what_changed_is_imported(tmp_path, encoder):
    ingest([record(n) for n in range(4)], encoder, tmp_path, "mine")
    changed = record(1)
    passage = replace(changed.passages[0], metadata={"year": "1999"})
    report = ingest(
        [record(0), replace(changed, passages=(passage,)), record(2, "new words"), record(9)],
        encoder,
        tmp_path,
        "mine",
    )
    assert (report.n_imported, report.n_unchanged) == (3, 1)
    library = PassageLibrary.open(tmp_path, "mine")
    assert library.get(["c:1"]).passages[0].metadata == {"year": "1999"}
    assert library.get(["c:2"]).passages[0].text == "new words"
    assert library.count() == 5


def test_a_killed_import_goes_on_where_it_was(tmp_path, encoder):
    def dying():
        for n in range(25):
            if n == 17:
                raise KilledError
            yield record(n)

    with pytest.raises(KilledError):
        ingest(dying(), encoder, tmp_path, "mine", batch_size=5)
    assert PassageLibrary.open(tmp_path, "mine").count() == 15
    encoder.encoded.clear()
    report = ingest([record(n) for n in range(25)], encoder, tmp_path, "mine", batch_size=5)
    assert (report.n_imported, report.n_unchanged) == (10, 15)
    assert len(encoder.encoded) == 10
    assert PassageLibrary.open(tmp_path, "mine").count() == 25


def test_progress_comes_to_the_end(tmp_path, encoder):
    told = []
    source = [record(n) for n in range(25)]
    ingest(
        source,
        encoder,
        tmp_path,
        "a",
        batch_size=10,
        n_passages=25,
        progress=lambda *a: told.append(a),
    )
    assert told == [(10, 25), (20, 25), (25, 25)]
    told.clear()
    ingest(source, encoder, tmp_path, "b", batch_size=10, progress=lambda *a: told.append(a))
    assert told == [(10, None), (20, None), (25, 25)]


def test_progress_by_the_estimate_of_the_source(tmp_path, encoder):
    path = tmp_path / "many.jsonl"
    passages = [{"text": f"passage {n}"} for n in range(5)]
    path.write_text(
        "".join(
            json.dumps(
                {"query": f"q{q}", "passages": [{"text": f"{p['text']} of {q}"} for p in passages]}
            )
            + "\n"
            for q in range(8)
        )
    )
    told = []
    ingest(
        open_source(path), encoder, tmp_path, "a", batch_size=10, progress=lambda *a: told.append(a)
    )
    assert told == [(10, 40), (20, 40), (30, 40), (40, 40), (40, 40)]


def test_records_are_encoded_with_their_title_and_articles_without():
    one = record(1)
    assert encoded_text(one.passages, one.passages[0]) == "Title 1. text number 1"
    article = Document("a", "A", (Passage("1", "x", "A"), Passage("2", "y", "A")))
    assert [encoded_text(article.passages, p) for p in article.passages] == ["x", "y"]
    alone = Document("a", "A", (Passage("1", "A", "A"),))
    assert encoded_text(alone.passages, alone.passages[0]) == "A"


def test_the_vectors_of_the_library_are_those_of_the_encoded_texts(tmp_path, encoder):
    ingest([record(n) for n in range(7)], encoder, tmp_path, "mine", batch_size=3)
    found = PassageLibrary.open(tmp_path, "mine").passages()
    texts = [f"{p.title}. {p.text}" for p in found.passages]
    np.testing.assert_allclose(found.embeddings, encoder.encode(texts), atol=1e-6)


@pytest.mark.parametrize("ids", [("q#1", "q#2"), ("q#4", "r")], ids=["one record", "each its own"])
def test_passages_of_one_document_are_encoded_without_its_title(tmp_path, encoder, ids):
    article = Document("q", "A", tuple(Passage(id_, f"text {id_}", "A") for id_ in ids))
    ingest([article], encoder, tmp_path, "mine")
    found = PassageLibrary.open(tmp_path, "mine").passages()
    texts = [passage.text for passage in found.passages]
    np.testing.assert_allclose(found.embeddings, encoder.encode(texts), atol=1e-6)


def test_a_file_that_cannot_be_read_leaves_no_library(tmp_path, encoder):
    path = tmp_path / "bad.csv"
    path.write_text("year,pages\n1,2\n")
    with pytest.raises(FileFormatError):
        ingest(open_source(path), encoder, tmp_path, "mine")
    assert PassageLibrary.names(tmp_path) == []


def test_another_encoder_is_refused_before_anything_is_encoded(tmp_path, encoder):
    ingest([record(1)], encoder, tmp_path, "mine")
    other = CountingEncoder(32)
    with raises(LibraryError, name="mine", encoder="hashing", other="hashing"):
        ingest([record(2)], other, tmp_path, "mine")
    assert other.encoded == []


@pytest.mark.parametrize("name", ["../out", "a b"])
def test_bad_names_are_refused(tmp_path, encoder, name):
    with raises(InputError, name=name):
        ingest([record(1)], encoder, tmp_path, name)


def test_a_batch_of_nothing_is_refused(tmp_path, encoder):
    with raises(InputError, batch_size=0):
        ingest([record(1)], encoder, tmp_path, "mine", batch_size=0)


def test_two_files_that_both_count_from_1_live_side_by_side(tmp_path, encoder):
    for name, text in [("a", "maps"), ("b", "books")]:
        path = tmp_path / f"{name}.jsonl.gz"
        path.write_bytes(gzip.compress(json.dumps({"id": 1, "text": text}).encode()))
        ingest(open_source(path), encoder, tmp_path, "mine")
    library = PassageLibrary.open(tmp_path, "mine")
    assert library.collections() == {"a": 1, "b": 1}
    assert library.search_text("maps", 5).passages[0].id == "a:1"
