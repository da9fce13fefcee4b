import json

import pytest

from benchmarks.estimates import measure_training
from benchmarks.results import RESULTS_DIR, read_result
from subclust.api.estimating import _judging_seconds
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import Settings
from subclust.core.storage.damaged import typed
from subclust.judging.own_sets import trainable_methods
from subclust.text.encoders.base import HashingEncoder
from subclust.training.estimates.estimate import RunEstimate, estimate_run

KINDS = ("river water boat", "stone tower wall", "bread flour oven")


def made(n_queries, n_passages=9):
    return [
        ClusteringInstance(
            Query(f"topic{query}"),
            tuple(
                Passage(f"{query}-{i}", f"{KINDS[i % 3]} topic{query} word{i}", label=KINDS[i % 3])
                for i in range(n_passages)
            ),
        )
        for query in range(n_queries)
    ]


def holds(estimate, seconds, memory_mb):
    return seconds <= estimate.most_seconds and memory_mb <= estimate.most_memory_mb


def test_every_measured_training_kept_below_what_was_estimated():
    saved = read_result(RESULTS_DIR / "estimates" / "demo.json")
    methods = {row["method"] for row in saved["runs"]}
    assert len(methods) >= 5 and methods <= {card.name for card in trainable_methods()}
    for row in saved["runs"]:
        assert holds(typed(RunEstimate, row["estimate"]), row["seconds"], row["memory_mb"]), row


@pytest.mark.slow  # what else runs on the machine meanwhile makes it longer
def test_a_small_training_keeps_below_its_estimate(tmp_path):
    data = tmp_path / "set.jsonl"
    with data.open("w") as stream:
        for one in made(12):
            passages = [{"text": passage.text, "label": passage.label} for passage in one.passages]
            stream.write(json.dumps({"query": one.query.text, "passages": passages}) + "\n")
    settings = Settings(
        data_dir=tmp_path, models_dir=tmp_path / "models", encoder="hashing", device="cpu"
    )
    words = ["qs3m", "--data", str(data), "--name", "mine", "--judge", "--set", "epochs=10"]
    estimate = estimate_run(words, settings)
    assert estimate.judging_seconds > 0
    assert holds(estimate, *measure_training(words, settings))
    assert CheckpointStore(settings.models_dir).card("qs3m", "mine")["judgement"]["n_queries"] > 0


def test_comparing_takes_longer_for_more_queries_and_for_texts_without_vectors(tmp_path):
    store, encoder = CheckpointStore(tmp_path), HashingEncoder()
    few = _judging_seconds(made(2), encoder, store)
    assert _judging_seconds([], encoder, store) == 0.0
    assert _judging_seconds(made(200), encoder, store) > 5 * few > 0.0


@pytest.mark.parametrize("total", [1.0, 14.0, 3600.0])
def test_the_bound_lies_above_what_is_reckoned(total):
    fields = dict.fromkeys(RunEstimate.__dataclass_fields__, 1)
    estimate = RunEstimate(**{**fields, "total_seconds": total, "device": "cpu"})
    assert estimate.most_seconds > estimate.total_seconds
    assert estimate.most_memory_mb > estimate.peak_memory_mb
    assert estimate.to_dict()["most_seconds"] == estimate.most_seconds
