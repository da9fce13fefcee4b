import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.checkpoints import saved as saved_module
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError

NOON = datetime(2001, 2, 3, 12, tzinfo=UTC)

FILES = ["README.md", "card.json", "config.json", "weights.safetensors"]


@pytest.fixture
def store(tmp_path) -> CheckpointStore:
    return CheckpointStore(tmp_path / "models", clock=lambda: NOON)


def make(name="one", method="qs3m", value=1.0, **card):
    tensors = {
        "head.weight": np.full((2, 3), value, dtype=np.float32),
        # Not contiguous, and half precision: both come out of training.
        "encoder.layer": np.arange(6, dtype=np.float16).reshape(2, 3).T,
        "count": np.array(3, dtype=np.int64),
    }
    return Checkpoint(
        method, name, {"model": {"embedding_dim": 3}, "threshold": 0.25}, tensors, card
    )


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_what_was_saved_is_loaded(store):
    checkpoint = make(scores={"validation_ari": 0.5}, summary="É")
    folder = store.save(checkpoint)
    assert folder == store.folder / "qs3m" / "one"
    assert sorted(path.name for path in folder.iterdir()) == FILES
    loaded = store.load("qs3m", "one")
    assert loaded == checkpoint
    assert loaded.card == {**checkpoint.card, "created": "2001-02-03T12:00:00+00:00"}
    assert set(loaded.tensors) == set(checkpoint.tensors)
    for name, tensor in checkpoint.tensors.items():
        assert loaded.tensors[name].dtype == tensor.dtype
        np.testing.assert_array_equal(loaded.tensors[name], tensor)


@pytest.mark.parametrize(("umask", "others"), [(0o022, 0o044), (0o077, 0)])
def test_files_can_be_read_by_others_as_the_umask_says(store, umask, others, request):
    request.addfinalizer(partial(os.umask, os.umask(umask)))
    model = store.save(make())  # the app may run under another account than the training
    assert {path.stat().st_mode & 0o044 for path in model.parent.rglob("*")} == {others}


def test_names_are_listed_in_order(store):
    assert store.names("qs3m") == []
    for name in ("b", "a", "C-1.5"):
        store.save(make(name))
    store.save(make("z", method="qss"))
    assert store.names("qs3m") == ["a", "b", "C-1.5"]


def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced(store):
    store.save(make(value=1))
    with raises(CheckpointError, method="qs3m", checkpoint="one"):
        store.save(make(value=2))
    assert store.load("qs3m").tensors["head.weight"][0, 0] == 1
    store.save(make(value=3), replace=True)
    assert store.load("qs3m").tensors["head.weight"][0, 0] == 3
    assert everything_in(store.folder / "qs3m") == ["one", *(f"one/{name}" for name in FILES)]


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "/etc", ".hidden", "-x", "a b", "a\\b", "é", "a\n", "x" * 81],
)
def test_names_that_are_no_folder_names_are_refused(store, name):
    calls = [
        lambda: store.save(make(name)),
        lambda: store.save(make(method=name)),
        lambda: store.names(name),
        lambda: store.load(name, "one"),
        lambda: store.promote("qs3m", name),
        lambda: store.remove("qs3m", name),
        lambda: checked(name),
    ]
    if name:
        calls.append(lambda: store.load("qs3m", name))
    for call in calls:
        with raises(CheckpointError):
            call()
    assert not store.folder.exists() or everything_in(store.folder) == []


@pytest.mark.parametrize("name", ["a", "A.b-c_1", "0", "x" * 80])
def test_plain_names_are_taken(name):
    assert checked(name) == name


class Killed(BaseException):
    """What a test raises where a process would die or fail."""


STEPS = [
    (saved_module, "save_file"),
    (saved_module, "model_card"),
    (saved_module, "flush_files"),
    (Path, "rename"),
]


@pytest.mark.parametrize(("owner", "name"), STEPS)
def test_a_save_that_fails_leaves_nothing(store, monkeypatch, owner, name):
    def fail(*_, **__):
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, name, fail)
        store.save(make())
    assert everything_in(store.folder) == ["qs3m"]
    assert store.names("qs3m") == []


@pytest.mark.parametrize(("owner", "name"), STEPS)
def test_a_replacement_that_fails_leaves_the_old_one(store, monkeypatch, owner, name):
    store.save(make(value=1))

    def fail(*_, **__):
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, name, fail)
        store.save(make(value=2), replace=True)
    assert store.names("qs3m") == ["one"]
    assert store.load("qs3m").tensors["head.weight"][0, 0] == 1


