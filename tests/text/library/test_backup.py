"""A library as one file and back: whole, or refused in a sentence with nothing left behind."""

import json
import random
import zipfile
from unittest.mock import ANY

import numpy as np
import pytest
from many import ENCODER, RECORDS, add_records
from raising import raises

from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text.library import PassageLibrary, backup
from subclust.text.library.backup import back_up, read_manifest, restore


@pytest.fixture
def mixed(empty):
    return add_records(empty)


@pytest.fixture
def file(mixed, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "PASSAGES_PER_PART", 3)
    back_up(mixed.folder, "books", tmp_path / "books.zip")
    return tmp_path / "books.zip"


def rewritten(file, change):
    """Write the backup again with other contents: ``change`` is given a dict of them."""
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(contents["manifest.json"])
    change(contents, manifest)
    contents.setdefault("manifest.json", b"")
    if contents["manifest.json"]:
        contents["manifest.json"] = json.dumps(manifest).encode()
    else:
        del contents["manifest.json"]
    other = file.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return other


def left_behind(folder):
    return [path.name for path in folder.iterdir() if not path.name.endswith(".lock")]


def test_what_comes_back_is_what_went_in(mixed, file, tmp_path):
    manifest = read_manifest(file)
    assert (manifest.name, manifest.n_passages) == ("books", len(RECORDS))
    assert len(manifest.parts) == 2 * 3
    folder = tmp_path / "elsewhere"
    told = []
    report = restore(folder, file, progress=lambda done, total: told.append((done, total)))
    assert (report.library, report.n_passages) == ("books", len(RECORDS))
    assert told[-1] == (len(RECORDS), len(RECORDS))
    again = PassageLibrary.open(folder, "books")
    assert again.revision() == mixed.revision()
    ours, theirs = mixed.passages(), again.passages()
    assert ours.passages == theirs.passages
    assert [p.metadata for p in ours.passages] == [p.metadata for p in theirs.passages]
    np.testing.assert_array_equal(ours.embeddings, theirs.embeddings)
    assert len(again.search_text("fishing", 5)) == 2  # also by the title
    assert left_behind(folder) == ["books.lance"]
    add_records(again)  # and it can be written to


def test_it_can_be_restored_under_another_name_only_while_the_old_one_is_there(mixed, file):
    with raises(LibraryError, name="books"):
        restore(mixed.folder, file)
    restore(mixed.folder, file, name="copy")
    assert PassageLibrary.names(mixed.folder) == ["books", "copy"]
    PassageLibrary.remove(mixed.folder, "books")
    restore(mixed.folder, file)
    assert PassageLibrary.open(mixed.folder, "books").count() == len(RECORDS)
    with raises(InputError, name="../x"):
        restore(mixed.folder, file, name="../x")


def test_an_empty_library_and_strange_letters_come_back(empty, tmp_path):
    back_up(empty.folder, "books", tmp_path / "none.zip")
    restore(tmp_path / "other", tmp_path / "none.zip")
    assert PassageLibrary.open(tmp_path / "other", "books").count() == 0
    strange = Passage("s\u2028\x85", "a\nb\r\u2029 \ud800", metadata={"k\n": "\ud801\u2028"})
    add_records(empty, [strange])
    back_up(empty.folder, "books", tmp_path / "one.zip")
    restore(tmp_path / "third", tmp_path / "one.zip")
    found = PassageLibrary.open(tmp_path / "third", "books").passages().passages
    assert found == empty.passages().passages
    assert found[0].metadata == {"k\n": "\ud801\u2028"}


def test_a_backup_is_of_one_moment_while_somebody_writes(empty, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "PASSAGES_PER_PART", 10)
    records = [Passage(f"p{i}", f"text {i}", metadata={"round": "0"}) for i in range(100)]
    add_records(empty, records)

    def write(done, total):
        if done == 20:  # all change, some go, some come, and the table is compacted
            add_records(empty, [Passage(p.id, p.text, metadata={"round": "1"}) for p in records])
            empty.discard(["p99"])
            add_records(empty, [Passage("new", "text")])
            empty.optimize()

    before = empty.revision()
    back_up(empty.folder, "books", tmp_path / "b.zip", progress=write)
    assert empty.count() == 100 and empty.revision() != before
    restore(tmp_path / "other", tmp_path / "b.zip")
    assert PassageLibrary.open(tmp_path / "other", "books").revision() == before


def drop(name):
    return lambda contents, manifest: contents.pop(name)


def add(name, content=b"x"):
    return lambda contents, manifest: contents.__setitem__(name, content)


def flip(name):
    def change(contents, manifest):
        contents[name] = bytes([contents[name][0] ^ 1]) + contents[name][1:]

    return change


def say(**fields):
    return lambda contents, manifest: manifest.update(fields)


def first_part(**fields):
    return lambda contents, manifest: manifest["parts"][0].update(fields)


