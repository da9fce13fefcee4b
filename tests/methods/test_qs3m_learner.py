from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods.qs3m.clusterer import MODELS
from subclust.methods.qs3m.learner import PairLearner
from subclust.methods.qs3m.objective import Objective, pair_loss
from subclust.methods.qs3m.sentence_attention import padded
from subclust.methods.qs3m.training import _with_sentences
from subclust.text.encoders.base import HashingEncoder
from subclust.training.network_training import embed_all
from subclust.training.queries import prepare, sample, with_embeddings
from subclust.training.recipe import TrainingArguments

SUBJECTS = ["tax tea war", "ant burrow night", "map book shelf"]


def instance(number, n_passages, n_subjects=3):
    generator = np.random.default_rng(number)
    passages = []
    for row in range(n_passages):
        subject = row % n_subjects
        words = generator.permutation(SUBJECTS[subject].split())[:2]
        text = f"note {number} {row} {' '.join(words)}"
        passages.append(Passage(f"{number}-{row}", text, label=SUBJECTS[subject]))
    return ClusteringInstance(Query(f"query {number}", f"longer query {number}"), tuple(passages))


INSTANCES = [instance(number, 4 + number % 7) for number in range(12)]


@pytest.fixture
def make():
    def learner(instances=INSTANCES, objective=None, name="centred-qs3m", **arguments):
        objective = objective or Objective()
        encoder = HashingEncoder(16)
        prepared = with_embeddings(prepare(instances, objective), embed_all(instances, encoder))
        torch.manual_seed(0)
        return PairLearner(
            MODELS[name](16), prepared, prepared[:4], objective, TrainingArguments(**arguments)
        )

    return learner


def drawn_texts(batches):
    return [[drawn.query.instance.query.text for drawn in batch] for batch in batches]


def test_an_epoch_has_every_query_once_and_whole(make):
    learner = make(batch_passages=20)
    batches = learner.batches(np.random.default_rng(0))
    texts = drawn_texts(batches)
    assert sorted(sum(texts, [])) == sorted(i.query.text for i in INSTANCES)
    assert len(batches) > 3
    for batch in batches:
        sizes = [len(drawn.rows) for drawn in batch]
        assert sum(sizes) <= 20 or len(sizes) == 1
        assert sizes == [len(drawn.query.instance.passages) for drawn in batch]


def test_the_same_generator_draws_the_same_epoch(make):
    objective = Objective(pairs="triples", context="mixed")
    first, again, other = (
        make(objective=objective, max_passages=6).batches(np.random.default_rng(seed))
        for seed in (5, 5, 6)
    )
    assert drawn_texts(first) == drawn_texts(again) != drawn_texts(other)
    for one, two in zip(sum(first, []), sum(again, []), strict=True):
        assert one.context == two.context
        np.testing.assert_array_equal(one.rows, two.rows)
        np.testing.assert_array_equal(one.labels, two.labels)


def test_long_queries_are_sampled_anew(make):
    learner = make([instance(1, 40), instance(2, 5)], max_passages=8)
    rows = []
    for seed in range(4):
        drawn = sum(learner.batches(np.random.default_rng(seed)), [])
        rows += [d.rows.tolist() for d in drawn if d.query.instance.query.text == "query 1"]
    assert all(len(set(r)) == 8 and r == sorted(r) for r in rows)
    assert len({tuple(r) for r in rows}) == 4


def test_a_batch_holds_one_query_at_least(make):
    batches = make([instance(1, 30), instance(2, 30)], batch_passages=4).batches(
        np.random.default_rng(0)
    )
    assert [len(batch) for batch in batches] == [1, 1]


def test_queries_of_one_kind_of_pair_are_left_out(make):
    one_subtopic, all_different = instance(1, 6, n_subjects=1), instance(2, 3, n_subjects=3)
    learner = make([one_subtopic, all_different, instance(3, 6)])
    assert [q.instance.query.text for q in learner.training] == ["query 3"]
    assert len(learner.validation) == 3


def test_mixed_contexts_are_all_drawn(make):
    learner = make(objective=Objective(context="mixed"))
    contexts = [
        d.context
        for seed in range(5)
        for d in sum(learner.batches(np.random.default_rng(seed)), [])
    ]
    assert set(contexts) == {"title", "description", "passages"}
    assert max(contexts.count(c) for c in set(contexts)) < 0.6 * len(contexts)


