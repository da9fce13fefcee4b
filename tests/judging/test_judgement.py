import json
from dataclasses import replace

import numpy as np
import pytest
from judged_sets import labelled_queries
from raising import raises

from subclust.core.exceptions import (
    BenchmarkError,
    CheckpointNotFoundError,
    EncoderError,
    InputError,
)
from subclust.core.records import OTHER_PASSAGES
from subclust.judging.bench import run_benchmark
from subclust.judging.judgement import MEASURES, Judgement, judge_checkpoint, judge_parts


@pytest.fixture
def instances():
    return labelled_queries()


@pytest.fixture
def judge(settings, store, encoder):
    def call(checkpoint, instances, **options):
        return judge_checkpoint(
            checkpoint, instances, settings=settings, store=store, encoder=encoder, **options
        )

    return call


def test_scores_are_those_of_the_benchmark(judge, instances, store, encoder):
    judgement = judge("qs3m/tiny", instances, base="qss/tiny")
    result = run_benchmark(
        "made", instances, ["qs3m@tiny", "qss@tiny", "centred-cosine"], encoder, store
    )
    names = {"new": "qs3m@tiny", "base": "qss@tiny", "baseline": "centred-cosine"}
    assert [method.role for method in judgement.methods] == list(names)
    for role, name in names.items():
        means = judgement.method(role).means
        for metric in ("ari", "ami"):
            true, auto = result["methods"][name], result["auto_k"]["methods"][name]
            assert means[metric] == pytest.approx(true[metric]["mean"], abs=1e-6)
            assert means[f"auto_{metric}"] == pytest.approx(auto[metric]["mean"], abs=1e-6)
            for place, query in enumerate(judgement.queries):
                assert query.scores[role][metric] == pytest.approx(
                    true[metric]["per_instance"][place], abs=1e-6
                )
        assert [q.chosen[role] for q in judgement.queries] == auto["n_clusters"]
    assert len({judgement.method(role).means["ari"] for role in names}) == 3
    row = result["comparisons"][0]
    assert judgement.comparison().p_value == pytest.approx(row["p_value"], abs=1e-4)
    assert judgement.comparison().helps == row["wins"]


def test_queries_are_named_with_what_helped_and_hurt(judge, instances):
    judgement = judge("qs3m/tiny", instances, base="qss/tiny", part="test")
    assert judgement.n_queries == 8
    assert [query.query for query in judgement.queries] == [f"query {i}" for i in range(8)]
    assert {(query.n_passages, query.n_groups) for query in judgement.queries} == {(12, 3)}
    changes = judgement.changes()
    values = [change for _, change in changes]
    assert values == sorted(values, reverse=True) and len(set(values)) > 3
    assert dict(changes).keys() == {f"query {i}" for i in range(8)}
    row = judgement.comparison()
    assert sum(value > 0 for value in values) == row.helps
    assert sum(value < 0 for value in values) == row.hurts
    assert row.mean_difference == pytest.approx(np.mean(values))
    assert judgement.verdict == row.verdict
    assert [c.against for c in judgement.comparisons] == ["base"] * 4 + ["baseline"] * 4
    assert [c.measure for c in judgement.comparisons] == list(MEASURES) * 2


def test_a_judgement_survives_json(judge, instances):
    data = [{"name": "set.csv", "sha256": "0" * 64, "n_queries": 8, "licence": "not stated"}]
    judgement = judge("qs3m/tiny", instances, part="validation", data=data)
    assert judgement.data == ({"name": "set.csv", "sha256": "0" * 64},)
    text = json.dumps(judgement.to_dict(), allow_nan=False)
    assert Judgement.from_dict(json.loads(text)) == judgement
    assert json.loads(text)["n_queries"] == 8


@pytest.mark.parametrize("damage", ["verdict", "methods", "queries"])
def test_what_is_no_judgement_is_refused_with_a_sentence(judge, instances, damage):
    value = judge("qs3m/tiny", instances[:2]).to_dict()
    with raises(BenchmarkError):
        Judgement.from_dict({**value, damage: "nonsense"})
    with raises(BenchmarkError):
        Judgement.from_dict({key: item for key, item in value.items() if key != damage})


def test_the_base_is_what_it_started_from_then_the_default_then_what_learns_nothing(
    judge, instances, store, random_checkpoint
):
    few = instances[:3]
    own = random_checkpoint("qs3m", "mine", seed=1)
    started = replace(own, config={**own.config, "base": "qss/tiny"})
    assert judge(started, few).base == "qss/tiny"
    assert judge(own, few).base == "qs3m/tiny"
    gone = replace(own, config={**own.config, "base": "removed"})
    assert judge(gone, few).base == "qs3m/tiny"
    # The only one of its method: the default method is next, and without one centred cosine.
    alone = judge("qs3m/tiny", few)
    assert alone.base == "centred-cosine"
    assert alone.method("base").means == alone.method("baseline").means
    store.promote("qss", "tiny", as_default=True)
    assert judge("qs3m/tiny", few).base == "qss/tiny"


