import pytest
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import load_base, train_method
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

SET = ClusteringInstance(
    Query("q"), tuple(Passage(str(n), f"text {n}", label=str(n % 2)) for n in range(6))
)


@pytest.mark.parametrize(
    ("method", "model", "objective", "values"),
    [
        ("cob", {"hidden_dim": 0}, {}, {"method": "cob"}),
        ("sbert-triplet", {"hidden_dim": 0}, {}, {"method": "sbert-triplet"}),
        ("cob", {}, {"interpolation": 0.0}, {"interpolation": 0.0}),
        (
            "cob",
            {},
            {"regularisation": -1.0},
            {"name": "regularisation", "least": 0, "value": -1.0},
        ),
        ("cob", {}, {"noise": -0.1}, {"name": "noise", "least": 0, "value": -0.1}),
        ("cob", {}, {"samples": 0}, {"name": "samples", "least": 1, "value": 0}),
        ("sbert-triplet", {"centred": True}, {}, {}),
        ("cob", {}, {"loss": "bce"}, {"key": "loss", "value": "bce"}),
        ("cob", {}, {"clusterer": "dbscan"}, {"key": "clusterer", "value": "dbscan"}),
        ("cob", {}, {"margin": 1.0}, {"key": "margin"}),
        ("sbert-triplet", {}, {"margin": 0.0}, {"margin": 0.0}),
        (
            "sbert-triplet",
            {},
            {"triplets_per_query": 0},
            {"name": "triplets_per_query", "value": 0},
        ),
        ("sbert-triplet", {}, {"triplets": "some"}, {"key": "triplets", "value": "some"}),
        ("cob-query", {}, {"tuned_embeddings": True}, {}),
        ("cob", {"layers": 3}, {}, {"name": "cob"}),
    ],
)
def test_a_recipe_that_cannot_work_is_one_sentence(
    tmp_path, encoder, method, model, objective, values
):
    recipe = Recipe(TrainingArguments(epochs=1), model, objective)
    with raises(Exception, **values) as refused:
        train_method(TrainingRun(method, "x", recipe, [SET], [SET], encoder, tmp_path / "run"))
    assert "\n" not in str(refused.value)
    assert type(refused.value).__module__ == TrainingError.__module__


def test_the_whole_encoder_learns_where_the_recipe_says_so(tmp_path, tiny_bert):
    from subclust.text.encoders import SentenceEncoder

    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    n_layers = len(encoder.fresh_model()[0].auto_model.encoder.layer)
    objective = {"tuned_layers": n_layers, "tuned_embeddings": True}
    recipe = Recipe(TrainingArguments(epochs=2), {"hidden_dim": 0}, objective)
    checkpoint = train_method(
        TrainingRun("cob", "x", recipe, [SET], [SET], encoder, tmp_path / "run")
    )
    assert any("word_embeddings" in name for name in checkpoint.encoder_layers)
    assert not checkpoint.head_weights
    with raises(Exception, count=3):
        objective["tuned_layers"] = n_layers - 1
        train_method(TrainingRun("cob", "x", recipe, [SET], [SET], encoder, tmp_path / "other"))


def trained(method, encoder, folder, base=None, **objective):
    recipe = Recipe(TrainingArguments(epochs=1), {"hidden_dim": 6}, objective)
    return train_method(TrainingRun(method, "x", recipe, [SET], [SET], encoder, folder, base=base))


def test_a_run_may_start_from_another_method_with_the_same_network(tmp_path, encoder):
    base = trained("centred-qs3m", encoder, tmp_path / "base")
    store = CheckpointStore(tmp_path / "models")
    store.save(base)
    found = load_base("cob-query", "centred-qs3m/x", store)
    assert found == base and load_base("centred-qs3m", "x", store) == base
    checkpoint = trained("cob-query", encoder, tmp_path / "run", base=found)
    assert checkpoint.config["base"] == "centred-qs3m/x"
    assert checkpoint.card["history"][0]["metrics"]["ari"] == base.card["scores"]["validation_ari"]
    with raises(TrainingError, method="cob", method_2="centred-qs3m", base="x"):
        trained("cob", encoder, tmp_path / "other", base=found)


def test_layers_of_another_method_are_shared_and_not_kept_twice(tmp_path, tiny_bert):
    from safetensors.numpy import load_file

    from subclust.methods import load_method
    from subclust.text.encoders import SentenceEncoder

    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    store = CheckpointStore(tmp_path / "models")
    store.save(trained("centred-qs3m", encoder, tmp_path / "base", tuned_layers=1))
    base = store.load("centred-qs3m", "x")
    over = load_method("centred-qs3m", store, encoder).encoder
    store.save(trained("cob-query", over, tmp_path / "run", base=base))
    kept = load_file(store.folder / "cob-query" / "x" / "weights.safetensors")
    assert kept and all(name.startswith("head.") for name in kept)
    loaded = load_method("cob-query", store, encoder)
    assert loaded.checkpoint.config["layers_of"] == "centred-qs3m/x"
    # The vectors that one of the two has made serve the other.
    assert loaded.encoder.revision == over.revision
    tuned = trained("cob-query", over, tmp_path / "tuned", base=base, tuned_layers=1)
    assert "layers_of" not in tuned.config and set(tuned.encoder_layers) >= set(base.encoder_layers)
