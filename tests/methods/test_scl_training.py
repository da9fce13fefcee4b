import json
from dataclasses import replace

import numpy as np
import pytest
from raising import raises
from themed_texts import relabelled, themed

from subclust.core.exceptions import CheckpointError, TrainingError
from subclust.core.records import Query
from subclust.evaluation.metrics import accuracy
from subclust.methods import load_trained, train_method
from subclust.methods.scl.models import LatentSpace
from subclust.training.augmentation import wordings
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = [pytest.mark.research, pytest.mark.usefixtures("one_thread")]

ARGUMENTS = TrainingArguments(epochs=6, learning_rate=5e-3, warmup=0.0, batch_passages=80)


def trained(method, encoder, folder, instance=None, arguments=ARGUMENTS, **objective):
    recipe = Recipe(arguments, {}, objective)
    return train_method(
        TrainingRun(method, "x", recipe, [instance or themed()], [], encoder, folder)
    )


def test_scl_finds_plain_themes_and_learns_from_no_label(tmp_path, encoder):
    right = trained("scl", encoder, tmp_path / "right")
    wrong = trained("scl", encoder, tmp_path / "wrong", relabelled(themed()))
    assert right.card["scores"]["acc"] > 0.9 > wrong.card["scores"]["acc"]
    for name, tensor in right.tensors.items():
        np.testing.assert_array_equal(tensor, wrong.tensors[name])


def test_the_space_starts_as_the_directions_in_which_vectors_are_longest():
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(300, 8)) @ generator.normal(size=(8, 48))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    network = LatentSpace(embedding_dim=48, n_clusters=3, latent_dim=8).eval()
    network.begin_with(vectors)
    # The vectors lie in eight dimensions, so eight directions hold all that there is to know.
    points, _ = network.place(vectors, 0)
    np.testing.assert_allclose(points @ points.T, vectors @ vectors.T, atol=1e-5)
    fewer = LatentSpace(embedding_dim=48, n_clusters=3, latent_dim=3)
    fewer.begin_with(vectors)
    _, _, axes = np.linalg.svd(vectors, full_matrices=False)
    along = np.abs(fewer.latent.weight.detach().numpy() @ axes[:3].T)
    np.testing.assert_allclose(along, np.eye(3), atol=1e-4)


@pytest.mark.parametrize(
    ("method", "starts"), [("scl", True), ("fcl", True), ("few-shot-supervised", False)]
)
def test_what_learns_distances_starts_from_those_of_the_collection(
    tmp_path, encoder, method, starts
):
    barely = TrainingArguments(epochs=1, learning_rate=1e-9, warmup=0.0, batch_passages=80)
    found = trained(method, encoder, tmp_path / "run", arguments=barely)
    weight = found.tensors["head.latent.weight"].astype(np.float64)
    assert np.allclose(weight @ weight.T, np.eye(len(weight)), atol=1e-3) is starts


@pytest.mark.parametrize("reader", ["transformer", "lstm"])
def test_the_space_may_be_divided_by_its_graph_at_the_end(tmp_path, encoder, reader):
    plain, found = (
        train_method(
            TrainingRun(
                "scl",
                "x",
                Recipe(ARGUMENTS, {}, {"encoder": reader, "division": division}),
                [themed()],
                [],
                encoder,
                tmp_path / division,
            )
        )
        for division in ("kmeans", "spectral")
    )
    assert "division" not in plain.config and found.config["division"] == "spectral"
    for name, tensor in plain.tensors.items():
        np.testing.assert_array_equal(tensor, found.tensors[name])
    loaded = load_trained(found, encoder).clusterer
    assert loaded.division == "spectral"
    passages = [passage.text for passage in themed().passages]
    loaded.fit(passages, query=Query(""), embeddings=encoder.encode(passages))
    gold = themed().gold()
    if reader == "transformer":
        assert accuracy(gold, loaded.labels_) == pytest.approx(found.card["scores"]["acc"])
        assert found.card["scores"]["acc"] > 0.9
    odd = replace(found, config={**found.config, "division": "halves"})
    with raises(CheckpointError, name="scl", checkpoint="x", division="halves"):
        load_trained(odd, encoder)


@pytest.mark.parametrize("method", ["fcl", "few-shot-supervised"])
def test_a_few_labels_are_learnt_from_and_the_others_change_nothing(tmp_path, encoder, method):
    arguments = replace(ARGUMENTS, epochs=40)
    found = trained(method, encoder, tmp_path / "run", arguments=arguments)
    assert found.card["scores"]["acc"] > 0.9
    drawn = np.random.default_rng(0).permutation(240)[:24]
    passages = [
        p if number in drawn else replace(p, label="theme 1", path="theme 1")
        for number, p in enumerate(themed().passages)
    ]
    other = replace(themed(), passages=tuple(passages))
    again = trained(method, encoder, tmp_path / "again", other, arguments=arguments)
    for name, tensor in found.tensors.items():
        np.testing.assert_array_equal(tensor, again.tensors[name])


