"""What a training on somebody's own set starts from."""

from dataclasses import replace

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.judging.own_sets import (
    OWN_RECIPES_DIR,
    bases,
    own_recipe,
    recipe_of,
    trainable_methods,
)
from subclust.methods import METHODS, encoder_of, train_method
from subclust.text.encoders import CachedEncoder, SentenceEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

WORDS = {
    "War": "taxes colonies army battle king crown tea port",
    "Animals": "ant burrow night termite claw savanna tongue snout",
}
NAMES = [card.name for card in trainable_methods()]


def queries(numbers):
    made = []
    for number in numbers:
        draw = np.random.default_rng(number)
        passages = [
            Passage(f"{number}-{label}-{row}", " ".join(draw.permutation(words.split())[:5]),
                    label=label, path=label)
            for label, words in WORDS.items() for row in range(4)
        ]  # fmt: skip
        made.append(ClusteringInstance(Query(f"question {number}"), tuple(passages)))
    return made


def test_every_method_that_learns_has_a_recipe_and_words_for_when_it_fits():
    assert {path.stem for path in OWN_RECIPES_DIR.glob("*.toml")} == set(NAMES)
    for card in METHODS.values():
        used = card.trainer is not None and not card.comparison
        assert bool(card.fits) == used, card.name


@pytest.mark.parametrize("method", NAMES)
def test_the_recipe_trains_from_the_checkpoint_in_use(
    method, encoder, tmp_path, store, tiny_bert, random_checkpoint
):
    path, recipe = own_recipe(method)
    assert path is not None
    model = dict(recipe.model)
    if method == "lda":  # These sets have sixteen words.
        model |= {"n_topics": 4, "max_share": 1.0}
    there = bases(method, store)
    base = store.load(method, there[0]) if there else None
    if recipe.objective.get("tuned_layers") or recipe.objective.get("lora_rank"):
        inner = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
        encoder = CachedEncoder(inner, tmp_path / "cache")
        base = random_checkpoint(
            method,
            model={"embedding_dim": encoder.embedding_dim, **model},
            encoder_revision=encoder.revision,
        )
    short = Recipe(replace(recipe.training, epochs=1.0), model, recipe.objective)

    def trained(name, base):
        parts = (queries(range(4)), queries([5, 6]))
        return train_method(
            TrainingRun(method, name, short, *parts, encoder, tmp_path / name, base=base)
        )

    if method.startswith("cactus"):  # of which a random one has another network
        base = trained("base", None)
    checkpoint = trained("mine", base)
    assert checkpoint.card["scores"]["validation_queries"] == 2


def test_cactus_goes_on_from_one_that_stands_over_another_method(tmp_path, tiny_bert, store):
    inner = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    encoder = CachedEncoder(inner, tmp_path / "cache")
    base, given = None, encoder
    for method, objective in (
        ("centred-qs3m", {"tuned_layers": 1}),
        ("cactus-query", {}),
        ("cactus-query", own_recipe("cactus-query")[1].objective),
    ):
        recipe = Recipe(TrainingArguments(epochs=1), {}, objective)
        parts = (queries(range(4)), queries([5, 6]))
        made = train_method(
            TrainingRun(method, "mine", recipe, *parts, given, tmp_path / "run", base=base)
        )
        store.save(made, replace=True)
        base = store.load(method, "mine")
        given = encoder_of(base, encoder)
    assert made.config["layers_of"] == "centred-qs3m/mine"


def test_a_training_starts_from_the_checkpoint_in_use_first(store, random_checkpoint):
    store.save(random_checkpoint("qs3m", "another"))
    store.promote("qs3m", "tiny")
    assert bases("qs3m", store) == ["tiny", "another"]
    assert bases("lda", store) == []


def test_a_method_without_checkpoints_starts_from_nothing(tmp_path):
    assert bases("qs3m", CheckpointStore(tmp_path / "models")) == []


def test_a_method_without_a_recipe_has_the_plain_defaults():
    assert own_recipe("nonsense") == (None, Recipe())


def test_the_recipe_of_a_command_is_put_together_from_its_words():
    path, recipe = own_recipe("qs3m")
    words = ["train", "qs3m", "--recipe", str(path), "--set", "epochs=2", "--set=seed=7"]
    assert recipe_of(words).training == replace(recipe.training, epochs=2.0, seed=7)
    assert recipe_of(words).objective == recipe.objective
    assert recipe_of(["train", "qs3m"]).training == TrainingArguments()
    with raises(TrainingError, path="gone.toml"):
        recipe_of(["train", "qs3m", "--recipe", "gone.toml"])
