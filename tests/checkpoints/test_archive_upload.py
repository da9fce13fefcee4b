"""A model from the browser: piece by piece, within a limit, and nothing left of a refused one."""

import pytest
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.archive import LARGEST_UPLOAD, export_checkpoint, import_upload
from subclust.core.exceptions import CheckpointError


@pytest.fixture
def store(tmp_path, random_checkpoint):
    store = CheckpointStore(tmp_path / "models")
    store.save(random_checkpoint("qs3m"))
    return store


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


class Stream:
    """Bytes that are made as they are read; it knows the largest piece that was wanted."""

    def __init__(self, size, content=b""):
        self.left, self.content, self.largest = size, content, 0

    def read(self, size, /):
        self.largest = max(self.largest, size)
        piece = (self.content or bytes(size))[: min(size, self.left)]
        self.content = self.content[size:]
        self.left -= len(piece)
        return piece


class Full(Stream):
    def read(self, size, /):
        raise OSError(28, "No space left on device")


def test_a_model_is_taken_in_piece_by_piece(store, tmp_path, temporary):
    path = export_checkpoint(store, "qs3m", "tiny", tmp_path / "tiny.zip")
    content = path.read_bytes()
    stream = Stream(len(content), content)
    found = import_upload(store, stream, "tiny.zip", {"qs3m"}, name="taken")
    assert (found.method, found.name) == ("qs3m", "taken") and "taken" in store.names("qs3m")
    assert stream.largest <= 2**20
    assert not list(temporary.iterdir())


def test_one_that_is_too_large_is_a_sentence_and_is_not_read_to_its_end(store, temporary):
    stream = Stream(50 * LARGEST_UPLOAD)
    with raises(CheckpointError, file="big.zip", limit="200 MB") as refused:
        import_upload(store, stream, "big.zip", {"qs3m"})
    assert str(refused.value).count(".") <= 2 and "models import" in str(refused.value)
    assert stream.left > 48 * LARGEST_UPLOAD
    assert store.names("qs3m") == ["tiny"] and not list(temporary.iterdir())


def test_what_would_unpack_to_too_much_is_refused_too(store, tmp_path, temporary):
    path = export_checkpoint(store, "qs3m", "tiny", tmp_path / "tiny.zip")
    content = path.read_bytes()
    with raises(CheckpointError, file="x.zip", size="0 MB"):
        import_upload(
            store, Stream(len(content), content), "x.zip", {"qs3m"}, largest=len(content) + 1
        )
    assert store.names("qs3m") == ["tiny"]


def test_a_full_disk_is_a_sentence(store, temporary):
    with raises(CheckpointError, filename="x.zip"):
        import_upload(store, Full(1), "x.zip", {"qs3m"})
    assert not list(temporary.iterdir())
