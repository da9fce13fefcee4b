"""What ships and what a place has made lie apart, and a newer version brings newer models."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.checkpoints.promoting import why_reason_needed
from subclust.checkpoints.saved import _shipped_weights
from subclust.checkpoints.summary import summaries, summarise
from subclust.core.exceptions import CheckpointError
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.ui.models.facts import origin, own_model_sentence

MODELS = PROJECT_ROOT / "models"
SHIPPED = sorted(
    (path.parent.parent.name, path.parent.name) for path in MODELS.glob("*/*/weights.safetensors")
)


def model(name: str, value: float = 0.0, **card: object) -> Checkpoint:
    weights = {"head.x": np.full(2, value, dtype=np.float32)}
    return Checkpoint("qs3m", name, {"threshold": value}, weights, card)


@pytest.fixture
def shipped(tmp_path, ship):
    """Two models of a version, the first of which is in use."""
    folder = tmp_path / "shipped"
    for name, value in (("one", 1.0), ("two", 2.0)):
        ship(folder, model(name, value, created="2001-01-01", scores={"validation_ari": 0.3}))
    (folder / "promoted.json").write_text('{"qs3m": ["one"], "default": ["qs3m"]}')
    return folder


@pytest.fixture
def store(tmp_path, shipped):
    return CheckpointStore(tmp_path / "own", shipped)


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def threshold(store: CheckpointStore, name: str | None = None) -> float:
    return float(store.load("qs3m", name).config["threshold"])


@pytest.mark.parametrize(("method", "name"), SHIPPED)
def test_no_shipped_model_is_called_somebodys_own(tmp_path, method, name):
    store = CheckpointStore(tmp_path, MODELS)
    summary = summarise(store, method, name)
    assert summary.shipped and origin(summary) == "came with Subclust"
    assert own_model_sentence(store.load(method, name)) is None
    assert why_reason_needed(store, method, name) is None


def test_the_list_names_just_what_is_tracked():
    try:
        told = subprocess.run(
            ["git", "ls-files", "models"], cwd=PROJECT_ROOT, capture_output=True, text=True,
            check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout")
    tracked = {
        "/".join(line.split("/")[1:3]) for line in told.splitlines() if line.endswith("tensors")
    }
    assert tracked and tracked <= set(_shipped_weights(MODELS))


def test_what_a_place_makes_changes_no_shipped_file(store, shipped, tmp_path):
    before = content(shipped)
    store.save(model("mine", 3.0))
    store.promote("qs3m", "mine", as_default=True, who="Ada")
    store.roll_back("qs3m")
    store.promote("qs3m", "two")
    store.note("qs3m", "mine", {"judgement": {"verdict": "better"}})
    path = export_checkpoint(store, "qs3m", "two", tmp_path / "two.zip")
    import_checkpoint(store, path, {"qs3m"}, name="taken-in")
    store.save(model("one", 4.0), replace=True)
    store.remove("qs3m", "mine")
    assert content(shipped) == before
    assert store.names("qs3m") == ["one", "taken-in", "two"] and store.promoted("qs3m") == "two"
    # All of it is found again by whoever opens the place next.
    again = CheckpointStore(store.folder, shipped)
    assert again.history("qs3m", undone=True) == store.history("qs3m", undone=True)
    assert not summarise(again, "qs3m", "taken-in").shipped


def test_a_shipped_model_is_neither_deleted_nor_changed(store, shipped):
    before = content(shipped)
    with raises(CheckpointError, model="qs3m/two"):
        store.remove("qs3m", "two")
    with raises(CheckpointError, method="qs3m", name="two"):
        store.note("qs3m", "two", {"judgement": {}})
    with raises(CheckpointError, method="qs3m", checkpoint="two"):
        store.save(model("two", 5.0))
    assert content(shipped) == before and store.protected("qs3m", "two") is not None


def test_a_model_of_the_place_goes_before_a_shipped_one_of_its_name_and_it_is_said(store):
    assert threshold(store, "two") == 2.0
    store.save(model("two", 5.0), replace=True)
    summary = summarise(store, "qs3m", "two")
    assert threshold(store, "two") == 5.0
    assert summary.hides_shipped and not summary.shipped
    assert origin(summary) != origin(summarise(store, "qs3m", "one"))
    assert "own model" in str(own_model_sentence(store.load("qs3m", "two")))
    store.remove("qs3m", "two")
    assert threshold(store, "two") == 2.0 and summarise(store, "qs3m", "two").shipped
    assert [one.name for one in summaries(store, "qs3m")] == ["one", "two"]


def test_a_newer_version_brings_its_models_and_its_default(store, shipped, ship):
    store.save(model("mine", 3.0))
    ship(shipped, model("one", 1.5))  # trained again under its name
    ship(shipped, model("three", 6.0))
    (shipped / "promoted.json").write_text('{"qs3m": ["one", "three"], "default": ["qs3m"]}')
    assert store.names("qs3m") == ["mine", "one", "three", "two"]
    assert threshold(store, "one") == 1.5 and store.promoted("qs3m") == "three"


def test_what_a_place_has_put_in_use_outlives_a_newer_default_which_is_then_the_way_back(
    store, shipped, ship
):
    store.save(model("mine", 3.0))
    store.promote("qs3m", "mine")
    ship(shipped, model("three", 6.0))
    (shipped / "promoted.json").write_text('{"qs3m": ["one", "three"], "default": ["qs3m"]}')
    assert store.promoted("qs3m") == "mine" and store.earlier("qs3m") == "three"
    assert store.roll_back("qs3m", who="Ada") == "three"
    assert store.roll_back("qs3m") == "one" and store.promoted("qs3m") == "one"
    undone = [(one.name, one.undone_by) for one in store.history("qs3m", undone=True) if one.undone]
    assert undone == [("three", None), ("mine", "Ada")]
    with raises(CheckpointError, method="qs3m"):
        store.roll_back("qs3m")


def test_models_that_an_older_version_trained_among_the_shipped_ones_are_still_there(
    store, shipped
):
    older = CheckpointStore(shipped)
    older.save(model("ours", 7.0))
    older.promote("qs3m", "ours", who="Ada", why="sorts our maps")
    assert store.promoted("qs3m") == "ours" and threshold(store) == 7.0
    assert not summarise(store, "qs3m", "ours").shipped
    assert store.history("qs3m")[-1].why == "sorts our maps"
    assert store.roll_back("qs3m") == "one" and older.promoted("qs3m") == "ours"
    store.remove("qs3m", "ours")
    assert store.names("qs3m") == ["one", "two"]


def test_a_volume_filled_by_an_older_version_hides_no_newer_model(store, shipped, ship):
    shutil.copytree(shipped, store.folder)
    (store.folder / "shipped.json").unlink()
    older = CheckpointStore(store.folder)
    older.save(model("ours", 7.0))
    older.promote("qs3m", "two", who="Ada")
    older.roll_back("qs3m")
    ship(shipped, model("one", 1.5))
    ship(shipped, model("three", 6.0))
    (shipped / "promoted.json").write_text('{"qs3m": ["three"], "default": ["qs3m"]}')
    assert store.names("qs3m") == ["one", "ours", "three", "two"]
    assert threshold(store, "one") == 1.5 and summarise(store, "qs3m", "one").shipped
    assert not summarise(store, "qs3m", "ours").shipped
    assert store.promoted("qs3m") == "three" and store.default_method() == "qs3m"
    assert store.earlier("qs3m") == "one"


def test_the_machines_store_has_both(tmp_path, shipped):
    settings = Settings(models_dir=tmp_path / "own", shipped_models_dir=shipped)
    CheckpointStore.of(settings).save(model("mine"))
    assert CheckpointStore.of(settings).names("qs3m") == ["mine", "one", "two"]
    assert json.loads((shipped / "promoted.json").read_text())["qs3m"] == ["one"]
    # A place that keeps its models among the shipped ones loses none of them.
    same = Settings(models_dir=shipped, shipped_models_dir=shipped)
    assert CheckpointStore.of(same).names("qs3m") == ["one", "two"]
    assert summarise(CheckpointStore.of(same), "qs3m", "one").shipped


def test_no_command_or_page_looks_for_models_in_one_of_the_folders_alone():
    sources = (PROJECT_ROOT / "subclust").rglob("*.py")
    alone = [path for path in sources if "CheckpointStore(settings." in path.read_text("utf-8")]
    assert alone == []
