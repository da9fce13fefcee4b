from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest
import torch
from raising import raises
from themed_texts import relabelled, themed

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import EncoderError, TrainingError
from subclust.core.records import ClusteringInstance, Query
from subclust.evaluation.metrics import accuracy
from subclust.grouping.clustering.kmeans import kmeans_labels
from subclust.jobs import STOP_FILE
from subclust.methods import load_trained, train_method
from subclust.methods.aecl import training
from subclust.methods.aecl.models import AeclNetwork
from subclust.methods.aecl.pseudo_labels import (
    LABELS_FILE,
    kmeans_pseudo_labels,
    propagated,
    read_labels,
)
from subclust.text.encoders import SentenceEncoder
from subclust.training.augmentation.word_changes import WITH_SYNONYMS, WITHOUT_SYNONYMS
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = [pytest.mark.research, pytest.mark.usefixtures("one_thread")]

ARGUMENTS = TrainingArguments(
    epochs=8,
    learning_rate=5e-5,
    warmup=0.0,
    weight_decay=0.0,
    schedule="constant",
    batch_passages=40,
)
OBJECTIVE = {"first_stage": 2, "second_stage": 2, "imbalance": "balanced", "head_rate": 100.0}


def trained(encoder, folder, instance=None, arguments=ARGUMENTS, model=None, **options):
    objective = {**OBJECTIVE, **options.pop("objective", {})}
    recipe = Recipe(arguments, model or {}, objective)
    return train_method(
        TrainingRun("aecl", "x", recipe, [instance or themed()], [], encoder, folder, **options)
    )


def test_three_plain_themes_are_found_without_their_labels(tmp_path, encoder):
    checkpoint = trained(encoder, tmp_path / "run")
    assert checkpoint.config["model"]["n_clusters"] == 3
    assert checkpoint.card["scores"]["acc"] > 0.9
    texts = [passage.text for passage in themed().passages]
    method = load_trained(checkpoint, encoder)
    method.clusterer.fit(texts, query=Query(""), embeddings=encoder.encode(texts))
    assert method.clusterer.n_clusters_source_ == "trained"
    gold = [passage.label for passage in themed().passages]
    assert accuracy(gold, method.clusterer.labels_) > 0.9


def test_labels_change_nothing_but_the_scores(tmp_path, encoder):
    right = trained(encoder, tmp_path / "right")
    wrong = trained(encoder, tmp_path / "wrong", relabelled(themed()))
    assert right.tensors.keys() == wrong.tensors.keys()
    for name, tensor in right.tensors.items():
        np.testing.assert_array_equal(tensor, wrong.tensors[name])
    assert right.card["scores"]["acc"] > wrong.card["scores"]["acc"] + 0.2


def test_a_collection_without_labels_needs_a_number_and_gets_no_scores(tmp_path, encoder):
    labelled = themed()
    bare = ClusteringInstance(
        labelled.query, tuple(replace(p, label=None, path=None) for p in labelled.passages)
    )
    with raises(TrainingError):
        trained(encoder, tmp_path / "none", bare)
    checkpoint = trained(encoder, tmp_path / "three", bare, model={"n_clusters": 3})
    assert checkpoint.card["scores"] == {}
    with_labels = trained(encoder, tmp_path / "labelled", model={"n_clusters": 3})
    for name, tensor in checkpoint.tensors.items():
        np.testing.assert_array_equal(tensor, with_labels.tensors[name])


@pytest.mark.parametrize("stopped_after", [2, 14, 20, 40])
def test_a_stopped_run_ends_like_one_that_was_not(tmp_path, tiny_bert, stopped_after):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    objective = {"tuned_layers": 1}
    whole = trained(encoder, tmp_path / "whole", objective=objective)
    assert read_labels(tmp_path / "whole", 240) is not None
    folder = tmp_path / "parts"

    def stop(line):
        if line["step"] == stopped_after:
            (folder / STOP_FILE).touch()

    with raises(Exception, steps=ANY):
        trained(encoder, folder, objective=objective, progress=stop)
    resumed = trained(encoder, folder, objective=objective, resume=True)
    assert any(name.startswith("encoder.") for name in whole.tensors)
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(tensor, resumed.tensors[name])