@pytest.mark.parametrize(
    ("change", "values"),
    [
        (drop("manifest.json"), {"manifest": "manifest.json"}),
        (drop("passages-000001.jsonl"), {"part": "passages-000001.jsonl"}),
        (add("../evil"), {}),
        (add("/etc/passwd"), {}),
        (flip("passages-000000.jsonl"), {"part": "passages-000000.jsonl"}),
        (flip("embeddings-000002.f32"), {"part": "embeddings-000002.f32"}),
        (add("passages-000000.jsonl"), {"part": "passages-000000.jsonl"}),
        (say(format="something"), {}),
        (say(version=2), {"layout": 2}),
        (say(n_passages=-1), {}),
        (say(n_passages=True), {}),
        (say(n_passages=9), {}),
        (say(embedding_dim=0), {}),
        (say(embedding_dim=10**9), {}),
        (say(embedding_dim=8), {"part": "embeddings-000000.f32"}),
        (say(name=None), {}),
        (say(parts=[]), {}),
        (say(parts="x"), {}),
        (first_part(name="../x.jsonl"), {}),
        (first_part(name="passages-000002.jsonl"), {}),
        (first_part(n_passages=2), {}),
        (first_part(n_bytes=10**12), {"part": "passages-000000.jsonl"}),
        (first_part(sha256="0" * 64), {"part": "passages-000000.jsonl"}),
    ],
)
def test_a_changed_backup_is_refused_and_leaves_nothing(file, tmp_path, change, values):
    other = rewritten(file, change)
    folder = tmp_path / "elsewhere"
    with raises(LibraryError, file="changed.zip", **values):
        restore(folder, other)
    assert not folder.exists() or left_behind(folder) == []


def digest_of(content):
    import hashlib

    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    "lines",
    [
        b"{}\n[]\nnull\n",
        b"[" * 100_000 + b"\n1\n2\n",
        b'{"id": 1, "text": "", "title": "", "collection": "", "label": null, "path": null,'
        b' "metadata": {}}\n1\n2\n',
        b"not json\n1\n2\n",
        b"\xff\n1\n2\n",
    ],
)
def test_hostile_passages_with_a_right_sum_are_refused(file, tmp_path, lines):
    def change(contents, manifest):
        contents["passages-000000.jsonl"] = lines
        manifest["parts"][0].update(n_bytes=len(lines), sha256=digest_of(lines))

    with raises(LibraryError, file="changed.zip", texts="passages-000000.jsonl"):
        restore(tmp_path / "elsewhere", rewritten(file, change))
    assert left_behind(tmp_path / "elsewhere") == []


@pytest.mark.parametrize(
    ("number", "values"),
    [
        (np.nan, {"vectors": "embeddings-000000.f32", "file": "changed.zip"}),
        (5.0, {"file": "changed.zip"}),
    ],
)
def test_hostile_vectors_with_a_right_sum_are_refused(file, tmp_path, number, values):
    content = np.full(3 * 16, number, "<f4").tobytes()

    def change(contents, manifest):
        contents["embeddings-000000.f32"] = content
        manifest["parts"][1].update(sha256=digest_of(content))

    with raises(LibraryError, **values):
        restore(tmp_path / "elsewhere", rewritten(file, change))


def test_passages_of_the_same_id_are_refused(file, tmp_path):
    def change(contents, manifest):
        lines = contents["passages-000001.jsonl"].splitlines(keepends=True)
        first = json.loads(contents["passages-000000.jsonl"].splitlines()[0])
        doubled = json.dumps({**json.loads(lines[0]), "id": first["id"]}).encode() + b"\n"
        content = b"".join([doubled, *lines[1:]])
        contents["passages-000001.jsonl"] = content
        manifest["parts"][2].update(n_bytes=len(content), sha256=digest_of(content))

    with raises(LibraryError, file="changed.zip"):
        restore(tmp_path / "elsewhere", rewritten(file, change))


def test_what_would_become_far_larger_is_refused_unread(file, tmp_path):
    content = b" " * 50_000_000

    def change(contents, manifest):
        contents["passages-000000.jsonl"] = content
        manifest["parts"][0].update(n_bytes=len(content), sha256=digest_of(content))

    with raises(LibraryError, file="changed.zip", part="passages-000000.jsonl"):
        restore(tmp_path / "elsewhere", rewritten(file, change))


def test_a_cut_or_damaged_file_is_refused_wherever_it_is_cut(file, tmp_path):
    whole = file.read_bytes()
    chance = random.Random(0)
    other, folder = tmp_path / "cut.zip", tmp_path / "elsewhere"
    for _ in range(40):
        other.write_bytes(whole[: chance.randrange(len(whole))])
        with raises(LibraryError, file="cut.zip") as caught:
            restore(folder, other)
        assert isinstance(caught.value.sentence.values["why"], Message)  # no word of an exception
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        other.write_bytes(damaged)
        try:
            restore(folder, other, name="r")
        except (LibraryError, InputError):
            assert not folder.exists() or left_behind(folder) == []
            continue
        # A date, say, which nothing rests on.
        found = PassageLibrary.open(folder, "r").passages()
        assert found.passages == tuple(sorted(RECORDS, key=lambda one: one.id))
        np.testing.assert_allclose(
            found.embeddings,
            ENCODER.encode([f"{one.title}. {one.text}" for one in found.passages]), atol=1e-6,
        )  # fmt: skip
        PassageLibrary.remove(folder, "r")


def test_sentences_for_files_and_places_that_cannot_be(mixed, file, tmp_path, monkeypatch):
    with raises(InputError, name="books.tar"):
        back_up(mixed.folder, "books", tmp_path / "books.tar")
    with raises(InputError, file=ANY):
        back_up(mixed.folder, "books", tmp_path / "none" / "books.zip")
    with pytest.raises(LibraryNotFoundError):
        back_up(mixed.folder, "absent", tmp_path / "x.zip")
    with raises(LibraryError):
        restore(tmp_path / "e", tmp_path / "absent.zip")
    with raises(LibraryError, file=ANY):
        restore(tmp_path / "e", tmp_path)
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda place: type("", (), {"free": 10}))
    with raises(LibraryError, folder=ANY):
        restore(tmp_path / "e", file)
