import zipfile
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError
from subclust.core.messages import Message

METHODS = {"qs3m", "qss"}


@pytest.fixture
def store(tmp_path) -> CheckpointStore:
    store = CheckpointStore(tmp_path / "models")
    weights = {"x": np.arange(2000, dtype=np.float32)}
    store.save(Checkpoint("qs3m", "one", {"model": {}}, weights, {"scores": {"ari": 0.5}}))
    return store


@pytest.fixture
def exported(store, tmp_path):
    return export_checkpoint(store, "qs3m", "one", tmp_path / "one.zip")


@pytest.fixture
def other(tmp_path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "other")


def rewrite(path, change):
    """Write an archive again with its members as `change` gives them."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in change(members).items():
            archive.writestr(name, content)
    return path


def nothing_came_of_it(store):
    return not store.folder.exists() or store.names("qs3m") == []


def test_what_was_exported_is_imported(store, exported, other):
    checkpoint = import_checkpoint(other, exported, METHODS)
    original, imported = store.load("qs3m", "one"), other.load("qs3m", "one")
    assert checkpoint == imported == original
    assert {**imported.card, "imported": None} == {**original.card, "imported": None}
    assert imported.card["imported"] and imported.card["created"] == original.card["created"]
    np.testing.assert_array_equal(imported.tensors["x"], original.tensors["x"])
    with zipfile.ZipFile(exported) as archive:
        assert sorted(archive.namelist()) == [
            "qs3m/one/README.md",
            "qs3m/one/SHA256SUMS",
            "qs3m/one/card.json",
            "qs3m/one/config.json",
            "qs3m/one/weights.safetensors",
        ]


def test_what_is_there_is_not_written_over(store, exported):
    with raises(CheckpointError, method="qs3m", checkpoint="one"):
        import_checkpoint(store, exported, METHODS)


def test_what_is_not_there_cannot_be_exported(store, tmp_path):
    with pytest.raises(CheckpointNotFoundError):
        export_checkpoint(store, "qs3m", "two", tmp_path / "two.zip")
    assert not (tmp_path / "two.zip").exists()
    with raises(CheckpointError, path=ANY):
        export_checkpoint(store, "qs3m", "one", tmp_path / "no" / "folder.zip")


@pytest.mark.parametrize(
    "change",
    [
        lambda members: {**members, "qs3m/one/run.py": b"print(1)"},
        lambda members: {**members, "../evil": b"x"},
        lambda members: {**members, "qs3m/two/config.json": b"{}"},
        lambda members: dict(list(members.items())[1:]),
        lambda members: {f"../{name}": content for name, content in members.items()},
        lambda members: {f"/{name}": content for name, content in members.items()},
        lambda members: {name.replace("one", ".."): c for name, c in members.items()},
        lambda members: {name.replace("qs3m", ".."): c for name, c in members.items()},
        lambda members: {name.replace("/", "\\"): c for name, c in members.items()},
        lambda members: {},
    ],
    ids=[
        "another file",
        "a path outside",
        "two checkpoints",
        "a file missing",
        "all outside",
        "absolute",
        "name is a path",
        "method is a path",
        "backslashes",
        "empty",
    ],
)
def test_an_archive_with_anything_else_is_refused(exported, other, tmp_path, change):
    before = sorted(path.name for path in tmp_path.iterdir())
    with raises(CheckpointError):
        import_checkpoint(other, rewrite(exported, change), METHODS)
    assert nothing_came_of_it(other)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_an_unknown_method_is_refused(exported, other):
    with raises(CheckpointError, file="one.zip", method="qs3m"):
        import_checkpoint(other, exported, {"qss"})


def test_weights_that_are_not_safetensors_are_refused(exported, other):
    def pickled(members):
        members.pop("qs3m/one/SHA256SUMS")  # as older archives have none
        return {**members, "qs3m/one/weights.safetensors": b"\x80\x04\x95" + bytes(60)}

    with raises(CheckpointError) as caught:
        import_checkpoint(other, rewrite(exported, pickled), METHODS)
    assert isinstance(caught.value.sentence.values["problem"], Message)
    assert nothing_came_of_it(other)


def test_an_archive_that_would_unpack_too_large_is_refused(exported, other):
    with raises(CheckpointError, file="one.zip", size="0 MB"):
        import_checkpoint(other, exported, METHODS, largest=1000)


def test_other_files_are_refused(other, tmp_path):
    with raises(CheckpointError):
        import_checkpoint(other, tmp_path / "none.zip", METHODS)
    path = tmp_path / "text.zip"
    path.write_text("not a zip file")
    with raises(CheckpointError, file="text.zip") as caught:
        import_checkpoint(other, path, METHODS)
    assert isinstance(caught.value.sentence.values["why"], Message)


@pytest.mark.parametrize("part", ["config.json", "card.json"])
@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_the_part_that_cannot_be_read_is_named(exported, other, part, content):
    def spoilt(members):
        members.pop("qs3m/one/SHA256SUMS")
        return {**members, f"qs3m/one/{part}": content}

    with raises(CheckpointError, file="one.zip", part=part):
        import_checkpoint(other, rewrite(exported, spoilt), METHODS)
    assert nothing_came_of_it(other)


@pytest.mark.parametrize("part", ["checksum", "stream", "end"])
def test_a_damaged_archive_is_refused(exported, other, part):
    content = bytearray(exported.read_bytes())
    weights = content.index(b"weights.safetensors")
    match part:
        case "checksum":
            content[content.rindex(b"PK\x01\x02") + 16] ^= 0xFF
        case "stream":
            for position in range(weights + 60, weights + 400, 3):
                content[position] ^= 0xA5
        case "end":
            content = content[:-30]
    exported.write_bytes(content)
    with raises(CheckpointError, file="one.zip"):
        import_checkpoint(other, exported, METHODS)
    assert nothing_came_of_it(other)


def test_an_encrypted_archive_is_refused(exported, other):
    content = bytearray(exported.read_bytes())
    # The flag "encrypted", of each member and in each line of the directory.
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        position = content.find(mark)
        while position != -1:
            content[position + offset] |= 1
            position = content.find(mark, position + 4)
    exported.write_bytes(content)
    with raises(CheckpointError, shown="one.zip", file="config.json"):
        import_checkpoint(other, exported, METHODS)