@pytest.mark.parametrize("alone", ["theme 0", "theme 1", "theme 2"])
def test_fcl_unites_what_its_labels_unite(tmp_path, encoder, alone):
    # Two labels over three themes: without labels at most one of these three could be found.
    passages = tuple(
        replace(p, label=label, path=label)
        for p in themed().passages
        for label in [alone if p.label == alone else "rest"]
    )
    instance = replace(themed(), passages=passages)
    arguments = replace(ARGUMENTS, epochs=60)
    found = trained("fcl", encoder, tmp_path / "fcl", instance, arguments=arguments)
    assert found.card["scores"]["ari"] > 0.7


def test_fcl_reads_pairs_instead_of_labels(tmp_path, encoder):
    passages = themed().passages
    rows = []
    for one, other in np.random.default_rng(1).integers(0, 240, (240, 2)):
        if one != other:
            same = passages[one].label == passages[other].label
            rows.append({"first_id": f"p{one}", "second_id": f"p{other}", "same": same})
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    arguments = replace(ARGUMENTS, epochs=40)
    found = trained("fcl", encoder, tmp_path / "run", arguments=arguments, pairs=str(path))
    assert found.card["scores"]["acc"] > 0.85


def test_uda_changes_what_fcl_learns(tmp_path, encoder):
    plain = trained("fcl", encoder, tmp_path / "plain")
    uda = trained("fcl", encoder, tmp_path / "uda", consistency=True)
    assert (plain.tensors["head.latent.weight"] != uda.tensors["head.latent.weight"]).any()
    assert uda.card["training"]["consistency"] is True
    assert uda.card["scores"]["acc"] > plain.card["scores"]["acc"] - 0.05


@pytest.mark.parametrize(
    ("method", "objective", "values"),
    [
        ("scl", {"temperature": 0.0}, {"name": "temperature", "value": 0.0}),
        ("scl", {"masked_share": 1.0}, {"name": "masked_share", "value": 1.0}),
        ("fcl", {"label_share": 0.0}, {"name": "label_share", "value": 0.0}),
        ("fcl", {"pairs": "absent.jsonl"}, {"path": "absent.jsonl"}),
        ("scl", {"augmentation": "dreams"}, {"key": "augmentation", "value": "dreams"}),
        ("few-shot-supervised", {"label_share": 0.005}, {"what": "1 labels"}),
    ],
)
def test_a_recipe_that_cannot_work_is_one_sentence(tmp_path, encoder, method, objective, values):
    with raises(TrainingError, **values) as refused:
        trained(method, encoder, tmp_path / "run", **objective)
    assert "\n" not in str(refused.value)


def test_uda_changes_what_scl_learns(tmp_path, encoder):
    plain = trained("scl", encoder, tmp_path / "plain")
    uda = trained("scl", encoder, tmp_path / "uda", consistency=True)
    assert (plain.tensors["head.latent.weight"] != uda.tensors["head.latent.weight"]).any()
    assert uda.card["scores"]["acc"] > 0.9


class Reverser:
    name = "reverser"
    label = "Reverser 1"

    def translate(self, texts):
        return [" ".join(reversed(text.split())) for text in texts]


@pytest.mark.parametrize(
    ("method", "objective", "told"),
    [
        ("scl", {"augmentation": "back-translation"}, "Reverser 1; masking for French"),
        ("scl", {"consistency": True}, "masking"),
        (
            "fcl",
            {"augmentation": "back-translation", "consistency": True},
            "Reverser 1; masking for French; masking",
        ),
        ("fcl", {"augmentation": "back-translation"}, None),  # it sees no other wordings
    ],
)
def test_the_card_says_who_made_the_wordings(
    tmp_path, encoder, monkeypatch, method, objective, told
):
    monkeypatch.setattr(
        wordings, "find_back_translator", lambda language: Reverser() if language == "es" else None
    )
    arguments = replace(ARGUMENTS, epochs=1)
    found = trained(method, encoder, tmp_path / "run", arguments=arguments, **objective)
    assert found.card["training"].get("wordings") == told


@pytest.mark.parametrize("method", ["scl", "few-shot-supervised"])
def test_what_learns_from_no_pairs_refuses_them(tmp_path, encoder, method):
    with raises(TrainingError, method=method):
        trained(method, encoder, tmp_path / "run", pairs="pairs.jsonl")
