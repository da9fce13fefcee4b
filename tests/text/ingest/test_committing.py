"""Shares of files, in whatever order they are done, make the library that one process makes."""

import pytest
from one_process import shares_here
from raising import raises
from shared_files import BATCH_SIZE, alone, make_files, record, same, told, write

from subclust.core.exceptions import FileFormatError, LibraryError
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.committing import ingest_shared
from subclust.text.ingest.shares import BlockWriter, ImportedFile, read_shares
from subclust.text.library import PassageLibrary


class KilledError(Exception):
    """Stands for the process being killed."""


@pytest.fixture
def files(tmp_path):
    return make_files(tmp_path)


def shared(files, encoder, folder, name="shared", engine=None, **options):
    engine = engine or (lambda work: shares_here(work, lambda: encoder))
    options = {"batch_size": BATCH_SIZE, "commit_rows": 20, **options}
    return ingest_shared(files, encoder, folder, name, engine, **options)


def backwards(encoder):
    """Make an engine whose workers are done in the opposite order, some of them twice."""

    def engine(work):
        writer = BlockWriter(work, lambda: encoder)
        shares = [share for file in range(len(work.files)) for share in read_shares(work, file)]
        for share in reversed([*shares, *shares[::3]]):
            yield writer.write(share)

    return engine


@pytest.mark.parametrize("commit_rows", [1, 20, 10_000])
def test_the_library_and_the_reports_are_those_of_one_process(
    tmp_path, encoder, files, commit_rows
):
    expected = alone(files, encoder, tmp_path)
    assert [report.n_refused for report in expected] == [1, 0, 0]
    assert [report.n_merged for report in expected] == [2, 0, 0]
    assert expected[1].n_unchanged and expected[2].near_duplicates.n_groups
    reports = shared(files, encoder, tmp_path, commit_rows=commit_rows)
    assert told(reports) == told(expected)
    same(tmp_path)
    assert not list(tmp_path.glob(".*.blocks"))


def test_the_order_in_which_workers_end_does_not_matter(tmp_path, encoder, files):
    expected = alone(files, encoder, tmp_path)
    assert told(shared(files, encoder, tmp_path, engine=backwards(encoder))) == told(expected)
    same(tmp_path)


def test_what_is_there_is_neither_encoded_nor_written_again(tmp_path, encoder, files):
    alone(files[:1], encoder, tmp_path, "shared")
    before = PassageLibrary.open(tmp_path, "shared").table.version

    def engine(work):
        for share in shares_here(work, lambda: encoder):
            assert not share.block
            yield share

    (report,) = shared(files[:1], encoder, tmp_path, engine=engine)
    assert (report.n_imported, report.n_unchanged, report.n_refused) == (0, 37, 1)
    assert PassageLibrary.open(tmp_path, "shared").table.version == before


def test_a_passage_that_an_earlier_file_replaced_is_put_back(tmp_path, encoder, files):
    for name, imported in (("alone", alone), ("shared", shared)):
        imported((files[0],), encoder, tmp_path, name)
        other = write(tmp_path / "other.jsonl", [record(1, "another text"), record(200)])
        rows = (ImportedFile(other, collection="papers"), files[0], files[1])
        reports = told(imported(rows, encoder, tmp_path, name))
        if name == "alone":
            expected = reports
    assert expected[1].n_imported == 1
    assert reports == expected
    same(tmp_path)


@pytest.mark.parametrize("survived", [1, 5, 11])
def test_an_import_that_was_killed_goes_on(tmp_path, encoder, files, survived):
    alone(files, encoder, tmp_path)
    encoded = []

    class Counting(HashingEncoder):
        def _encode(self, texts, query, progress):
            encoded.extend(texts)
            return super()._encode(texts, query, progress)

    counting = Counting(encoder.embedding_dim)

    def dying(work):
        for number, share in enumerate(shares_here(work, lambda: counting)):
            if number == survived:
                raise KilledError
            yield share

    with pytest.raises(KilledError):
        shared(files, counting, tmp_path, engine=dying, commit_rows=14)
    shared(files, counting, tmp_path, commit_rows=14)
    same(tmp_path)
    rows = PassageLibrary.open(tmp_path, "shared").table.to_arrow().column("id").to_pylist()
    assert len(rows) == len(set(rows))
    assert len(encoded) <= len(rows) + 3 * BATCH_SIZE


def test_another_import_in_between_is_seen(tmp_path, encoder, files):
    alone((*files[1:], files[0]), encoder, tmp_path)

    def disturbed(work):
        for number, share in enumerate(shares_here(work, lambda: encoder)):
            if number == 4:
                alone(files[1:], encoder, tmp_path, "shared")
            yield share

    shared(files[:1], encoder, tmp_path, engine=disturbed, commit_rows=7)
    rows = PassageLibrary.open(tmp_path, "shared").table.to_arrow().column("id").to_pylist()
    assert len(rows) == len(set(rows))


def test_a_file_that_cannot_be_read_ends_it_after_those_before(tmp_path, encoder, files):
    broken = ImportedFile(tmp_path / "none.jsonl")
    with raises(FileFormatError):
        shared((files[0], broken), encoder, tmp_path)
    assert PassageLibrary.open(tmp_path, "shared").count() == 37


def test_the_encoder_of_the_library_is_insisted_on(tmp_path, encoder, files):
    shared(files[:1], encoder, tmp_path)
    with raises(LibraryError, name="shared", encoder="hashing", same="shared"):
        shared(files[:1], HashingEncoder(8), tmp_path)
