"""Checkpoints that rest on the layers of another one."""

from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.core.exceptions import CheckpointError

LAYER = np.arange(6, dtype=np.float16).reshape(2, 3)


@pytest.fixture
def store(tmp_path):
    store = CheckpointStore(tmp_path / "models")
    base = Checkpoint("old", "base", {}, {"encoder.a.weight": LAYER, "head.x": LAYER + 1})
    store.save(base)
    config = {"layers_of": "old/base", "layers_digest": base.layers_digest}
    own = {"head.y": LAYER + 2, "encoder.a.lora_up": LAYER + 3}
    store.save(Checkpoint("new", "mine", config, own))
    return store


def test_the_layers_of_the_other_come_with_it_and_its_head_does_not(store):
    loaded = store.load("new", "mine")
    assert set(loaded.tensors) == {"encoder.a.weight", "encoder.a.lora_up", "head.y"}
    np.testing.assert_array_equal(loaded.encoder_layers["a.weight"], LAYER)


def test_the_file_holds_its_own_tensors_only(store):
    size = (store.folder / "new" / "mine" / "weights.safetensors").stat().st_size
    assert size < 300 and store.users("old", "base") == ["new/mine"]


def test_the_other_cannot_be_removed_or_changed_unseen(store):
    other = Checkpoint("old", "better", {}, {"encoder.a.weight": LAYER})
    store.save(other)
    store.promote("old", "better")
    with raises(CheckpointError, names="new/mine", model="old/base"):
        store.remove("old", "base")
    base = store.load("old", "base")
    store.save(replace(base, tensors={"encoder.a.weight": LAYER * 2}), replace=True)
    with raises(CheckpointError, user="new/mine", source="old/base"):
        store.load("new", "mine")


def test_a_missing_one_is_named(store):
    (store.folder / "old" / "base").rename(store.folder / "old" / ".away")
    with raises(CheckpointError, user="new/mine", source="old/base"):
        store.load("new", "mine")


def test_an_archive_takes_the_layers_along(store, tmp_path):
    path = export_checkpoint(store, "new", "mine", tmp_path / "mine.zip")
    elsewhere = CheckpointStore(tmp_path / "elsewhere")
    imported = import_checkpoint(elsewhere, path, {"new"})
    assert "layers_of" not in imported.config
    again = elsewhere.load("new", "mine")
    assert set(again.tensors) == set(store.load("new", "mine").tensors)
