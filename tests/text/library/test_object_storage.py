"""A library in object storage, in an S3 server of this process."""

import json

import boto3
import numpy as np
import pytest
from one_process import shares_here
from raising import raises
from storage_server import place_in, storage_server

from subclust.core.exceptions import LibraryError, LibraryNotFoundError, SettingsError
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.core.storage import StoragePath, storage_path
from subclust.text.ingest import ingest
from subclust.text.ingest.committing import ingest_shared
from subclust.text.ingest.reembed import reembed
from subclust.text.ingest.shares import ImportedFile
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import back_up, restore
from subclust.text.library.catalogue import catalogue, stamp
from subclust.text.library.versions import versions
from subclust.text.retrieval import Retriever
from subclust.text.sources.opening import open_source

pytestmark = [
    pytest.mark.app,  # waits for processes
    # boto3 says so of the Python it runs on.
    pytest.mark.filterwarnings("ignore::boto3.exceptions.PythonDeprecationWarning"),
    pytest.mark.filterwarnings("ignore:datetime.datetime.utcnow:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:table_names:DeprecationWarning"),
]


@pytest.fixture(scope="module")
def server():
    with storage_server() as address:
        yield address


@pytest.fixture
def folder(server, monkeypatch):
    return place_in(server, monkeypatch)


@pytest.fixture
def file(tmp_path):
    rows = [
        {"id": str(n), "title": f"Title {n}", "text": f"{'ants' if n % 2 else 'maps'} number {n}"}
        for n in range(60)
    ]
    rows[7] = rows[6]
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def shared(file, encoder, folder, name="mine", **options):
    (report,) = ingest_shared(
        (ImportedFile(file),),
        encoder,
        folder,
        name,
        lambda work: shares_here(work, lambda: encoder),
        batch_size=16,
        **options,
    )
    return report


def test_it_is_the_library_of_a_disk(folder, tmp_path, encoder, file):
    expected = ingest(open_source(file), encoder, tmp_path, "mine", batch_size=16)
    report = shared(file, encoder, folder, commit_rows=20)
    assert report.to_dict() | {"seconds": 0} == expected.to_dict() | {"seconds": 0}
    on_disk, stored = PassageLibrary.open(tmp_path, "mine"), PassageLibrary.open(folder, "mine")
    assert stored.passages().passages == on_disk.passages().passages
    np.testing.assert_allclose(
        stored.passages().embeddings, on_disk.passages().embeddings, atol=1e-3
    )
    assert stored.revision() == on_disk.revision()
    for query in ("ants", "number 12", "Title"):
        found = [
            [(hit.passage.id, round(hit.score, 5)) for hit in ranking.hits]
            for library in (on_disk, stored)
            for ranking in [Retriever(library, encoder).search(Query(query), 10)]
        ]
        assert found[0] == found[1] and found[0]
    keys = boto3.client("s3").list_objects_v2(Bucket=folder.parts[1])["Contents"]
    assert not [one["Key"] for one in keys if ".blocks" in one["Key"]]


def test_an_import_goes_on_and_nothing_is_doubled(folder, encoder, file):
    def dying(work):
        for number, share in enumerate(shares_here(work, lambda: encoder)):
            if number == 3:
                raise KeyboardInterrupt
            yield share

    with pytest.raises(KeyboardInterrupt):
        ingest_shared(
            (ImportedFile(file),), encoder, folder, "mine", dying, batch_size=10, commit_rows=10
        )
    assert PassageLibrary.open(folder, "mine").count() == 30
    report = shared(file, encoder, folder)
    assert (report.n_imported, report.n_unchanged, report.n_merged) == (29, 30, 1)
    ids = PassageLibrary.open(folder, "mine").table.to_arrow().column("id").to_pylist()
    assert len(ids) == len(set(ids)) == 59


def test_it_is_listed_backed_up_and_restored_to_a_disk(folder, tmp_path, encoder, file):
    assert PassageLibrary.names(folder) == []
    with raises(LibraryNotFoundError, name="mine"):
        PassageLibrary.open(folder, "mine")
    shared(file, encoder, folder)
    before = stamp(folder, "mine")
    (entry,) = catalogue(folder, (encoder.name, encoder.revision))
    assert (entry.name, entry.n_passages, entry.is_current) == ("mine", 59, True)
    assert entry.n_bytes > 0 and entry.problem == ""
    (version,) = versions(folder, "mine")
    assert (version.number, version.n_passages, version.state) == (1, 59, "in use")
    back_up(folder, "mine", tmp_path / "mine.zip")
    restore(tmp_path, tmp_path / "mine.zip")
    restored = PassageLibrary.open(tmp_path, "mine")
    assert restored.revision() == PassageLibrary.open(folder, "mine").revision()
    assert stamp(folder, "mine") == before


@pytest.mark.parametrize(
    "refused",
    [
        lambda folder, encoder, file: ingest(open_source(file), encoder, folder, "mine"),
        lambda folder, encoder, file: ingest(open_source(file), encoder, folder, "other"),
        lambda folder, encoder, file: PassageLibrary.remove(folder, "mine"),
        lambda folder, encoder, file: PassageLibrary.open(folder, "mine").discard(["notes:1"]),
        lambda folder, encoder, file: PassageLibrary.open(folder, "mine").compact(),
        lambda folder, encoder, file: reembed(folder, "mine", encoder),
        lambda folder, encoder, file: restore(folder, file.with_suffix(".zip"), name="again"),
    ],
    ids=["import", "create", "remove", "discard", "compact", "reembed", "restore"],
)
def test_what_needs_a_disk_is_refused_in_a_sentence(
    folder, tmp_path, monkeypatch, encoder, file, refused
):
    monkeypatch.chdir(tmp_path)
    shared(file, encoder, folder)
    back_up(folder, "mine", file.with_suffix(".zip"))
    with raises(LibraryError):
        refused(folder, encoder, file.with_name("notes.jsonl"))
    assert PassageLibrary.open(folder, "mine").count() == 59
    assert PassageLibrary.names(folder) == ["mine"]
    assert {path.name for path in tmp_path.iterdir()} == {"notes.jsonl", "notes.zip"}


def test_storage_that_is_not_there_is_told(folder):
    with raises(LibraryError):
        PassageLibrary.names(storage_path("s3://no-such-bucket-at-all"))


def test_where_it_lies_is_a_setting(monkeypatch):
    monkeypatch.setenv("SUBCLUST_LIBRARIES", "s3://bucket/a/b/")
    settings = Settings.from_environment()
    assert isinstance(settings.library_dir, StoragePath)
    assert str(settings.library_dir) == settings.library_dir.url == "s3://bucket/a/b"
    assert settings.variables()["SUBCLUST_LIBRARIES"] == "s3://bucket/a/b"
    assert str(settings.library_dir / "x.lance") == "s3://bucket/a/b/x.lance"
    monkeypatch.setenv("SUBCLUST_LIBRARIES", "gs://bucket")
    with raises(SettingsError, address="gs://bucket"):
        Settings.from_environment()