def test_the_whole_encoder_may_learn_with_its_word_embeddings(tmp_path, tiny_bert):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    whole = {"tuned_layers": 3, "tuned_embeddings": True}
    arguments = replace(ARGUMENTS, epochs=1)
    checkpoint = trained(encoder, tmp_path / "whole", arguments=arguments, objective=whole)
    before = dict(encoder.fresh_model().named_parameters())
    name = next(n for n in checkpoint.encoder_layers if n.endswith("word_embeddings.weight"))
    assert np.abs(checkpoint.encoder_layers[name] - before[name].detach().numpy()).max() > 1e-4
    with raises(EncoderError, count=3):
        trained(encoder, tmp_path / "two", objective={**whole, "tuned_layers": 2})


def directions(n_texts, seed):
    drawn = np.random.default_rng(seed).normal(size=(n_texts, 6))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(("n_neighbors", "n_steps"), [(1, 1), (4, 1), (4, 3), (50, 2)])
def test_vectors_are_averaged_over_neighbours_as_a_loop_does(n_neighbors, n_steps):
    vectors = directions(30, seed=0)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -np.inf)
    nearest = [set(np.argsort(-row)[: min(n_neighbors, 29)]) for row in alike]
    linked = [
        [other for other in range(30) if other == n or other in nearest[n] or n in nearest[other]]
        for n in range(30)
    ]
    expected = vectors.astype(float)
    for _ in range(n_steps):
        expected = np.array(
            [
                sum(expected[m] / np.sqrt(len(linked[n]) * len(linked[m])) for m in linked[n])
                for n in range(30)
            ]
        )
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(propagated(vectors, n_neighbors, n_steps), expected, atol=1e-6)


def test_texts_are_placed_by_the_mean_of_their_neighbours():
    vectors = directions(40, seed=2)
    torch.manual_seed(0)
    network = AeclNetwork(6, 3, latent_dim=4)
    plain = AeclNetwork(6, 3, latent_dim=4, n_neighbors=0)
    plain.load_state_dict(network.state_dict())
    points, labels = network.place(vectors, 0)
    means = propagated(vectors, 5, 1).astype(np.float32)
    expected, its_labels = plain.place(means, 0)
    np.testing.assert_allclose(points, expected, atol=1e-6)
    np.testing.assert_array_equal(labels, its_labels)
    assert np.abs(points - plain.place(vectors, 0)[0]).max() > 0.01
    np.testing.assert_array_equal(network.place(vectors[:1], 0)[0], plain.place(vectors[:1], 0)[0])
    with pytest.raises(ValueError, match="n_neighbors .* -1"):
        AeclNetwork(6, 3, n_neighbors=-1)


def test_pseudo_labels_of_the_paper_are_of_the_vectors_as_they_are():
    vectors = directions(60, seed=1)
    np.testing.assert_array_equal(propagated(vectors, 15, 0), vectors)
    plain = kmeans_pseudo_labels(vectors, 3, 0)
    np.testing.assert_array_equal(kmeans_labels(vectors.astype(float), 3, 0), plain)
    averaged = kmeans_pseudo_labels(vectors, 3, 0, n_neighbors=5, n_steps=4)
    assert accuracy(plain, averaged) < 1


def test_pseudo_labels_of_a_run_are_made_as_its_recipe_says(tmp_path, encoder):
    vectors = encoder.encode([passage.text for passage in themed().passages])
    for said, (n_neighbors, n_steps) in {"as-is": (15, 0), "averaged": (7, 2)}.items():
        named = {"n_neighbors": n_neighbors, "n_steps": n_steps}
        trained(encoder, tmp_path / said, objective=named)
        expected = kmeans_pseudo_labels(vectors, 3, ARGUMENTS.seed, **named)
        np.testing.assert_array_equal(read_labels(tmp_path / said, 240), expected)


def test_a_new_run_takes_no_pseudo_labels_of_an_old_one(tmp_path, encoder):
    folder = tmp_path / "run"
    trained(encoder, folder)
    old = read_labels(folder, 240)
    trained(encoder, folder, themed(seed=5))
    assert (read_labels(folder, 240) != old).any()
    (folder / LABELS_FILE).write_bytes(b"no labels")
    with raises(TrainingError, path=ANY):
        read_labels(folder, 240)