def test_a_replacement_that_cannot_be_put_in_place_leaves_the_old_one(store, monkeypatch):
    store.save(make(value=1))
    rename, calls = Path.rename, []

    def second_fails(path, target):
        calls.append(path)
        if len(calls) == 2:
            raise PermissionError("not now")
        return rename(path, target)

    with monkeypatch.context() as patch, raises(CheckpointError, error="not now", checkpoint="one"):
        patch.setattr(Path, "rename", second_fails)
        store.save(make(value=2), replace=True)
    assert store.load("qs3m").tensors["head.weight"][0, 0] == 1
    assert everything_in(store.folder / "qs3m") == ["one", *(f"one/{name}" for name in FILES)]


@pytest.mark.parametrize("step", ["flush_files", "write_json"])
def test_a_process_killed_in_a_save_is_not_seen(store, step):
    # Killed for good: nothing of Python's own clearing up happens.
    code = f"""
import os, sys
import numpy as np
from pathlib import Path
from subclust.checkpoints import Checkpoint, CheckpointStore, saved
calls, original = [], saved.{step}
def die(*arguments):
    calls.append(1)
    if len(calls) == {2 if step == "write_json" else 1}:
        os._exit(9)
    return original(*arguments)
saved.{step} = die
CheckpointStore(Path(sys.argv[1])).save(
    Checkpoint("qs3m", "half", {{}}, {{"x": np.zeros(3, dtype=np.float32)}}))
"""
    assert subprocess.run([sys.executable, "-c", code, store.folder]).returncode == 9
    left = [path.name for path in (store.folder / "qs3m").iterdir()]
    assert len(left) == 1 and left[0].endswith(".partial")
    assert store.names("qs3m") == []
    with raises(CheckpointNotFoundError, method="qs3m"):
        store.load("qs3m")
    store.save(make("whole"))
    assert store.promoted("qs3m") == "whole"
    assert store.load("qs3m").name == "whole"


def damage(folder, how):
    weights = folder / "weights.safetensors"
    match how:
        case "config is no json":
            (folder / "config.json").write_text("{")
        case "config is a list":
            (folder / "config.json").write_text("[]")
        case "config is not utf-8":
            (folder / "config.json").write_bytes(b'{"a": "\xff"}')
        case "card is missing":
            (folder / "card.json").unlink()
        case "card is a number":
            (folder / "card.json").write_text("3")
        case "weights are missing":
            weights.unlink()
        case "weights are cut":
            weights.write_bytes(weights.read_bytes()[:-5])
        case "weights are empty":
            weights.write_bytes(b"")
        case "weights are pickle":
            weights.write_bytes(b"\x80\x04\x95" + bytes(40))


@pytest.mark.parametrize(
    "how",
    [
        "config is no json",
        "config is a list",
        "config is not utf-8",
        "card is missing",
        "card is a number",
        "weights are missing",
        "weights are cut",
        "weights are empty",
        "weights are pickle",
    ],
)
def test_a_damaged_checkpoint_is_said(store, how):
    damage(store.save(make()), how)
    with raises(CheckpointError, method="qs3m", name="one"):
        store.load("qs3m")


def test_a_missing_checkpoint_is_said_with_what_is_there(store):
    with raises(CheckpointNotFoundError, there="none", name="one", method="qs3m"):
        store.load("qs3m", "one")
    store.save(make("one"))
    store.save(make("two"))
    with raises(CheckpointNotFoundError, name="three", method="qs3m", same="qs3m"):
        store.load("qs3m", "three")


def test_without_promotion_the_first_name_counts(store):
    for name in ("b", "a"):
        store.save(make(name))
    assert store.promoted("qs3m") == "a"


def test_promoting_and_rolling_back(store):
    for name in ("a", "b", "c"):
        store.save(make(name))
    for name in ("c", "a", "b"):
        store.promote("qs3m", name)
        assert store.promoted("qs3m") == store.load("qs3m").name == name
    assert store.roll_back("qs3m") == "a" == store.promoted("qs3m")
    assert store.roll_back("qs3m") == "c" == store.promoted("qs3m")
    with raises(CheckpointError, method="qs3m"):
        store.roll_back("qs3m")
    assert store.promoted("qs3m") == "c"
    # Another store of the same folder, as another process has it, sees the same.
    assert CheckpointStore(store.folder).promoted("qs3m") == "c"


def test_promoting_what_is_promoted_changes_nothing(store):
    for name in ("a", "b"):
        store.save(make(name))
        store.promote("qs3m", name)
    store.promote("qs3m", "b")
    assert store.roll_back("qs3m") == "a"


