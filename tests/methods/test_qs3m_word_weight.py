"""The weight of shared words is chosen on validation queries, beside a network that stays."""

from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import load_trained, train_method
from subclust.methods.qs3m.training import WEIGHTS
from subclust.text.encoders import HashingEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

PARTS = "history trade law craft".split()


def instance(number, parts):
    """Make a query whose passages share a rare word with those of their part, if there are any."""
    generator = np.random.default_rng(number)
    passages = tuple(
        Passage(
            f"{number}-{row}",
            " ".join(
                [f"noise{word}" for word in generator.integers(40, size=8)]
                + ([f"{parts[row % 3]}{number}"] if parts else [])
            ),
            label=PARTS[row % 3],
        )
        for row in range(12)
    )
    return ClusteringInstance(Query(f"query {number}"), passages)


TRAINING = [instance(number, PARTS) for number in range(6)]
TOLD_BY_WORDS = [instance(number, PARTS) for number in range(6, 14)]
RECIPE = Recipe(TrainingArguments(), {"shared_words": True}, {"part": "words"})


@pytest.fixture
def encoder():
    return HashingEncoder(16)  # in which rare words are lost


@pytest.fixture
def train(encoder, tmp_path):
    def call(recipe, name="run", method="centred-qs3m", **options):
        run = TrainingRun(
            method, name, recipe, TRAINING, TOLD_BY_WORDS, encoder, tmp_path / name, **options
        )
        return train_method(run)

    return call


@pytest.fixture
def base(train):
    arguments = TrainingArguments(epochs=1, learning_rate=1e-3)
    return train(Recipe(arguments, {"shared_words": False}, {"context": "mixed"}), name="base")


def test_words_count_where_they_tell_passages_apart(train, base):
    made = train(RECIPE, base=base)
    weight = float(made.tensors["head.word_weight"])
    told = made.card["training"]["word_weights"]
    assert set(map(float, told)) == set(WEIGHTS)
    best = max(told.values())
    assert weight == pytest.approx(
        min(float(one) for one, ari in told.items() if ari == best), abs=1e-3
    )
    assert weight > 0 and told["0"] < best
    assert told["0"] == pytest.approx(base.card["scores"]["validation_ari"], abs=1e-3)
    # What is stored has half precision.
    assert made.card["scores"]["validation_ari"] == pytest.approx(best, abs=5e-3)


def test_nothing_else_changes_and_the_count_has_a_threshold_of_its_own(train, base, encoder):
    made = train(RECIPE, base=base)
    assert set(made.tensors) - set(base.tensors) == {"head.word_weight"}
    for name, tensor in base.tensors.items():
        np.testing.assert_array_equal(made.tensors[name], tensor)
    assert made.config["context"] == "mixed" and made.config["model"]["shared_words"]
    assert made.config["threshold"] != base.config["threshold"]
    method = load_trained(made, encoder)
    texts = [passage.text for passage in TOLD_BY_WORDS[0].passages]
    query = replace(TOLD_BY_WORDS[0].query, embedding=encoder.encode(["query 6"])[0])
    found = method.clusterer.fit(texts, query=query, embeddings=encoder.encode(texts))
    assert len(found.labels_) == len(texts)


def test_it_needs_a_base_and_a_network_that_compares_words(train, base):
    with raises(TrainingError):
        train(RECIPE)
    with raises(TrainingError, method="centred-qs3m"):
        train(replace(RECIPE, model={}), base=base)
