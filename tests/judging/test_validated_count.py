import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from raising import raises

from benchmarks.results import save_clustering
from benchmarks.saved import SavedResults
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.clustering.cluster_count import MeanCount, SilhouetteCount
from subclust.grouping.clustering.threshold_count import ThresholdCount
from subclust.judging.bench import learn_counts, open_method, run_benchmark
from subclust.judging.validated_count import mean_number, takes_rule
from subclust.text.encoders import HashingEncoder


def instance(number, n_groups, size, noise=4):
    random = np.random.default_rng(number)
    passages = []
    for group in range(n_groups):
        for i in range(size):
            words = [f"part{group}"] * 3 + [f"w{random.integers(40)}" for _ in range(noise)]
            label = f"part {group}"
            passages.append(Passage(f"{number}-{group}-{i}", " ".join(words), label=label))
    return ClusteringInstance(Query(f"query {number}"), tuple(passages))


@pytest.fixture
def store(tmp_path):
    return CheckpointStore(tmp_path)


def test_average_link_gets_a_threshold_and_the_others_the_better_rule(store):
    # Two groups everywhere, so noisy that only the mean number tells how many there are.
    alike = [instance(number, 2, 5, noise=14) for number in range(12)]
    methods = ["sbert-cosine", "kmeans", "spectral"]
    learnt = learn_counts(methods, alike, alike, HashingEncoder(), store)
    assert isinstance(learnt["sbert-cosine"].rule, ThresholdCount)
    assert learnt["sbert-cosine"].told["value"] == learnt["sbert-cosine"].rule.threshold
    for name in ("kmeans", "spectral"):
        combined = learnt[name].told["validation"]
        assert combined["mean"] > combined["silhouette"]
        assert isinstance(learnt[name].rule, MeanCount) and learnt[name].told["value"] == 2.0


def test_average_link_takes_the_mean_out_where_sets_differ_in_it(store, monkeypatch):
    # Of half of the queries all passages share most of their words, whatever their group is.
    def shared(number):
        plain, words = instance(number, 3, 5, noise=1), " all" * (40 if number % 2 else 0)
        passages = [replace(one, text=one.text + words) for one in plain.passages]
        return replace(plain, passages=tuple(passages))

    queries = [shared(number) for number in range(12)]
    learn = partial(learn_counts, ["sbert-cosine"], queries, queries, HashingEncoder(), store)
    learnt = learn()["sbert-cosine"]
    assert learnt.told["mean_share"] == learnt.rule.mean_share > 0
    monkeypatch.setattr("subclust.judging.validated_count.learn_mean_share", lambda _: 0.0)
    found = [
        run_benchmark("made", queries, ["sbert-cosine"], HashingEncoder(), store, counts=counts)
        for counts in ({"sbert-cosine": learnt}, learn())
    ]
    with_share, without = (one["auto_k"]["methods"]["sbert-cosine"]["ari"]["mean"] for one in found)
    assert with_share > without


def test_the_silhouette_wins_where_numbers_differ_and_groups_are_plain(store):
    plain = [instance(number, 2 + number % 4, 4, noise=1) for number in range(12)]
    learnt = learn_counts(["kmeans"], plain, plain, HashingEncoder(), store)["kmeans"]
    assert isinstance(learnt.rule, SilhouetteCount)
    assert learnt.told["rule"] == "silhouette" and "value" not in learnt.told
    assert 0 < learnt.told["validation"]["mean"] < learnt.told["validation"]["silhouette"] <= 4


def test_the_rule_is_used_and_saved_beside_the_methods_own(store, tmp_path):
    queries = [instance(number, 2 + number % 3, 4, noise=12) for number in range(6)]
    encoder, folder = HashingEncoder(), tmp_path / "results"
    methods = ["kmeans", "sbert-cosine"]
    own = run_benchmark("made", queries, methods, encoder, store)
    save_clustering(own, {"seed": 0}, folder)
    counts = learn_counts(methods, queries, queries, encoder, store)
    validated = run_benchmark("made", queries, methods, encoder, store, counts=counts)
    threshold = validated["auto_k"]["methods"]["sbert-cosine"]
    assert threshold["count"] == counts["sbert-cosine"].told
    # A threshold of this very set cannot be worse on it than one of another set.
    before = own["auto_k"]["methods"]["sbert-cosine"]
    assert threshold["ari"]["mean"] > before["ari"]["mean"]
    assert validated["methods"]["kmeans"]["ari"] == own["methods"]["kmeans"]["ari"]
    for path in save_clustering(validated, {"seed": 0}, folder):
        part = json.loads(path.read_text())["granularities"]["flat"]
        assert set(part) == {"story", "true_k", "auto_k", "auto_k_by_rule"}
    saved = SavedResults(folder).find("sbert-cosine", "made")
    assert saved.metric("ari", "validated").mean == pytest.approx(
        threshold["ari"]["mean"], abs=1e-6
    )
    assert saved.metric("ari", "auto_k").mean == pytest.approx(before["ari"]["mean"], abs=1e-6)


def test_a_method_with_a_model_keeps_what_it_has_learnt(read_only_store, encoder):
    queries = [instance(number, 3, 4) for number in range(3)]
    assert not takes_rule(open_method("qs3m", read_only_store, encoder))
    assert takes_rule(open_method("jaccard", read_only_store, encoder))
    assert learn_counts(["qs3m"], queries, queries, encoder, read_only_store) == {}


def test_the_mean_is_that_of_the_gold_subtopics():
    assert mean_number([instance(0, 2, 3), instance(1, 5, 2)]) == 3.5
    with raises(BenchmarkError):
        mean_number([])
