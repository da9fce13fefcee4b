"""The relevance gate learns from mixed queries, over a network that stays as it is."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import TrainingError, TrainingStopped
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.similarity.relevance_gate import RelevanceGate
from subclust.jobs import STOP_FILE
from subclust.methods import encoder_of, load_method, train_method
from subclust.methods.qs3m.gate_training import GateLearner
from subclust.text.encoders import HashingEncoder, StackedEncoder
from subclust.training.network_training import embed_all
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

THINGS = (
    "taxes ants maps wool bells chess dikes eggs foxes glass hops iron jugs kites lamps moths "
    "nests oars pearls quilts ropes salt tents urns"
).split()
PARTS = "history trade law craft".split()


def instance(number):
    """Make a query whose passages all name its thing, in parts of their own words."""
    thing = THINGS[number % len(THINGS)]
    generator = np.random.default_rng(number)
    passages = tuple(
        Passage(
            f"{number}-{row}",
            f"{thing} {thing} {PARTS[row % 3]} {PARTS[row % 3]} note{generator.integers(99)}",
            label=PARTS[row % 3],
        )
        for row in range(9)
    )
    return ClusteringInstance(Query(thing, f"all about {thing}"), passages)


TRAINING = [instance(number) for number in range(16)]
VALIDATION = [instance(number) for number in range(16, 24)]


@pytest.fixture
def encoder():
    return HashingEncoder(64)


@pytest.fixture
def learner(encoder):
    def make(**arguments):
        torch.manual_seed(0)
        embeddings = embed_all([*TRAINING, *VALIDATION], encoder)
        return GateLearner(
            RelevanceGate(64), TRAINING, VALIDATION, embeddings, TrainingArguments(**arguments)
        )

    return make


def test_half_of_an_epoch_is_mixed(learner, encoder):
    made = learner(batch_passages=30)
    drawn = [
        hits for seed in range(8) for hits in sum(made.batches(np.random.default_rng(seed)), [])
    ]
    assert len(drawn) == 8 * len(TRAINING)
    mixed = [hits for hits in drawn if not hits.about.all()]
    assert 0.3 < len(mixed) / len(drawn) < 0.7
    assert all(hits.about.sum() >= 2 for hits in drawn)
    titles = encoder.encode([i.query.text for i in TRAINING])
    by_title = [any(np.array_equal(hits.query, title) for title in titles) for hits in drawn]
    assert 0.25 < np.mean(by_title) < 0.75
    again = learner(batch_passages=30).batches(np.random.default_rng(3))
    for one, other in zip(
        sum(made.batches(np.random.default_rng(3)), []), sum(again, []), strict=True
    ):
        np.testing.assert_array_equal(one.passages, other.passages)


def test_batches_keep_to_the_number_of_passages(learner):
    batches = learner(batch_passages=20).batches(np.random.default_rng(0))
    assert all(len(b) == 1 or sum(len(h.about) for h in b) <= 20 for b in batches)
    assert len(batches) > 3


def test_validation_tells_passages_and_hit_sets_apart(learner):
    metrics = learner().evaluate()
    assert set(metrics) == {"passage_auc", "mixed_auc", "gate"}
    assert metrics["gate"] == (metrics["passage_auc"] + metrics["mixed_auc"]) / 2
    assert all(0 <= value <= 1 for value in metrics.values())


def gate_recipe(**training):
    arguments = {"epochs": 12, "learning_rate": 5e-3, "batch_passages": 40, **training}
    return Recipe(TrainingArguments(**arguments), {"gate": True}, {"part": "gate"})


@pytest.fixture
def train(encoder, tmp_path):
    def call(recipe, method="centred-qs3m", name="run", **options):
        return train_method(
            TrainingRun(
                method, name, recipe, TRAINING, VALIDATION, encoder, tmp_path / name, **options
            )
        )

    return call


@pytest.fixture
def checkpoints(tmp_path):
    return CheckpointStore(tmp_path / "models")


@pytest.fixture
def base(train):
    recipe = Recipe(TrainingArguments(epochs=2, learning_rate=1e-4), {}, {"context": "mixed"})
    return train(recipe, name="base")


def test_the_gate_learns_and_nothing_else_changes(train, base, encoder, checkpoints):
    made = train(gate_recipe(), base=base)
    for name, tensor in base.tensors.items():
        np.testing.assert_array_equal(made.tensors[name], tensor)
    new = set(made.tensors) - set(base.tensors)
    assert new and all(name.startswith(("head.gate.", "head.apart")) for name in new)
    assert made.config["with_base"] and made.config["context"] == "mixed"
    scores = made.card["scores"]
    assert scores["passage_auc"] > 0.9
    assert scores["validation_mixed_ari"] >= scores["validation_mixed_ari_without_gate"]
    assert made.card["stages"] == [base.card["training"]]
    checkpoints.save(replace(made, name="gated"))
    method = load_method("centred-qs3m", checkpoints, encoder, "gated")
    assert isinstance(method.encoder, StackedEncoder)
    assert method.encoder.embedding_dim == 2 * encoder.embedding_dim


def test_a_trained_gate_sets_aside_what_another_query_brought(train, base, encoder, checkpoints):
    checkpoints.save(replace(train(gate_recipe(), base=base), name="gated"))
    method = load_method("centred-qs3m", checkpoints, encoder, "gated")
    passages = [*VALIDATION[0].passages, *VALIDATION[1].passages[:5]]
    texts = [passage.text for passage in passages]
    vectors = method.encoder.encode(texts)
    relevance = [
        method.clusterer.similarity.relevance(
            replace(i.query, embedding=method.encoder.encode([i.query.text])[0]), texts, vectors
        )
        for i in VALIDATION[:2]
    ]
    # The same passages, asked for by two queries.
    assert relevance[0][:9].mean() > relevance[0][9:].mean() + 0.2
    assert relevance[1][9:].mean() > relevance[1][:9].mean() + 0.2


def test_a_gated_checkpoint_can_be_trained_on(train, base, encoder, tmp_path):
    gated = train(gate_recipe(epochs=1), base=base)
    # Fine-tuning pairs keeps the gate and the base encoder's vectors.
    pairs = Recipe(TrainingArguments(epochs=1, learning_rate=1e-3), {}, {})
    going_on = train_method(
        TrainingRun(
            "centred-qs3m",
            "on",
            pairs,
            TRAINING,
            VALIDATION,
            encoder_of(gated, encoder),
            tmp_path / "on",
            base=gated,
        )
    )
    assert going_on.config["with_base"]
    assert set(going_on.tensors) == set(gated.tensors)
    assert len(going_on.card["stages"]) == 2


def test_a_stopped_run_is_resumed_to_the_same_gate(train, base, tmp_path):
    recipe = gate_recipe(epochs=4)
    whole = train(recipe, name="whole", base=base)

    def stop(line):
        if line["step"] == 3:
            (tmp_path / "cut" / STOP_FILE).touch()

    with pytest.raises(TrainingStopped):
        train(recipe, name="cut", base=base, progress=stop)
    resumed = train(recipe, name="cut", base=base, resume=True)
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(resumed.tensors[name], tensor)


def test_a_gate_needs_a_base_and_a_network_that_has_one(train, base):
    with raises(TrainingError):
        train(gate_recipe())
    with raises(TrainingError, method="centred-qs3m"):
        train(replace(gate_recipe(), model={}), base=base)
