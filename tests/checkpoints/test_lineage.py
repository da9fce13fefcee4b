"""Where checkpoints come from, what protects them, and how two compare."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.summary import compare_checkpoints, summaries, summarise
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError
from subclust.core.settings import PROJECT_ROOT

WEIGHTS = {"x": np.zeros(200, dtype=np.float32)}
DATA = [{"name": "maps", "version": 2, "sha256": "ab" * 32, "n_queries": 9, "n_passages": 80}]


@pytest.fixture
def store(tmp_path):
    return CheckpointStore(tmp_path / "models", clock=lambda: datetime(2001, 2, 3, tzinfo=UTC))


def save(store, name, method="qs3m", base=None, **card):
    config = {"threshold": 0.1, **({"base": base} if base else {})}
    store.save(Checkpoint(method, name, config, WEIGHTS, card))


def test_a_summary_tells_the_facts_without_the_weights(store):
    save(store, "old", scores={"ari": 0.2})
    save(store, "new", base="old", scores={"ari": 0.3}, training_data=DATA)
    (store.folder / "qs3m" / "new" / "weights.safetensors").write_bytes(b"x" * 1000)
    store.promote("qs3m", "old", as_default=True)
    one = summarise(store, "qs3m", "new")
    assert (one.parent, one.parent_kept, one.promoted) == ("qs3m/old", True, False)
    assert one.created == "2001-02-03T00:00:00+00:00" and not one.shipped
    assert one.training_data == DATA and one.scores == {"ari": 0.3} and one.judgement == {}
    files = (store.folder / "qs3m" / "new").iterdir()
    assert one.size == sum(file.stat().st_size for file in files) > 1000
    old = summarise(store, "qs3m", "old")
    assert old.promoted and old.default and old.parent is None
    with pytest.raises(CheckpointNotFoundError):
        summarise(store, "qs3m", "none")


def test_a_parent_that_is_gone_or_of_another_method_is_named(store):
    save(store, "a", base="cob/gone")
    assert store.card("qs3m", "a")["parent"] == "cob/gone"
    one = summarise(store, "qs3m", "a")
    assert (one.parent, one.parent_kept) == ("cob/gone", False)


@pytest.mark.parametrize("card", [b"{", b"[]", b'{"scores": 3, "training_data": [1, {"name": 2}]}'])
def test_a_damaged_card_still_has_a_summary(store, card):
    save(store, "a")
    (store.folder / "qs3m" / "a" / "card.json").write_bytes(card)
    assert summarise(store, "qs3m", "a").scores == {}


def test_the_newest_come_first_whatever_is_in_use(store):
    for name, created in (("a", "2001"), ("b", "2003"), ("c", "2002"), ("d", "2000")):
        save(store, name, created=created)
    store.promote("qs3m", "a")
    assert [one.name for one in summaries(store, "qs3m")] == ["b", "c", "a", "d"]
    assert summaries(store, "cob") == []


def test_a_note_is_kept_in_card_and_readme(store):
    save(store, "a")
    store.note("qs3m", "a", {"judgement": {"verdict": "better", "sentence": "It is <better>."}})
    assert store.card("qs3m", "a")["judgement"]["verdict"] == "better"
    readme = (store.folder / "qs3m" / "a" / "README.md").read_text()
    assert "## Evaluation\n\nIt is &lt;better>." in readme
    with pytest.raises(CheckpointNotFoundError):
        store.note("qs3m", "b", {})


def test_the_parent_of_what_is_in_use_is_protected(store):
    for name, base in (("a", None), ("b", "a"), ("c", "b")):
        save(store, name, base=base)
    store.promote("qs3m", "b")
    assert "qs3m/a" in store.protected("qs3m", "a")
    with raises(CheckpointError, model="qs3m/a", other="qs3m", used="b"):
        store.remove("qs3m", "a")
    assert store.protected("qs3m", "c") is None
    store.promote("qs3m", "c")
    assert store.protected("qs3m", "a") is None
    store.remove("qs3m", "a")
    assert store.names("qs3m") == ["b", "c"]


def test_the_parent_of_another_methods_default_is_protected(store):
    save(store, "a")
    save(store, "z")
    save(store, "q", method="cob", base="qs3m/a")
    save(store, "r", method="cob")
    store.promote("qs3m", "z")
    store.promote("cob", "q")
    with raises(CheckpointError, model="qs3m/a", other="cob", used="q"):
        store.remove("qs3m", "a")


def test_the_only_one_may_go_unless_somebody_promoted_it(store):
    save(store, "a")
    save(store, "b", method="cob")
    store.promote("cob", "b")
    with raises(CheckpointError, model="cob/b"):
        store.remove("cob", "b")
    store.remove("qs3m", "a")
    assert store.names("qs3m") == []
    # The only one of the default method is in use, whether somebody promoted it or not.
    save(store, "a")
    store.promote("qs3m", as_default=True)
    with raises(CheckpointError, model="qs3m/a"):
        store.remove("qs3m", "a")


def test_what_a_job_needs_is_protected(store):
    save(store, "a")
    save(store, "b")
    with raises(CheckpointError, model="qs3m/b"):
        store.remove("qs3m", "b", {"qs3m/b": "the job x"})
    store.remove("qs3m", "b", {"qs3m/a": "the job x"})


def test_two_are_compared_where_they_differ(store):
    training = {"epochs": 3.0, "nested": {"rate": 0.1}}
    same = {"training_data": DATA, "encoder": "mini"}
    save(store, "a", scores={"ari": 0.2, "only": 1.0}, training=training, **same)
    other = {"epochs": 5.0, "nested": {"rate": 0.1}, "extra": True}
    save(store, "b", base="a", scores={"ari": 0.25}, training=other, **same)
    found = compare_checkpoints(store, ("qs3m", "a"), ("qs3m", "b"))
    assert found["same_data"] and found["first"]["name"] == "a"
    assert found["scores"] == [
        {"score": "ari", "first": 0.2, "second": 0.25, "difference": pytest.approx(0.05)},
        {"score": "only", "first": 1.0, "second": None, "difference": None},
    ]
    differing = {row["field"]: (row["first"], row["second"]) for row in found["differences"]}
    differing.pop("size")
    assert differing == {
        "parent": (None, "qs3m/a"),
        "config.base": (None, "a"),
        "training.epochs": (3.0, 5.0),
        "training.extra": (None, True),
    }


def test_scores_of_other_data_are_not_said_to_compare(store):
    save(store, "a", training_data=DATA)
    save(store, "b", training_data=[{**DATA[0], "sha256": "cd" * 32}])
    save(store, "c")
    save(store, "d")
    assert not compare_checkpoints(store, ("qs3m", "a"), ("qs3m", "b"))["same_data"]
    assert not compare_checkpoints(store, ("qs3m", "c"), ("qs3m", "d"))["same_data"]
    with pytest.raises(CheckpointNotFoundError):
        compare_checkpoints(store, ("qs3m", "a"), ("qs3m", "none"))


def test_what_one_was_judged_by_compares_it_with_the_other(store):
    def measured(name, ari):
        return {"role": "new", "name": name, "means": {"ari": ari, "ami": 0.5}}

    save(store, "a", training_data=DATA)
    judgement = {
        "part": "test",
        "n_queries": 10,
        "methods": [measured("qs3m/b", 0.3), measured("qs3m/a", 0.25)],
    }
    save(store, "b", judgement=judgement)
    save(store, "c")
    found = compare_checkpoints(store, ("qs3m", "a"), ("qs3m", "b"))["judged"]
    assert found["measured_on"].values["count"] == 10
    assert found["scores"][0] == {
        "score": "ARI",
        "first": 0.25,
        "second": 0.3,
        "difference": pytest.approx(0.05),
    }
    turned = compare_checkpoints(store, ("qs3m", "b"), ("qs3m", "a"))["judged"]["scores"][0]
    assert (turned["first"], turned["difference"]) == (0.3, pytest.approx(-0.05))
    assert compare_checkpoints(store, ("qs3m", "b"), ("qs3m", "c"))["judged"] is None


def test_a_shipped_model_stays_in_use_when_another_is_trained_beside_it(tmp_path):
    shutil.copytree(PROJECT_ROOT / "models", tmp_path / "models")
    store = CheckpointStore(tmp_path / "models")
    for method in store.methods():
        in_use = store.promoted(method)
        assert store.history(method), f"{method} has no model in use by decision"
        store.save(replace(store.load(method, in_use), name="0-mine"))
        assert store.promoted(method) == in_use
