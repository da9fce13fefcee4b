from collections import Counter

import pytest
from many import RECORDS, add_records
from raising import raises

from benchmarks.peak_memory import PeakMemory
from subclust.core.exceptions import LibraryNotFoundError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text import languages
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import catalogue, describe, stamp
from subclust.text.library.counts import COUNTS_FILE
from subclust.text.library.facets import MOST_VALUES, OTHERS, SAMPLE, UNKNOWN


@pytest.fixture
def mixed(empty):
    return add_records(empty)


def test_everything_is_counted_and_what_is_unknown_too(mixed):
    entry = describe(mixed.folder, "books")
    assert entry.n_passages == len(RECORDS)
    assert entry.n_documents == 6, "a:1, a:2, a:3, enwiki:7, and two that only look like parts"
    assert entry.collections == {"a": 4, "w": 4}
    assert entry.languages == {"eng": 2, "ger": 1, UNKNOWN: 5}
    assert entry.years == {"1998": 1, "2001": 3, UNKNOWN: 4}
    assert entry.sources == {"JATS": 2, 'O"Brien \\ Söhne': 1, UNKNOWN: 5}
    for counts in (entry.collections, entry.languages, entry.years, entry.sources):
        assert sum(counts.values()) == entry.n_passages
    assert list(entry.languages)[-1] == UNKNOWN


def test_languages_are_recognised_where_records_say_none(empty):
    german = "Die Bibliothek hat viele Bücher über die Geschichte der Stadt und ihrer Bewohner."
    texts = [german] * 3 + ["The library has many books on the history of the town.", "42"]
    records = [Passage(f"n:{n}", text) for n, text in enumerate(texts)]
    records.append(Passage("said", german, metadata={"language": "lat"}))
    add_records(empty, records)
    entry = describe(empty.folder, "books")
    assert entry.languages == {"lat": 1, UNKNOWN: 5}
    assert entry.recognised == {"ger": 3, "eng": 1, UNKNOWN: 1}
    assert entry.not_known == {}, "nobody knows which languages that encoder knows"


def test_of_many_passages_always_the_same_are_read(empty, monkeypatch):
    read = []
    monkeypatch.setattr(languages, "language_of", lambda text: read.append(text) or "ger")
    records = [Passage(f"n:{n}", f"text {n}") for n in range(SAMPLE + 50)]
    add_records(empty, records)
    assert describe(empty.folder, "books").recognised == {"ger": SAMPLE + 50}
    first, read[:] = sorted(read), []
    empty.discard(["n:0"] if "text 0" not in first else ["n:1"])
    describe(empty.folder, "books")
    assert len(first) == len(set(first)) == SAMPLE
    assert len(set(first) & set(read)) >= SAMPLE - 1


@pytest.mark.parametrize(("name", "found"), [("all-MiniLM-L6-v2", {"ger": 1}), ("e5-small", {})])
def test_what_an_encoder_does_not_know(tmp_path, name, found):
    library = PassageLibrary.create(
        tmp_path, "books", embedding_dim=16, encoder_name=name, encoder_revision="1"
    )
    add_records(library, [RECORDS[0], RECORDS[1]])
    assert describe(tmp_path, "books").not_known == found


def test_encoder_disk_and_indexes(mixed):
    entry = describe(mixed.folder, "books", ("hashing", "hashing-16"))
    assert (entry.encoder_name, entry.encoder_revision) == ("hashing", "hashing-16")
    assert entry.embedding_dim == 16 and entry.is_current is True
    assert describe(mixed.folder, "books", ("hashing", "hashing-64")).is_current is False
    assert describe(mixed.folder, "books").is_current is None
    files = [path for path in (mixed.folder / "books.lance").rglob("*") if path.is_file()]
    files = [path for path in files if path.name != COUNTS_FILE]
    assert entry.n_bytes == sum(path.stat().st_size for path in files) > 0
    assert entry.n_bytes_other == 0 and entry.version == 1 and not entry.can_roll_back
    assert entry.has_text_index and not entry.has_vector_index
    assert entry.written and entry.n_fragments == 1


def test_an_empty_library_has_nothing(empty):
    entry = describe(empty.folder, "books")
    assert (entry.n_passages, entry.n_documents, dict(entry.years)) == (0, 0, {})


def test_libraries_are_listed_and_damaged_ones_say_so(mixed):
    PassageLibrary.create(
        mixed.folder, "broken", embedding_dim=2, encoder_name="e", encoder_revision="1"
    )
    for manifest in (mixed.folder / "broken.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nonsense")
    books, broken = catalogue(mixed.folder)
    assert (books.name, books.problem) == ("books", "")
    assert broken.name == "broken" and "damaged" in broken.problem
    assert isinstance(broken.problem, Message)  # which is said in German, too
    with raises(LibraryNotFoundError, name="absent"):
        describe(mixed.folder, "absent")
    assert catalogue(mixed.folder / "none") == ()


def test_a_stamp_changes_with_each_write_only(mixed):
    before = stamp(mixed.folder, "books")
    assert stamp(mixed.folder, "books") == before
    mixed.discard(["a:1"])
    after = stamp(mixed.folder, "books")
    assert after != before
    add_records(mixed)
    assert stamp(mixed.folder, "books") not in (before, after)
    PassageLibrary.remove(mixed.folder, "books")
    stamp(mixed.folder, "books")


def test_too_many_values_are_counted_together(empty):
    n = MOST_VALUES + 50
    records = [Passage(f"p{i}", "text", metadata={"source": f"s{i}"}) for i in range(n)]
    sources = describe(add_records(empty, records).folder, "books").sources
    assert len(sources) == MOST_VALUES + 1 and sources[OTHERS] == 50


def test_the_counts_are_those_of_a_slow_obvious_loop(empty):
    records = [
        Passage(f"p{i}", f"text {i}", collection=f"c{i % 7}",
                metadata={"year": f"{1900 + i % 50}", "language": ["en", "de", ""][i % 3]})
        for i in range(3000)
    ]  # fmt: skip
    entry = describe(add_records(empty, records).folder, "books")
    assert entry.years == Counter(one.metadata["year"] for one in records)
    codes = {"en": "eng", "de": "ger", "": UNKNOWN}
    assert entry.languages == Counter(codes[one.metadata["language"]] for one in records)
    assert entry.collections == Counter(one.collection for one in records)


@pytest.mark.slow
def test_a_million_passages_are_described_in_flat_memory(tmp_path):
    import numpy as np

    encoder = HashingEncoder(2)
    library = PassageLibrary.create(
        tmp_path, "books", embedding_dim=2, encoder_name="hashing", encoder_revision="hashing-2"
    )
    vectors = np.tile(encoder.encode(["text"]), (50_000, 1))
    highest = []
    for part in range(20):
        records = [
            Passage(f"c:{part}-{i}", f"text {i} " * 20, metadata={"year": str(1900 + i % 100)})
            for i in range(50_000)
        ]
        library.add(records, vectors)
        del records
        if part in (1, 19):
            with PeakMemory() as peak:
                entry = describe(tmp_path, "books")
            assert entry.n_documents == (part + 1) * 50_000
            highest.append(peak.megabytes)
    print(f"\nmegabytes above the beginning, at 100,000 and 1,000,000 passages: {highest}")
    assert highest[1] < 300
