import json

import numpy as np
import pytest

from subclust.benchmarks.data import load_task
from subclust.benchmarks.results import save_clustering, story
from subclust.benchmarks.run import learn_method_threshold, run_benchmark
from subclust.benchmarks.tasks import TASKS
from subclust.checkpoints import CheckpointStore
from subclust.encoders import HashingEncoder
from subclust.exceptions import BenchmarkError
from subclust.records import ClusteringInstance, Passage, Query
from subclust.settings import Settings


@pytest.fixture
def instances():
    random = np.random.default_rng(0)
    made = []
    for number in range(5):
        passages = []
        for i in range(12):
            words = [f"part{i % 3}"] * 2 + [f"w{random.integers(30)}" for _ in range(6)]
            label = f"part {i % 3}"
            passages.append(
                Passage(f"{number}-{i}", " ".join(words), label=label, path=f"{label} / {i % 2}")
            )
        made.append(ClusteringInstance(Query(f"query {number}"), tuple(passages)))
    return made


def test_the_result_has_every_method_both_ways_and_the_comparisons(instances, tmp_path):
    store = CheckpointStore(tmp_path)
    methods = ["centred-cosine", "sbert-cosine", "jaccard"]
    result = run_benchmark("made", instances, methods, HashingEncoder(), store)
    assert list(result["methods"]) == list(result["auto_k"]["methods"]) == methods
    assert [row["against"] for row in result["comparisons"]] == methods[1:]
    first = result["comparisons"][0]
    means = [result["methods"][name]["ari"]["mean"] for name in methods]
    assert first["mean_difference"] == pytest.approx(means[0] - means[1])
    assert first["relative_gain"] == pytest.approx(means[0] / means[1] - 1)
    assert first["wins"] + first["ties"] + first["losses"] == 5
    assert first["n_comparisons"] == 2
    again = run_benchmark("made", instances, methods, HashingEncoder(), store)
    assert again["methods"]["jaccard"]["ari"] == result["methods"]["jaccard"]["ari"]
    json.dumps(result, allow_nan=False)


def test_granularity_and_rule_are_used(instances, tmp_path):
    store = CheckpointStore(tmp_path)
    flat = run_benchmark("made", instances, ["tfidf"], HashingEncoder(), store)
    fine = run_benchmark(
        "made", instances, ["tfidf"], HashingEncoder(), store, granularity="hierarchical"
    )
    assert flat["methods"]["tfidf"]["ari"] != fine["methods"]["tfidf"]["ari"]
    gap = run_benchmark("made", instances, ["tfidf"], HashingEncoder(), store, count="gap")
    assert gap["auto_k"]["rule"] == "gap"
    with pytest.raises(BenchmarkError, match="no rule 'nonsense'"):
        run_benchmark("made", instances, ["tfidf"], HashingEncoder(), store, count="nonsense")


def test_a_learnt_threshold_lies_between_same_and_different(instances, tmp_path):
    store = CheckpointStore(tmp_path)
    threshold = learn_method_threshold(instances, "jaccard", HashingEncoder(), store)
    assert 0.0 < threshold < 0.5


def test_results_are_kept_by_method_and_task_with_their_story(instances, tmp_path):
    encoder, store = HashingEncoder(), CheckpointStore(tmp_path)
    for granularity in ("flat", "hierarchical"):
        result = run_benchmark(
            "made", instances, ["tfidf"], encoder, store, granularity=granularity
        )
        save_clustering(result, story(encoder, "cpu"), tmp_path / "results")
    saved = json.loads((tmp_path / "results" / "tfidf" / "made.json").read_text())
    assert list(saved["granularities"]) == ["flat", "hierarchical"]
    flat = saved["granularities"]["flat"]
    assert len(flat["true_k"]["ari"]["per_instance"]) == 5 == len(saved["queries"])
    assert flat["story"]["encoder_revision"] == encoder.revision
    assert {"torch", "python", "subclust"} <= set(flat["story"]["versions"])


def test_task_names_are_unique_and_every_card_is_whole():
    assert len({card.sha256 for card in TASKS.values()}) == len(TASKS)
    for name, card in TASKS.items():
        assert card.name == name and len(card.sha256) == 64 and card.licence and card.citation


def test_a_task_whose_file_is_absent_or_another_is_one_sentence(tmp_path):
    settings = Settings(benchmark_data_dir=tmp_path)
    with pytest.raises(BenchmarkError, match="not set"):
        load_task("trec_car_a", Settings())
    with pytest.raises(BenchmarkError, match="TREC 2017"):
        load_task("trec_car_a", settings)
    (tmp_path / "clustering").mkdir()
    (tmp_path / TASKS["trec_car_a"].file).write_bytes(b"something else")
    with pytest.raises(BenchmarkError, match="sha256 differs"):
        load_task("trec_car_a", settings)
