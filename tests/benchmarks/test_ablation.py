import json
from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from benchmarks.commands.run import run_ablation, wrong_queries
from benchmarks.results import save_clustering
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.judging.bench import run_benchmark

WORDS = ["tea taxes", "ants burrow", "maps atlas", "wool loom"]


def instance(number):
    generator = np.random.default_rng(number)
    return ClusteringInstance(
        Query(f"{WORDS[number % 4]} {number}"),
        tuple(
            Passage(
                f"{number}-{row}",
                f"{WORDS[row % 3]} {' '.join(map(str, generator.integers(0, 9, 3)))}",
                label=f"part {row % 3}",
            )
            for row in range(9)
        ),
    )


INSTANCES = [instance(number) for number in range(7)]


@pytest.mark.parametrize("seed", range(5))
def test_no_instance_keeps_its_query_and_each_is_used_once(seed):
    wrong = wrong_queries(INSTANCES, seed)
    right = [i.query for i in INSTANCES]
    assert sorted(q.text for q in wrong) == sorted(q.text for q in right)
    assert all(one != other for one, other in zip(wrong, right, strict=True))
    assert wrong == wrong_queries(INSTANCES, seed)


def test_the_query_is_left_out_and_exchanged(encoder, store):
    result = run_ablation(INSTANCES, "qs3m", encoder, store)
    means = run_benchmark("made", INSTANCES, ["qs3m"], encoder, store, context="passages")
    assert result["no-query"]["ari"] == means["methods"]["qs3m"]["ari"]
    exchanged = [
        replace(one, query=query)
        for one, query in zip(INSTANCES, wrong_queries(INSTANCES), strict=True)
    ]
    wrong = run_benchmark("made", exchanged, ["qs3m"], encoder, store)
    assert result["wrong-query"]["ari"] == wrong["methods"]["qs3m"]["ari"]
    right = run_benchmark("made", INSTANCES, ["qs3m"], encoder, store)["methods"]["qs3m"]
    assert right["auc"] != result["wrong-query"]["auc"] != result["no-query"]["auc"]


def test_what_has_no_query_to_leave_out_is_refused(encoder, store):
    with raises(BenchmarkError, name="tfidf"):
        run_ablation(INSTANCES, "tfidf", encoder, store)
    with pytest.raises(BenchmarkError):
        run_ablation(INSTANCES[:1], "qs3m", encoder, store)


def test_an_ablation_is_saved_beside_the_scores(encoder, store, tmp_path):
    result = run_benchmark("made", INSTANCES, ["qs3m", "tfidf"], encoder, store)
    result["ablation"] = {"qs3m": run_ablation(INSTANCES, "qs3m", encoder, store)}
    save_clustering(result, {}, tmp_path)
    saved = json.loads((tmp_path / "qs3m" / "made.json").read_text())["granularities"]["flat"]
    assert set(saved["ablation"]) == {"no-query", "wrong-query"}
    assert len(saved["ablation"]["wrong-query"]["ari"]["per_instance"]) == len(INSTANCES)
    other = json.loads((tmp_path / "tfidf" / "made.json").read_text())["granularities"]["flat"]
    assert "ablation" not in other


def test_a_result_tells_how_its_model_was_trained(encoder, store, tmp_path):
    result = run_benchmark("made", INSTANCES, ["qs3m", "tfidf"], encoder, store)
    save_clustering(result, {"seed": 5}, tmp_path)
    told = {
        method: json.loads((tmp_path / method / "made.json").read_text())["granularities"]["flat"][
            "story"
        ]
        for method in ("qs3m", "tfidf")
    }
    checkpoint = store.load("qs3m", result["methods"]["qs3m"]["checkpoint"])
    trained = told["qs3m"].pop("training")
    assert trained == {
        **checkpoint.card.get("training", {}),
        "parent": checkpoint.parent,
        "weights_digest": checkpoint.weights_digest,
    }
    assert told == {"qs3m": {"seed": 5}, "tfidf": {"seed": 5}}