def test_promotion_is_of_one_method_only(store):
    store.save(make("a"))
    store.save(make("b"))
    store.save(make("z", method="qss"))
    store.promote("qs3m", "b")
    assert store.promoted("qss") == "z"


def test_what_is_not_there_or_damaged_cannot_be_promoted(store):
    store.save(make("a"))
    with pytest.raises(CheckpointNotFoundError):
        store.promote("qs3m", "b")
    damage(store.save(make("c")), "weights are cut")
    with raises(CheckpointError, name="c", method="qs3m"):
        store.promote("qs3m", "c")
    assert store.promoted("qs3m") == "a"


def test_the_default_method(store):
    with raises(CheckpointNotFoundError, path=ANY):
        store.default_method()
    store.save(make("a"))
    store.promote("qs3m", "a", as_default=True)
    assert store.default_method() == "qs3m"
    store.promote("tfidf", as_default=True)
    assert store.default_method() == "tfidf"
    assert store.roll_back("default") == "qs3m" == store.default_method()


def test_removing(store):
    for name in ("a", "b", "c"):
        store.save(make(name))
        store.promote("qs3m", name)
    with raises(CheckpointError, model="qs3m/c"):
        store.remove("qs3m", "c")
    store.remove("qs3m", "b")
    assert store.names("qs3m") == ["a", "c"]
    with pytest.raises(CheckpointNotFoundError):
        store.remove("qs3m", "b")
    # Rolling back passes over what is gone.
    assert store.roll_back("qs3m") == "a"
    assert store.load("qs3m").name == "a"


def test_nothing_is_rolled_back_to_what_is_gone(store):
    for name in ("a", "b"):
        store.save(make(name))
        store.promote("qs3m", name)
    store.remove("qs3m", "a")
    with raises(CheckpointError, method="qs3m"):
        store.roll_back("qs3m")
    assert store.promoted("qs3m") == "b"


def test_a_promoted_checkpoint_whose_folder_was_taken_away_is_passed_over(store):
    for name in ("a", "b"):
        store.save(make(name))
        store.promote("qs3m", name)
    shutil.rmtree(store.folder / "qs3m" / "b")
    assert store.promoted("qs3m") == "a"


@pytest.mark.parametrize("content", ["{", "[]", "3", '{"qs3m": 3}', '{"qs3m": null}'])
def test_a_damaged_list_of_promotions_is_said(store, content):
    store.save(make())
    (store.folder / "promoted.json").write_text(content)
    with raises(CheckpointError):
        store.load("qs3m")


def test_the_card_for_people_tells_everything(store):
    data = {
        "name": "articles.jsonl.gz",
        "n_queries": 12,
        "n_passages": 345,
        "sha256": "0123456789abcdef" * 4,
        "licence": "CC BY-SA 3.0",
    }
    folder = store.save(
        make(
            summary="Groups passages.",
            intended_use="Grouping hits.",
            limits="English only.",
            training_data=[data],
            training={"epochs": 2.0, "note": "a|b\nc", "nested": {"rate": 0.00012345}},
            scores={"validation_ari": 0.123456},
            citation="Somebody, Somewhere.",
            licence="Apache-2.0",
        )
    )
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# qs3m / one\n\nGroups passages.\n")
    for part in (
        "## Intended use\n\nGrouping hits.",
        "## Limits\n\nEnglish only.",
        "| articles.jsonl.gz | 12 | 345 | CC BY-SA 3.0 | `0123456789ab` |",
        "| epochs | 2 |",
        "| note | a\\|b c |",
        "| nested | rate 0.0001234 |",
        "## Scores\n\n| | |\n| --- | --- |\n| validation_ari | 0.1235 |",
        "| threshold | 0.25 |",
        "| model | embedding_dim 3 |",
        "## How to cite\n\nSomebody, Somewhere.",
        "## Licence\n\nApache-2.0",
    ):
        assert part in readme, part
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["training_data"] == [data]


def test_a_card_without_facts_still_has_its_configuration(store):
    readme = (store.save(make()) / "README.md").read_text(encoding="utf-8")
    assert readme == (
        "# qs3m / one\n\n- Made: 2001-02-03T12:00:00+00:00\n\n"
        "## Configuration\n\n| | |\n| --- | --- |\n"
        "| model | embedding_dim 3 |\n| threshold | 0.25 |\n"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(store):
    store.folder.mkdir()
    store.folder.chmod(0o555)
    with pytest.raises(CheckpointError):
        store.save(make())
