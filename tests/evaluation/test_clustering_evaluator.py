import json
import math

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.evaluation.metrics import (
    GROUPING_METRICS,
    PAIR_METRICS,
    adjusted_rand_index,
    pair_auc,
)
from subclust.evaluation.results import MetricSummary
from subclust.grouping.clustering.agglomerative import AgglomerativeSubtopics
from subclust.grouping.similarity.cosine import CosineSimilarity

METRICS = {"ari", "ami", "nmi", "ri", "f1", "auc"}


def labelled_set(n_queries=3, n=24, spread=0.35):
    rng = np.random.default_rng(0)
    instances, embeddings = [], []
    for q in range(n_queries):
        gold = rng.integers(0, 3 + q, size=n)
        vectors = np.eye(12)[gold] + rng.normal(size=(n, 12)) * spread
        embeddings.append((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("f4"))
        passages = tuple(
            Passage(f"{q}-{i}", f"text {q} {i}", label=f"L{g}", path=f"L{g} / {i % 2}")
            for i, g in enumerate(gold)
        )
        instances.append(ClusteringInstance(Query(f"query {q}"), passages))
    return instances, embeddings


class Recorder:
    """Puts every passage in group 0 and remembers what it was asked."""

    def __init__(self, n_clusters="auto"):
        self.n_clusters = n_clusters
        self.calls = []

    def fit(self, passages, y=None, *, query, embeddings=None):
        self.calls.append((self.n_clusters, query, list(passages), embeddings))
        self.labels_ = np.zeros(len(passages), dtype=np.int64)
        return self


def test_values_are_those_of_the_fitted_clusterer():
    instances, embeddings = labelled_set()
    clusterer = AgglomerativeSubtopics(CosineSimilarity())
    result = ClusteringEvaluator().evaluate(clusterer, instances, embeddings=embeddings)
    for i, instance in enumerate(instances):
        gold = [passage.label for passage in instance.passages]
        fitted = AgglomerativeSubtopics(CosineSimilarity(), len(set(gold))).fit(
            [passage.text for passage in instance.passages],
            query=instance.query,
            embeddings=embeddings[i],
        )
        metrics = result.true_k.metrics
        assert metrics["ari"].per_instance[i] == adjusted_rand_index(gold, fitted.labels_)
        assert metrics["auc"].per_instance[i] == pair_auc(fitted.scores_, gold)
    assert 0 < result.primary < 1
    assert result.primary == pytest.approx(np.mean(result.true_k.metrics["ari"].per_instance))
    assert result.true_k.seconds > 0


def test_the_json_has_the_shape_of_bench():
    instances, embeddings = labelled_set()
    result = ClusteringEvaluator().evaluate(
        AgglomerativeSubtopics(CosineSimilarity()), instances, embeddings=embeddings
    )
    both = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert set(both["true_k"]) == METRICS | {"seconds"}
    assert set(both["auto_k"]) == METRICS | {"seconds", "n_clusters"}
    assert len(both["auto_k"]["n_clusters"]) == 3
    for name in METRICS:
        assert set(both["true_k"][name]) == {"mean", "stderr", "per_instance"}
        assert len(both["true_k"][name]["per_instance"]) == 3


@pytest.mark.parametrize("granularity, true_k", [("flat", 3), ("hierarchical", 6)])
def test_the_true_number_and_auto_are_asked_for(granularity, true_k):
    instances, _ = labelled_set(1)
    recorder = Recorder(n_clusters=17)
    ClusteringEvaluator(granularity).evaluate(recorder, instances)
    assert [call[0] for call in recorder.calls] == [true_k, "auto"]
    assert recorder.n_clusters == 17


def test_a_factory_makes_a_clusterer_for_each_query():
    instances, _ = labelled_set(2)
    made = []

    def factory(n_clusters):
        made.append(Recorder(n_clusters))
        return made[-1]

    for make in (factory, Recorder):
        result = ClusteringEvaluator().evaluate(make, instances)
        assert result.auto_k.n_clusters == (1, 1)
    assert [clusterer.n_clusters for clusterer in made] == [3, "auto", 4, "auto"]


def test_queries_and_embeddings_reach_their_own_instance():
    instances, embeddings = labelled_set(2)
    queries = [Query(f"query {q}", embedding=np.full(3, q, dtype=np.float32)) for q in range(2)]
    recorder = Recorder()
    done = []
    ClusteringEvaluator().evaluate(
        recorder,
        instances,
        queries=queries,
        embeddings=embeddings,
        automatic=False,
        progress=lambda *counts: done.append(counts),
    )
    assert [call[1] for call in recorder.calls] == queries
    assert all(call[3] is vectors for call, vectors in zip(recorder.calls, embeddings, strict=True))
    assert recorder.calls[1][2][0] == "text 1 0"
    assert done == [(1, 2), (2, 2)]


def test_without_automatic_number_there_is_no_second_run():
    instances, _ = labelled_set(1)
    result = ClusteringEvaluator().evaluate(Recorder(), instances, automatic=False)
    assert result.auto_k is None
    assert result.to_dict()["auto_k"] is None


def test_auc_without_scores_is_null_in_the_json():
    instances, _ = labelled_set(2)
    result = ClusteringEvaluator().evaluate(Recorder(), instances)
    auc = result.to_dict()["true_k"]["auc"]
    assert auc == {"mean": None, "stderr": 0.0, "per_instance": [None, None]}


def test_undefined_values_are_left_out_of_the_mean():
    summary = MetricSummary.of([0.2, math.nan, 0.6, 0.4])
    assert summary.mean == pytest.approx(0.4)
    assert summary.stderr == pytest.approx(0.2 / math.sqrt(3))
    assert summary.to_dict()["per_instance"] == [0.2, None, 0.6, 0.4]
    assert MetricSummary.of([0.5]).stderr == 0.0


def test_other_passages_are_not_counted_as_a_group():
    class LeavesSomeOut(Recorder):
        def fit(self, passages, y=None, *, query, embeddings=None):
            super().fit(passages, query=query)
            self.labels_[:5] = -1
            self.labels_[5:9] = 1

    instances, _ = labelled_set(1)
    assert ClusteringEvaluator().evaluate(LeavesSomeOut(), instances).auto_k.n_clusters == (2,)


def test_every_metric_is_the_plain_mean_over_the_queries():
    instances, embeddings = labelled_set(3)
    names = [*GROUPING_METRICS, *PAIR_METRICS]
    result = ClusteringEvaluator(metrics=names).evaluate(
        AgglomerativeSubtopics(CosineSimilarity()), instances, embeddings=embeddings
    )
    assert list(result.true_k.metrics) == names
    for i, (instance, vectors) in enumerate(zip(instances, embeddings, strict=True)):
        gold = instance.gold()
        texts = [passage.text for passage in instance.passages]
        fitted = AgglomerativeSubtopics(CosineSimilarity(), len(set(gold))).fit(
            texts, query=instance.query, embeddings=vectors
        )
        expected = {name: metric(gold, fitted.labels_) for name, metric in GROUPING_METRICS.items()}
        expected["auc"] = pair_auc(fitted.scores_, gold)
        expected["auc_balanced"] = pair_auc(fitted.scores_, gold, balanced=True)
        for name in names:
            assert result.true_k.metrics[name].per_instance[i] == expected[name]
    for summary in result.true_k.metrics.values():
        assert summary.mean == pytest.approx(sum(summary.per_instance) / 3)
        assert 0 < summary.mean <= 1


def test_the_clusterer_gets_its_number_back_when_fit_fails():
    class Fails(Recorder):
        def fit(self, *args, **kwargs):
            raise InputError("cannot")

    instances, _ = labelled_set(1)
    clusterer = Fails(n_clusters=5)
    with pytest.raises(InputError):
        ClusteringEvaluator().evaluate(clusterer, instances)
    assert clusterer.n_clusters == 5


def test_what_cannot_be_measured_is_refused():
    instances, embeddings = labelled_set(2)
    bare = ClusteringInstance(Query("q"), (Passage("1", "text"),))
    for evaluator, given, options, values in [
        (ClusteringEvaluator(metrics=["ami"]), instances, {}, {"others": "ami"}),
        (ClusteringEvaluator(metrics=["ari", "fun"]), instances, {}, {"others": "ari, fun"}),
        (ClusteringEvaluator("deep"), instances, {}, {"granularity": "deep"}),
        (ClusteringEvaluator(), [], {}, {}),
        (ClusteringEvaluator(), [bare], {}, {"text": "q"}),
        (ClusteringEvaluator(), instances, {"embeddings": embeddings[:1]}, {"other_count": 1}),
        (ClusteringEvaluator(), instances, {"queries": []}, {"other_count": 0}),
    ]:
        with raises(InputError, **values):
            evaluator.evaluate(Recorder(), given, **options)
