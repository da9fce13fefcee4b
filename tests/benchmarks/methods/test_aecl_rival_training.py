from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest
import torch
from raising import raises
from themed_texts import relabelled, themed

from benchmarks.methods.rivals import learners
from benchmarks.methods.rivals.soft_assignments import (
    assignment_divergence,
    target_distribution,
)
from subclust.core.exceptions import TrainingError
from subclust.core.records import Query
from subclust.jobs import STOP_FILE
from subclust.methods import load_trained, train_method
from subclust.text.encoders import SentenceEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = [pytest.mark.research, pytest.mark.usefixtures("one_thread")]

ARGUMENTS = TrainingArguments(
    epochs=12,
    learning_rate=5e-5,
    warmup=0.0,
    weight_decay=0.0,
    schedule="constant",
    batch_passages=40,
)
OBJECTIVES = {
    "self-train": {"pretraining": 8, "head_rate": 60.0},
    "sccl": {"head_rate": 100.0},
    "rstc": {"head_rate": 100.0, "first_stage": 1},
}
every_rival = pytest.mark.parametrize("method", OBJECTIVES)


def trained(method, encoder, folder, instance=None, objective=None, arguments=ARGUMENTS, **options):
    model = {"self-train": {"widths": [40, 40], "latent_dim": 8}, "rstc": {"dropout": 0.1}}
    recipe = Recipe(arguments, model.get(method, {}), {**OBJECTIVES[method], **(objective or {})})
    return train_method(
        TrainingRun(method, "x", recipe, [instance or themed()], [], encoder, folder, **options)
    )


@every_rival
def test_plain_themes_are_found_and_no_label_is_learnt_from(tmp_path, encoder, method):
    right = trained(method, encoder, tmp_path / "right")
    wrong = trained(method, encoder, tmp_path / "wrong", relabelled(themed()))
    assert right.card["scores"]["acc"] > 0.8 > wrong.card["scores"]["acc"]
    for name, tensor in right.tensors.items():
        np.testing.assert_array_equal(tensor, wrong.tensors[name])
    texts = [passage.text for passage in themed().passages]
    fitted = load_trained(right, encoder).clusterer
    fitted.fit(texts, query=Query(""), embeddings=encoder.encode(texts))
    assert fitted.n_clusters_source_ == "trained" and fitted.n_clusters_ == 3


@every_rival
@pytest.mark.parametrize("stopped_after", [2, 50])
def test_a_stopped_run_ends_like_one_that_was_not(tmp_path, tiny_bert, method, stopped_after):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    objective = {"tuned_layers": 1}
    whole = trained(method, encoder, tmp_path / "whole", objective=objective)
    folder = tmp_path / "parts"

    def stop(line):
        if line["step"] == stopped_after:
            (folder / STOP_FILE).touch()

    with raises(Exception, steps=ANY):
        trained(method, encoder, folder, objective=objective, progress=stop)
    resumed = trained(method, encoder, folder, objective=objective, resume=True)
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(tensor, resumed.tensors[name])


@every_rival
def test_a_new_run_takes_nothing_of_an_old_one(tmp_path, encoder, method):
    trained(method, encoder, tmp_path / "run")
    again = trained(method, encoder, tmp_path / "run", themed(300))
    fresh = trained(method, encoder, tmp_path / "fresh", themed(300))
    for name, tensor in fresh.tensors.items():
        np.testing.assert_array_equal(tensor, again.tensors[name])


@pytest.mark.parametrize(
    ("method", "objective", "values"),
    [
        ("self-train", {"pretraining": 0}, {"name": "pretraining", "value": 0}),
        ("sccl", {"temperature": 0.0}, {"name": "temperature", "value": 0.0}),
        ("sccl", {"augmented_share": 2.0}, {"name": "augmented_share", "value": 2.0}),
        ("rstc", {"penalty": 0.0}, {"name": "penalty", "value": 0.0}),
        ("rstc", {"margin": 1.0}, {"key": "margin"}),
    ],
)
def test_a_recipe_that_cannot_work_is_one_sentence(tmp_path, encoder, method, objective, values):
    with raises(TrainingError, **values) as refused:
        trained(method, encoder, tmp_path / "run", objective=objective)
    assert "\n" not in str(refused.value)


def test_self_training_keeps_its_targets_for_an_epoch(tmp_path, encoder, monkeypatch):
    made, asked = [], []

    def targets(q):
        made.append(target_distribution(q))
        return made[-1]

    def divergence(p, q):
        asked.append(p)
        return assignment_divergence(p, q)

    monkeypatch.setattr(learners, "target_distribution", targets)
    monkeypatch.setattr(learners, "assignment_divergence", divergence)
    trained("self-train", encoder, tmp_path)
    n_texts = len(themed().passages)
    assert [tuple(one.shape) for one in made] == [(n_texts, 3)] * 4
    of_an_epoch = torch.cat(asked[: len(asked) // 4])
    assert len(of_an_epoch) == n_texts
    torch.testing.assert_close(of_an_epoch.sort(dim=0)[0], made[0].sort(dim=0)[0])


@pytest.mark.parametrize(("method", "groups"), [("sccl", "centres"), ("rstc", "classify.1.weight")])
def test_the_contrast_reaches_the_groups_where_the_encoder_learns(
    tmp_path, tiny_bert, method, groups
):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32")
    arguments = replace(ARGUMENTS, gradient_clip=0.0)  # a common length would tie them together
    for layers, reaches in ((0, False), (1, True)):
        alone, both = (
            trained(
                method,
                encoder,
                tmp_path / f"{layers}-{weight}",
                objective={"tuned_layers": layers, "instance_weight": weight},
                arguments=arguments,
            )
            for weight in (0.0, 10.0)
        )
        (name,) = (name for name in both.tensors if name.endswith(groups))
        assert np.array_equal(alone.tensors[name], both.tensors[name]) != reaches


def test_pseudo_labels_of_k_means_stay_for_the_epochs_they_are_asked_for(
    tmp_path, encoder, monkeypatch
):
    made = {"kmeans": 0, "transport": 0}
    for name in made:
        plain = getattr(learners.RstcLearner, f"_by_{name}")

        def counted(self, name=name, plain=plain):
            made[name] += 1
            return plain(self)

        monkeypatch.setattr(learners.RstcLearner, f"_by_{name}", counted)
    trained("rstc", encoder, tmp_path / "run", objective={"kmeans_epochs": 4})
    assert made == {"kmeans": 1, "transport": ARGUMENTS.epochs - 1 - 4}
    with raises(TrainingError, name="kmeans_epochs", value=0):
        trained("rstc", encoder, tmp_path / "none", objective={"kmeans_epochs": 0})