def test_what_is_in_use_is_compared_too_where_it_is_not_the_base(
    judge, instances, store, random_checkpoint
):
    store.save(random_checkpoint("qs3m", "in-use", seed=2))
    store.promote("qs3m", "in-use")
    own = random_checkpoint("qs3m", "mine", seed=1)
    judgement = judge(own, instances, base="tiny")
    assert judgement.base == "qs3m/tiny"
    assert judgement.method("default").name == "qs3m/in-use"
    assert any("qs3m/in-use" in note for note in judgement.notes)
    assert judge(own, instances).method("default") is None


def test_a_checkpoint_that_replaces_another_is_compared_with_that_one(
    judge, instances, random_checkpoint
):
    new = random_checkpoint("qs3m", "tiny", seed=5)
    judgement = judge(new, instances)
    assert judgement.base == judgement.checkpoint == "qs3m/tiny"
    assert judgement.method("new").means != judgement.method("base").means


def test_a_checkpoint_beside_itself_differs_nowhere(judge, instances, store):
    store.save(replace(store.load("qs3m", "tiny"), name="twin"))
    judgement = judge("qs3m/twin", instances, base="qs3m/tiny")
    assert judgement.verdict == "unclear" and "exactly as well" in judgement.sentence
    assert judgement.comparison().ties == 8 and judgement.queries_needed is None


def test_an_untrained_rival_by_name_and_mistakes(judge, instances):
    assert judge("qs3m/tiny", instances[:2], base="tfidf").base == "tfidf"
    with raises(InputError, own="qs3m/tiny"):
        judge("qs3m/tiny", instances, base="tiny")
    with raises(CheckpointNotFoundError, name="other", method="qs3m"):
        judge("qs3m/tiny", instances, base="other")
    with pytest.raises(CheckpointNotFoundError):
        judge("qs3m/missing", instances)
    with pytest.raises(InputError):
        judge("qs3m/tiny", [])


def test_what_favours_one_side_is_told(judge, instances, store, random_checkpoint):
    file = {"name": "set.csv", "sha256": "a" * 64, "licence": "not stated"}
    file |= {"n_queries": 8, "n_passages": 96}
    own = random_checkpoint("qs3m", "mine", seed=1)
    own = replace(own, card={"training_data": [file]})
    assert any("--split" in note for note in judge(own, instances[:2], data=[file]).notes)
    assert judge(own, instances[:2], data=[file], part="test").notes == ()
    store.save(own)
    (note,) = judge("qs3m/tiny", instances[:2], base="mine", part="test", data=[file]).notes
    assert note.index("qs3m/mine") < note.index("set.csv")
    validation = judge("qs3m/tiny", instances[:2], part="validation")
    assert any("favours" in note for note in validation.notes)


def test_the_granularity_is_that_of_the_training(judge, instances, random_checkpoint):
    own = replace(
        random_checkpoint("qs3m", "mine"), card={"training": {"granularity": "hierarchical"}}
    )
    judgement = judge(own, instances[:2])
    assert judgement.granularity == "hierarchical" and judgement.queries[0].n_groups == 6
    assert judge(own, instances[:2], granularity="flat").queries[0].n_groups == 3


def test_folds_are_pooled_each_by_its_own_model(
    judge, instances, store, encoder, random_checkpoint
):
    first, second = (random_checkpoint("qs3m", "fold", seed=seed) for seed in (1, 2))
    pooled = judge_parts(
        random_checkpoint("qs3m", "whole", seed=3),
        [(first, instances[:5]), (second, instances[5:])],
        store=store,
        encoder=encoder,
        base="tiny",
    )
    alone = [judge(first, instances[:5], base="tiny"), judge(second, instances[5:], base="tiny")]
    assert pooled.queries == alone[0].queries + alone[1].queries
    assert (pooled.checkpoint, pooled.part) == ("qs3m/whole", "folds")
    assert "qs3m/whole" in pooled.sentence


def test_every_passage_is_grouped_though_a_method_may_set_some_aside(judge, instances, monkeypatch):
    from subclust.grouping.clustering.base import SubtopicClusterer

    seen = []
    fit = SubtopicClusterer.fit

    def watched(self, *args, **options):
        fitted = fit(self, *args, **options)
        seen.append((self.max_other, OTHER_PASSAGES in self.labels_))
        return fitted

    monkeypatch.setattr(SubtopicClusterer, "fit", watched)
    judge("centred-qs3m/tiny", instances[:2])
    assert seen and set(seen) == {(0.0, False)}


def test_an_unsaved_checkpoint_is_judged_with_the_layers_it_shares(
    judge, instances, store, random_checkpoint
):
    base = random_checkpoint("cob", "tuned", seed=1)
    layer = {"encoder.layer.weight": np.ones((2, 2), np.float32)}
    base = replace(base, tensors={**base.tensors, **layer})
    store.save(base)
    own = random_checkpoint("qs3m", "mine", seed=2, layers_of="cob/tuned")
    # The hashing encoder has no layers: that it is asked for them shows that they were looked for.
    with raises(EncoderError, encoder="hashing"):
        judge(own, instances[:2])