@pytest.mark.parametrize("kind", ["bce", "mse"])
@pytest.mark.parametrize("context", ["title", "description", "passages"])
def test_the_loss_of_a_batch_weighs_queries_by_the_root_of_their_size(make, kind, context):
    learner = make(objective=Objective(loss=kind, context=context), name="qs3m")
    batch = learner.batches(np.random.default_rng(0))[0]
    assert len({len(drawn.rows) for drawn in batch}) > 1
    total = weights = 0.0
    for drawn in batch:
        query = {
            "title": drawn.query.title,
            "description": drawn.query.description,
            "passages": drawn.query.passages.mean(axis=0)
            / np.linalg.norm(drawn.query.passages.mean(axis=0)),
        }[context]
        scores = learner.calibration(
            learner.head(torch.as_tensor(query), torch.as_tensor(drawn.query.passages))
        )
        cost = pair_loss(scores, torch.as_tensor(drawn.labels), kind).item()
        total += cost * len(drawn.rows) ** 0.5
        weights += len(drawn.rows) ** 0.5
    assert learner.loss(batch).item() == pytest.approx(total / weights, rel=1e-5)


def test_the_loss_reaches_head_and_calibration(make):
    learner = make()
    learner.loss(learner.batches(np.random.default_rng(0))[0]).backward()
    reached = {
        n for n, p in learner.model.named_parameters() if p.grad is not None and p.grad.any()
    }
    # The last layer starts at zero, so the one before it is reached from the second step on.
    assert reached >= {"head.b.weight", "head.b.bias", "head.word_weight"}
    assert reached >= {"calibration.log_scale", "calibration.shift"}
    assert not reached & {"head.a.weight", "head.a.bias"}


def test_head_and_encoder_learn_at_their_own_rates(make):
    learner = make(objective=Objective(head_rate=5.0))
    assert learner.rate("encoder.model.0.weight") == 1.0
    assert learner.rate("head.a.weight") == learner.rate("calibration.shift") == 5.0


def test_validation_is_the_mean_index_at_the_true_number(make):
    learner = make()
    values = []
    for query in learner.validation:
        scores = learner.score_matrix(query, "title")
        np.testing.assert_array_equal(scores, scores.T)
        values.append(learner.ari(scores, query.instance.gold()))
    assert learner.evaluate() == {"ari": pytest.approx(np.mean(values))}
    gold = np.array(["a", "a", "b", "b", "c"])
    perfect = (gold[:, None] == gold[None, :]).astype(np.float32)
    assert learner.ari(perfect, gold.tolist()) == 1.0
    assert learner.ari(1 - perfect, gold.tolist()) < 0.3


def test_validation_queries_are_drawn_once_by_the_seed():
    prepared = prepare(INSTANCES, Objective())
    few = sample(prepared, 5, seed=1)
    assert few == sample(prepared, 5, seed=1) != sample(prepared, 5, seed=2)
    assert [prepared.index(query) for query in few] == sorted(prepared.index(q) for q in few)
    assert len(few) == 5
    assert sample(prepared, 0, seed=1) == sample(prepared, 99, seed=1) == prepared


def test_a_query_without_description_falls_back_to_its_title():
    bare = replace(INSTANCES[0], query=Query("query 0"))
    prepared = with_embeddings(prepare([bare], Objective()), embed_all([bare], HashingEncoder(16)))[
        0
    ]
    np.testing.assert_array_equal(prepared.title, prepared.description)


@pytest.mark.parametrize("context", ["title", "passages"])
def test_sentences_reach_the_network_that_reads_them(context):
    objective = Objective(loss="mse", context=context)
    encoder = HashingEncoder(16)
    told = [
        replace(
            record,
            passages=tuple(
                replace(p, text=f"{p.text}. {p.label}." + " More." * (row % 3))
                for row, p in enumerate(record.passages)
            ),
        )
        for record in INSTANCES
    ]
    prepared = with_embeddings(prepare(told, objective), embed_all(told, encoder))
    prepared = _with_sentences(prepared, encoder)
    torch.manual_seed(0)
    learner = PairLearner(
        MODELS["attn-qs3m"](16), prepared, prepared[:2], objective, TrainingArguments()
    )
    query = prepared[3]
    assert [len(sentences) for sentences in query.sentences[:3]] == [2, 3, 4]
    vector = query.title
    if context == "passages":
        vector = query.passages.mean(axis=0) / np.linalg.norm(query.passages.mean(axis=0))
    with torch.no_grad():
        expected = learner.head(torch.as_tensor(vector), *padded(query.sentences))
    np.testing.assert_allclose(learner.score_matrix(query, context), expected, atol=1e-5)
    learner.loss(learner.batches(np.random.default_rng(0))[0]).backward()
    for name, parameter in learner.head.named_parameters():
        assert parameter.grad.abs().max() > 0, name
