"""The shipped CACTUS: small, whole, offered, quick; and what a set costs (figure 4)."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
import pytest

import subclust.benchmarks
from subclust.benchmarks.own_sets import own_recipe
from subclust.checkpoints import CheckpointStore
from subclust.encoders import load_encoder
from subclust.methods import METHODS, encoder_of, load_method, resolve, standalone
from subclust.methods.cactus.about import about
from subclust.records import ClusteringInstance, Passage, Query
from subclust.settings import PROJECT_ROOT, Settings

MODELS = PROJECT_ROOT / "models"
RESULTS = Path(subclust.benchmarks.__file__).parent / "results"
README = (Path(subclust.benchmarks.__file__).parents[1] / "methods/cactus/README.md").read_text()
PASSAGES = [
    "The bridge was opened to trains in 1890 after eight years of work.",
    "Building it cost the lives of dozens of workers.",
    "Its cantilevers span more than five hundred metres each.",
    "Each tower stands on four caissons of steel.",
    "A painter's work on it was long said never to end.",
]


def read(*parts):
    return json.loads(RESULTS.joinpath(*parts).read_text(encoding="utf-8"))


def test_it_is_small_and_rests_on_the_layers_that_are_shipped():
    folder = MODELS / "cactus-query" / "wikipedia"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 15_000_000
    store = CheckpointStore(MODELS)
    trained = store.load("cactus-query", "wikipedia")
    method, name = trained.config["layers_of"].split("/")
    assert store.load(method, name).layers_digest == trained.config["layers_digest"]


def test_its_card_says_what_it_is_and_how_it_was_trained():
    card = CheckpointStore(MODELS).load("cactus-query", "wikipedia").card
    assert card["training"]["loss"] == "cross-entropy"
    told = about("cactus-query", loss="cross-entropy", over_vectors=True)
    assert card["summary"] == told["summary"]
    assert "its vector, those of the others and the query's see one another" in card["summary"]


def test_it_is_offered_and_groups_by_itself(tmp_path):
    assert not METHODS["cactus-query"].comparison
    encoder = load_encoder(Settings(data_dir=tmp_path, models_dir=MODELS, device="cpu"))
    loaded = load_method("cactus-query", CheckpointStore(MODELS), encoder)
    query = Query("Forth Bridge")
    query = Query(query.text, embedding=loaded.encoder.encode([query.text])[0])
    clusterer = loaded.clusterer.fit(
        PASSAGES, query=query, embeddings=loaded.encoder.encode(PASSAGES)
    )
    assert clusterer.n_clusters_source_ == "threshold"
    assert len(clusterer.labels_) == len(PASSAGES)


def test_somebodys_own_set_goes_on_from_it_over_the_same_layers(tmp_path):
    store = CheckpointStore(MODELS)
    shipped = store.load("cactus-query", "wikipedia")
    settings = Settings(data_dir=tmp_path, models_dir=MODELS, device="cpu")
    encoder = encoder_of(shipped, load_encoder(settings))
    _, recipe = own_recipe("cactus-query")
    short = replace(recipe, training=replace(recipe.training, epochs=1.0))
    labels = ["building", "deaths", "building", "building", "deaths"]
    told = enumerate(zip(PASSAGES, labels, strict=True))
    passages = [Passage(str(n), text, label=label, path=label) for n, (text, label) in told]
    sets = [ClusteringInstance(Query(name), tuple(passages)) for name in ("Forth Bridge", "Bridge")]
    trainer = resolve(METHODS["cactus-query"].trainer)
    mine = trainer(
        "cactus-query", "mine", short, sets[:1], sets[1:], encoder, tmp_path, base=shipped
    )
    assert mine.config["layers_of"] == "centred-qs3m/wikipedia"
    below, whole = shipped.encoder_layers, standalone(mine, store).encoder_layers
    assert all(np.array_equal(whole[name], layer) for name, layer in below.items())
    assert len(whole) > len(below)  # and adapters


def test_two_hundred_hits_take_as_long_as_the_readme_says():
    kept = read("speed", "first-cactus-query.json")
    first, again = kept["first"], kept["again"]
    assert kept["n_hits"] == 200 and kept["n_tokens"] >= 100
    assert first["max_ms"] < 4000 and again["max_ms"] < 300
    flat = " ".join(README.split())
    assert f"200 hits of {kept['n_tokens']:.0f} word pieces" in flat
    assert f"a median of {first['median_ms'] / 1000:.1f} seconds" in flat
    assert f"(longest {first['max_ms'] / 1000:.1f}), and {again['median_ms'] / 1000:.2f}" in flat


@pytest.mark.parametrize("shape", ["minilm-float32-cpu"])
def test_what_seeing_one_another_costs(shape):
    kept = read("context", f"{shape}.json")
    sizes = {row["n_entities"] for row in kept["rows"]}
    lengths = {row["n_tokens"] for row in kept["rows"]}
    assert (min(sizes), max(sizes), min(lengths), max(lengths)) == (10, 200, 16, 128)
    memory = kept["compared"]["sia_to_nia_memory"]
    assert memory["most"] <= memory["allowed"] == 1.3
    saved = kept["compared"]["saved_of_fia_time"]
    assert saved["median"] >= saved["published"] == 0.56
    growth = {one: found["cpu_seconds"]["entities"] for one, found in kept["growth"].items()}
    flat = " ".join(README.split())
    assert f"{memory['median']:.2f} times the memory of NIA" in flat
    assert f"never more than {memory['most']:.2f}" in flat
    assert f"{saved['median']:.0%} of FIA's time" in flat
    assert f"from {saved['least']:.0%} to {saved['most']:.0%}" in flat
    for context, power in growth.items():
        assert f"{power:.2f} for {context.upper()}" in flat
    costs = {(row["context"], row["n_entities"], row["n_tokens"]): row for row in kept["rows"]}
    cells = [size for context, *size in costs if context == "sia"]
    assert len(cells) == 20
    saved = [
        1 - costs[("sia", *one)]["cpu_seconds"] / costs[("fia", *one)]["cpu_seconds"]
        for one in cells
    ]
    assert f"median of {median(saved):.0%}, from −{-min(saved):.0%}," in flat
    memory = [costs[("sia", *one)]["peak_mb"] / costs[("nia", *one)]["peak_mb"] for one in cells]
    assert f"at most {max(memory):.2f} times NIA's memory" in flat
