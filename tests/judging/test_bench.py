import json
from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from benchmarks.results import read_result, save_clustering, story
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.evaluation.metrics import GROUPING_METRICS, PAIR_METRICS
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics, GatedSubtopics
from subclust.judging import bench
from subclust.judging.bench import METRICS, learn_method_threshold, run_benchmark
from subclust.methods import LoadedMethod, find_method
from subclust.text.encoders import HashingEncoder


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
    with raises(BenchmarkError, count="nonsense"):
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
    saved = read_result(tmp_path / "results" / "tfidf" / "made.json")
    assert list(saved["granularities"]) == ["flat", "hierarchical"]
    flat = saved["granularities"]["flat"]
    assert len(flat["true_k"]["ari"]["per_instance"]) == 5 == len(saved["queries"])
    assert flat["story"]["encoder_revision"] == encoder.revision
    assert {"torch", "python", "subclust"} <= set(flat["story"]["versions"])


def test_everything_the_evaluation_has_is_measured(instances, tmp_path):
    assert set(METRICS) == {*GROUPING_METRICS, *PAIR_METRICS} and len(METRICS) == 10
    # The names that other programs read, before what was added beside them.
    assert METRICS[:6] == ("ari", "ami", "nmi", "ri", "f1", "auc")
    store = CheckpointStore(tmp_path)
    result = run_benchmark("made", instances, ["tfidf"], HashingEncoder(), store)
    for part in (result, result["auto_k"]):
        assert set(METRICS) <= set(part["methods"]["tfidf"])


def test_one_query_gives_no_test_and_still_json(instances, tmp_path):
    store = CheckpointStore(tmp_path)
    result = run_benchmark("made", instances[:1], ["tfidf", "jaccard"], HashingEncoder(), store)
    json.dumps(result, allow_nan=False)
    assert result["comparisons"][0]["p_value"] is None


@pytest.fixture
def many(monkeypatch, instances):
    """Let 12 passages be too many for all pairs."""
    for module in ("grouping.clustering.base", "grouping.clustering.kmeans", "judging.bench"):
        monkeypatch.setattr(f"subclust.{module}.MAX_PAIRWISE", 11)
    return instances


class NeverEncodes(HashingEncoder):
    def encode(self, *arguments, **options):
        raise AssertionError("encoded before it was refused")


def test_too_many_passages_for_pairs_are_refused_before_anything_is_encoded(many, tmp_path):
    encoder, store = NeverEncodes(), CheckpointStore(tmp_path)
    with raises(BenchmarkError, n_passages=12, max_pairwise=11, task="made"):
        run_benchmark("made", many, ["kmeans", "tfidf"], encoder, store)
    with raises(BenchmarkError, n_passages=12, max_pairwise=11, task="made"):
        run_benchmark("made", many, ["kmeans"], encoder, store, count="gap")


def test_k_means_runs_without_pairs_and_its_result_is_kept(many, tmp_path):
    encoder, store = HashingEncoder(), CheckpointStore(tmp_path)
    result = run_benchmark("made", many, ["kmeans"], encoder, store)
    scores = result["methods"]["kmeans"]
    assert scores["ari"]["mean"] > 0.5 and scores["auc"]["mean"] is None
    assert result["auto_k"]["methods"] == {}
    (path,) = save_clustering(result, story(encoder, "cpu"), tmp_path / "results")
    kept = read_result(path)["granularities"]["flat"]
    assert kept["auto_k"] is None and kept["true_k"]["acc"]["mean"] > 0.5
    with raises(BenchmarkError, n_passages=12, max_pairwise=11, name="kmeans"):
        learn_method_threshold(many, "kmeans", encoder, store)


@pytest.mark.parametrize(
    ("kind", "max_other", "context", "is_estimated"),
    [
        (GatedSubtopics, 0.1, "title", True),
        (GatedSubtopics, 0.1, "passages", False),
        (GatedSubtopics, 0.0, "title", False),
        (AgglomerativeSubtopics, 0.1, "title", False),
    ],
)
def test_relevance_is_estimated_for_methods_that_set_passages_aside_by_it(
    instances, monkeypatch, tmp_path, kind, max_other, context, is_estimated
):
    encoder = HashingEncoder(16)
    estimated = Query("estimated")
    monkeypatch.setattr(bench, "with_relevance", lambda *_: estimated)
    card = replace(find_method("centred-cosine", CheckpointStore(tmp_path)), query_specific=True)
    method = LoadedMethod(card, kind(None, max_other=max_other), encoder, None)
    vectors = bench.embed(instances, encoder)
    queries = bench.embed_queries(instances, vectors, method, context)
    assert [query is estimated for query in queries] == [is_estimated] * 5
