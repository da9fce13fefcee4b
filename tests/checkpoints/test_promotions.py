"""The history of what was in use: who, when, why, and several at once."""

import json
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.promoting import promote_checkpoint, why_reason_needed
from subclust.checkpoints.promotions import Promotion, PromotionFile
from subclust.core.exceptions import CheckpointError

NOON = "2001-02-03T12:00:00+00:00"
WEIGHTS = {"x": np.zeros(2, dtype=np.float32)}


@pytest.fixture
def store(tmp_path):
    store = CheckpointStore(tmp_path / "models", clock=lambda: datetime(2001, 2, 3, 12, tzinfo=UTC))
    for name, verdict in (("a", None), ("b", "better"), ("c", "unclear"), ("d", "worse")):
        judgement = {"verdict": verdict, "sentence": f"{name} is {verdict}.", "base": "qs3m/a"}
        card = {"judgement": judgement} if verdict else {}
        store.save(Checkpoint("qs3m", name, {}, WEIGHTS, card))
    return store


def test_who_when_and_why_are_kept(store):
    store.promote("qs3m", "b", who="Ada", why="helps with maps")
    store.promote("qs3m", "c", as_default=True)
    assert store.history("qs3m") == [
        Promotion("b", NOON, "Ada", "helps with maps", "better"),
        Promotion("c", NOON, verdict="unclear"),
    ]
    assert store.history("default") == [Promotion("qs3m", NOON)]


def test_going_back_is_kept_too_and_can_be_done_again(store):
    for name in ("a", "b", "c"):
        store.promote("qs3m", name)
    assert store.earlier("qs3m") == "b"
    store.roll_back("qs3m", who="Ada")
    whole = store.history("qs3m", undone=True)
    assert [(one.name, one.undone, one.undone_by) for one in whole] == [
        ("a", None, None),
        ("b", None, None),
        ("c", NOON, "Ada"),
    ]
    assert store.current("qs3m") == 1 and store.earlier("qs3m") == "a"
    assert store.roll_back("qs3m") == "a" and store.earlier("qs3m") is None
    store.promote("qs3m", "c")
    assert (store.promoted("qs3m"), store.roll_back("qs3m")) == ("c", "a")


def test_a_file_of_plain_names_is_read_and_stays_one_where_nothing_is_told(store):
    path = store.folder / "promoted.json"
    path.write_text('{"qs3m": ["a", "b"], "default": ["qs3m"]}')
    assert store.promoted("qs3m") == "b" and store.default_method() == "qs3m"
    store.promote("qs3m", "c", who="Ada")
    entries = json.loads(path.read_text())["qs3m"]
    assert entries[:2] == ["a", "b"] and entries[2]["who"] == "Ada"
    assert store.roll_back("qs3m") == "b"


@pytest.mark.parametrize("entry", [3, None, [], {}, {"name": 3}, {"who": "x"}])
def test_an_entry_of_another_kind_is_said(store, entry):
    (store.folder / "promoted.json").write_text(json.dumps({"qs3m": [entry]}))
    with raises(CheckpointError):
        store.promoted("qs3m")


def test_an_entry_of_a_later_version_keeps_what_is_known():
    assert Promotion.from_json({"name": "a", "why": "x", "mood": "good"}) == Promotion("a", why="x")


def test_better_needs_no_reason(store):
    promote_checkpoint(store, "qs3m", "b", who="Ada")
    assert store.promoted("qs3m") == "b"
    assert store.history("qs3m")[-1].why is None


@pytest.mark.parametrize("name", ["c", "d", "a"])  # unclear, worse, not compared
@pytest.mark.parametrize("reason", [None, "", "too short", " x" * 4, "a\n\n\t\t\t\t\t\t\t\tb"])
def test_what_is_not_better_needs_a_reason(store, name, reason):
    store.promote("qs3m", "b")
    before = (store.folder / "promoted.json").read_bytes()
    with raises(CheckpointError, count=10):
        promote_checkpoint(store, "qs3m", name, reason=reason)
    assert (store.folder / "promoted.json").read_bytes() == before
    promote_checkpoint(store, "qs3m", name, reason="is\nquicker ")
    assert store.history("qs3m")[-1].why == "is quicker"  # ten characters


def test_what_is_in_use_already_needs_none_unless_its_method_becomes_the_default(store):
    store.promote("qs3m", "c")
    promote_checkpoint(store, "qs3m", "c")
    with raises(CheckpointError, count=10):
        promote_checkpoint(store, "qs3m", "c", as_default=True)


@pytest.mark.parametrize(
    ("card", "shipped", "needed"),
    [
        ({"scores": {"validation_ari": 0.3}}, True, False),
        ({"scores": {"validation_ari": 0.3}, "created": NOON}, True, False),
        ({"scores": {}}, True, True),
        ({"scores": {"validation_ari": 0.3}}, False, True),
        ({"scores": {"validation_ari": 0.3}, "imported": NOON}, False, True),
        ({"scores": {"validation_ari": 0.3}, "judgement": {"verdict": "worse"}}, True, True),
        ({"judgement": {"verdict": "better"}}, False, False),
        ({"judgement_elsewhere": {"verdict": "better"}, "imported": NOON}, False, True),
        ({"judgement": "better"}, False, True),
        ({"judgement": {"verdict": "no such"}}, False, True),
    ],
)
def test_what_came_with_the_project_counts_as_judged_by_its_scores(
    tmp_path, ship, card, shipped, needed
):
    store = CheckpointStore(tmp_path / "own", tmp_path / "shipped")
    one = Checkpoint("qs3m", "x", {}, WEIGHTS, card)
    if shipped:
        ship(tmp_path / "shipped", one)
    else:
        store.save(one, made_now=False)
    assert (why_reason_needed(store, "qs3m", "x") is not None) == needed


def test_promotions_of_several_processes_are_all_kept(store):
    # Each reads, changes and writes the whole file: without a lock some would be lost.
    code = """
import sys
from pathlib import Path
from subclust.checkpoints import CheckpointStore
for number in range(10):
    CheckpointStore(Path(sys.argv[1])).promote("qs3m", "b", why=f"{sys.argv[2]} {number}")
"""
    workers = [
        subprocess.Popen([sys.executable, "-c", code, store.folder, str(worker)])
        for worker in range(3)
    ]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0, 0]
    kept = [one.why for one in store.history("qs3m")]
    assert sorted(kept) == [f"{worker} {number}" for worker in range(3) for number in range(10)]


def test_a_change_that_others_hold_up_is_one_sentence(store, monkeypatch):
    monkeypatch.setattr("subclust.checkpoints.promotions.LONGEST_WAIT", 0.05)
    code = """
import sys, time
from pathlib import Path
from subclust.checkpoints.promotions import PromotionFile
with PromotionFile(Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.read()
"""
    holder = subprocess.Popen(
        [sys.executable, "-c", code, store.folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "held\n"
        with raises(CheckpointError):
            store.promote("qs3m", "b")
        assert store.promoted("qs3m") == "a"  # reading never waits
        holder.kill()
    store.promote("qs3m", "b")
    assert store.promoted("qs3m") == "b"


def test_a_write_that_is_cut_off_leaves_the_old_file(store, monkeypatch):
    store.promote("qs3m", "b")

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("subclust.core.storage.disk.os.fsync", fail)
        store.promote("qs3m", "c")
    assert store.promoted("qs3m") == "b"
    assert PromotionFile(store.folder).read()["qs3m"][-1].name == "b"
    store.promote("qs3m", "c")
    assert store.promoted("qs3m") == "c"
