"""The shipped CACTUS: small, whole, offered."""

from dataclasses import replace

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.judging.own_sets import own_recipe
from subclust.methods import METHODS, encoder_of, load_method, standalone, train_method
from subclust.methods.cactus.card import about
from subclust.text.encoders import load_encoder
from subclust.training.training_run import TrainingRun

MODELS = PROJECT_ROOT / "models"
PASSAGES = [
    "The bridge was opened to trains in 1890 after eight years of work.",
    "Building it cost the lives of dozens of workers.",
    "Its cantilevers span more than five hundred metres each.",
    "Each tower stands on four caissons of steel.",
    "A painter's work on it was long said never to end.",
]


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
    mine = train_method(
        TrainingRun(
            "cactus-query", "mine", short, sets[:1], sets[1:], encoder, tmp_path, base=shipped
        )
    )
    assert mine.config["layers_of"] == "centred-qs3m/wikipedia"
    below, whole = shipped.encoder_layers, standalone(mine, store).encoder_layers
    assert all(np.array_equal(whole[name], layer) for name, layer in below.items())
    assert len(whole) > len(below)  # and adapters