def test_the_last_weights_are_kept(tmp_path, encoder):
    # Nothing is chosen by validation, so more epochs must give other weights.
    short = trained(encoder, tmp_path / "short")
    long = trained(encoder, tmp_path / "long", arguments=replace(ARGUMENTS, epochs=9))
    assert short.card["training"]["best_step"] == short.card["training"]["steps"]
    assert any((short.tensors[n] != long.tensors[n]).any() for n in short.tensors)


@pytest.mark.parametrize(
    ("instance", "model", "objective", "values"),
    [
        (themed(150), {}, {}, {"method": "aecl", "fewest_texts": 200, "count": 150}),
        (themed(), {"n_clusters": 1}, {}, {"count": 1}),
        (themed(), {"n_clusters": 300}, {}, {"n_clusters": 300, "count": 240}),
        (themed(), {"n_clusters": "many"}, {}, {"count": "many"}),
        (themed(), {"depth": 3}, {}, {"name": "aecl"}),
        (themed(), {}, {"tuned_layers": 1}, {"encoder": "hashing", "setting": "tuned_layers"}),
        (themed(), {}, {"margin": 1.0}, {"key": "margin"}),
        (themed(), {}, {"imbalance": "some"}, {"key": "imbalance", "value": "some"}),
    ],
)
def test_what_cannot_work_is_one_sentence(tmp_path, encoder, instance, model, objective, values):
    with raises(Exception, **values) as refused:
        trained(encoder, tmp_path / "run", instance, model=model, objective=objective)
    assert "\n" not in str(refused.value)
    assert type(refused.value).__module__ == TrainingError.__module__


def test_one_label_is_no_number_of_groups(tmp_path, encoder):
    same = ClusteringInstance(
        Query("q"), tuple(replace(p, label="one", path="one") for p in themed().passages)
    )
    with raises(TrainingError):
        trained(encoder, tmp_path / "run", same)


def test_a_run_may_go_on_from_a_checkpoint(tmp_path, encoder):
    base = trained(encoder, tmp_path / "base")
    store = CheckpointStore(tmp_path / "models")
    store.save(base)
    further = trained(
        encoder,
        tmp_path / "run",
        base=store.load("aecl", "x"),
        arguments=replace(ARGUMENTS, epochs=1),
        objective={"first_stage": 0, "second_stage": 0},
    )
    assert further.config["base"] == "x" and further.card["scores"]["acc"] > 0.9
    with raises(TrainingError, method="aecl", method_2="aecl", base="x"):
        trained(encoder, tmp_path / "four", base=base, model={"n_clusters": 4})


def test_the_projection_starts_as_a_rotation():
    torch.manual_seed(0)
    vectors = torch.nn.functional.normalize(torch.randn(9, 12), dim=1)
    with torch.no_grad():
        z = AeclNetwork(12, 3, latent_dim=12)(vectors).z
        torch.testing.assert_close(z @ z.T, 12 * vectors @ vectors.T, atol=1e-5, rtol=1e-5)
        fewer = AeclNetwork(12, 3, latent_dim=5).project
        basis = fewer(torch.eye(12))
        torch.testing.assert_close(fewer(vectors), vectors @ basis, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(basis.T @ basis, torch.eye(5), atol=1e-5, rtol=1e-5)
        chance = AeclNetwork(12, 3, latent_dim=12, start="chance")(vectors).z
        assert (chance @ chance.T - 12 * vectors @ vectors.T).abs().max() > 1
    with pytest.raises(ValueError, match="'zero'"):
        AeclNetwork(12, 3, start="zero")


@pytest.mark.parametrize("there", [True, False])
def test_a_card_says_whether_words_had_synonyms(tmp_path, encoder, monkeypatch, there):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        (folder / name).write_text("")
    monkeypatch.setattr(training, "find_wordnet", lambda: folder if there else None)
    told = trained(encoder, tmp_path / "run").card["training"]["wordings"]
    assert told == (WITH_SYNONYMS if there else WITHOUT_SYNONYMS)
