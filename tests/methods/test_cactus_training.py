"""From labelled subsets to a checkpoint over word pieces, and back."""

import json
from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import CheckpointError, EncoderError, TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.clustering import threshold_count
from subclust.methods import load_method, train_method
from subclust.methods.cactus.variants import VARIANTS
from subclust.text.encoders import CachedEncoder, SentenceEncoder
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

pytestmark = pytest.mark.research

MOODS = ["sadly", "gladly", "slowly"]
SUBJECTS = ["taxes colonies army battle", "ant burrow night termite", "shelf map author reader"]


def by_mood(numbers):
    """Make sets in which one word tells the groups, and the others mislead."""
    made = []
    for number in numbers:
        draw = np.random.default_rng(number)
        passages = [
            Passage(f"{n}", f"{mood} {' '.join(draw.permutation(words.split())[:3])}", label=mood)
            for n, (mood, words) in enumerate((m, w) for m in MOODS for w in SUBJECTS)
        ]
        made.append(ClusteringInstance(Query(f"question {number % 10}"), tuple(passages)))
    return made


TRAINING, VALIDATION = by_mood(range(8)), by_mood([20, 21, 22])


@pytest.fixture
def encoder(tmp_path, tiny_bert):
    inner = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    return CachedEncoder(inner, tmp_path / "cache")


def tuned(method="cactus", **objective):
    words = VARIANTS[method].words_only
    layers = {"tuned_embeddings": True} if words else {"tuned_layers": 2}
    return {**layers, **objective}


def train(folder, encoder, method="cactus", objective=None, base=None, model=None, **arguments):
    settings = {"epochs": 2, "learning_rate": 3e-3, "batch_passages": 20, **arguments}
    recipe = Recipe(
        TrainingArguments(**settings),
        model or {},
        tuned(method) if objective is None else objective,
    )
    return train_method(
        TrainingRun(method, "tiny", recipe, TRAINING, VALIDATION, encoder, folder, base=base)
    )


def grouped(method, store, encoder, n_clusters="auto", instance=VALIDATION[0]):
    clusterer = load_method(method, store, encoder, "tiny").clusterer
    clusterer.n_clusters = n_clusters
    return clusterer.fit([p.text for p in instance.passages], query=instance.query)


@pytest.mark.parametrize("method", VARIANTS)
def test_a_checkpoint_over_word_pieces_groups_as_it_was_validated(tmp_path, encoder, method):
    checkpoint = train(tmp_path / "run", encoder, method)
    config, card = checkpoint.config, checkpoint.card
    assert config["model"]["reads"] == "tokens"
    assert config["encoder_revision"] == encoder.revision
    assert card["training"]["loss"] == VARIANTS[method].loss
    json.dumps([config, card])
    store = CheckpointStore(tmp_path / "models")
    store.save(checkpoint)
    indices = []
    for instance in VALIDATION:
        fitted = grouped(method, store, encoder, 3, instance)
        gold = np.array(instance.gold())
        same = gold[:, None] == gold[None, :]
        found = fitted.labels_[:, None] == fitted.labels_[None, :]
        indices.append(float((same == found).mean()))
        assert fitted.scores_ == pytest.approx(fitted.scores_.T)
    assert grouped(method, store, encoder).n_clusters_source_ == "threshold"
    best = max(card["history"], key=lambda line: line["metrics"]["combined"])
    assert card["scores"]["validation_ari"] == pytest.approx(best["metrics"]["ari"], abs=1e-6)
    assert (np.mean(indices) == 1) == (card["scores"]["validation_ari"] == 1)


@pytest.mark.parametrize("loss", ["augmented-triplet", "triplet", "structural", "cross-entropy"])
def test_each_loss_teaches_what_the_encoder_does_not_see(tmp_path, encoder, loss):
    objective = tuned(loss=loss, tuned_layers=3)
    checkpoint = train(tmp_path, encoder, objective=objective, epochs=40)
    told = {"triplet": "the triplet loss.", "cross-entropy": "by cross-entropy on pairs of"}
    assert told.get(loss, loss.replace("-", " ")) in checkpoint.card["summary"]
    assert "encoded together (SIA" in checkpoint.card["summary"]
    first = checkpoint.card["history"][0]["metrics"]
    scores = checkpoint.card["scores"]
    assert first["ari"] < 0.3
    assert scores["validation_ari"] > 0.7
    assert scores["validated_threshold_ari"] > 0.7


def test_the_neutral_similarity_is_learnt_and_can_be_the_threshold(tmp_path, encoder):
    objective = tuned(head_rate=10.0)
    by_validation = train(tmp_path / "a", encoder, objective=objective, epochs=6)
    neutral = by_validation.config["neutral_similarity"]
    assert abs(neutral) > 0.01
    assert by_validation.config["threshold"] == by_validation.config["validated_threshold"]
    again = train(
        tmp_path / "b",
        encoder,
        objective={**objective, "count_by": "neutral"},
        base=by_validation,
        epochs=0,
    )
    assert again.config["threshold"] == pytest.approx(neutral, abs=1e-3)
    scores = again.card["scores"]
    assert {"neutral_threshold_ari", "validated_threshold_ami"} <= set(scores)
    assert scores["validated_threshold_ari"] >= scores["neutral_threshold_ari"] - 1e-9


def test_the_neutral_similarity_may_learn_at_a_rate_of_its_own(tmp_path, encoder):
    slow, fast = (
        train(tmp_path / str(rate), encoder, objective=tuned(neutral_rate=rate), epochs=6)
        for rate in (0.0, 20.0)
    )
    moved = [abs(one.config["neutral_similarity"]) for one in (slow, fast)]
    assert 0 < moved[0] < moved[1] / 2


def test_kept_states_change_nothing(tmp_path, encoder):
    objective = tuned(tuned_layers=1, context_layers=1)
    plain = train(tmp_path / "plain", encoder, objective=objective)
    kept = train(tmp_path / "kept", encoder, objective={**objective, "cached_states": True})
    assert list((encoder.folder / "lower-states").glob("*-set-lower-2-*.states"))
    assert plain.tensors.keys() == kept.tensors.keys()
    for name, values in plain.tensors.items():
        np.testing.assert_allclose(values, kept.tensors[name], atol=2e-3)
    again = train(tmp_path / "again", encoder, objective={**objective, "cached_states": True})
    for name, values in kept.tensors.items():
        np.testing.assert_array_equal(values, again.tensors[name])


def test_a_stopped_run_goes_on_and_ends_the_same(tmp_path, encoder):
    whole = train(tmp_path / "whole", encoder, epochs=4)

    def stop_early(line):
        if line["step"] == 3:
            (tmp_path / "cut" / "stop").touch()

    recipe = Recipe(TrainingArguments(epochs=4, learning_rate=3e-3, batch_passages=20), {}, tuned())
    words = ("cactus", "tiny", recipe, TRAINING, VALIDATION, encoder, tmp_path / "cut")
    with pytest.raises(TrainingError):
        train_method(TrainingRun(*words, progress=stop_early))
    resumed = train_method(TrainingRun(*words, resume=True))
    for name, values in whole.tensors.items():
        np.testing.assert_array_equal(values, resumed.tensors[name])


def test_self_supervision_makes_new_subsets_each_epoch_and_is_a_base(tmp_path, encoder):
    objective = tuned(self_supervised=True, subsets=12)
    before = train(tmp_path / "a", encoder, objective=objective, epochs=4)
    assert before.card["training"]["self_supervised"]
    assert before.card["training"]["best_step"] > 0  # on subsets of its own kind it gets better
    after = train(tmp_path / "b", encoder, base=before, epochs=1)
    assert after.config["base"] == "tiny"
    assert after.card["stages"] == [before.card["training"]]
    first = after.card["history"][0]["metrics"]["ari"]
    assert first == pytest.approx(before.card["scores"]["validation_ari"], abs=0.05)


def test_a_threshold_of_self_supervision_is_never_gone_on_with(tmp_path, encoder):
    objective = tuned(self_supervised=True, subsets=12)
    before = train(tmp_path / "a", encoder, objective=objective, epochs=1)
    # As if the made subsets had asked for what no labelled query does.
    far = replace(before, config={**before.config, "threshold": 5.0, "threshold_mean_share": 0.6})
    after = train(tmp_path / "b", encoder, base=far, epochs=1)
    alike = train(tmp_path / "c", encoder, base=before, epochs=1)
    for name in ("threshold", "threshold_mean_share"):
        assert after.config[name] == alike.config[name] != far.config[name]


def test_the_best_step_is_looked_for_with_the_share_of_the_mean_that_the_model_gets(
    tmp_path, encoder, monkeypatch
):
    shares = []
    learnt = threshold_count.learn_mean_share

    def watched(pairs):
        shares.append(learnt(pairs))
        return shares[-1]

    monkeypatch.setattr("subclust.methods.cactus.learner.learn_mean_share", watched)
    trained = train(tmp_path / "a", encoder, evaluate_every=1)
    best = max(trained.card["history"], key=lambda step: step["metrics"]["combined"])
    assert len(shares) == len(trained.card["history"]) > 1
    share = shares[trained.card["history"].index(best)]
    assert share == trained.config["threshold_mean_share"]
    at_best = trained.card["scores"]["validated_threshold_ari"]
    assert best["metrics"]["auto_ari"] == pytest.approx(at_best, abs=0.02)


def test_sets_that_nobody_has_grouped_serve_self_supervision(tmp_path, encoder):
    ungrouped = [
        replace(
            instance,
            passages=tuple(replace(p, label=p.id, path=p.id) for p in instance.passages),
        )
        for instance in TRAINING
    ]
    for objective, works in ((tuned(self_supervised=True), True), (tuned(), False)):
        recipe = Recipe(TrainingArguments(epochs=1, batch_passages=20), {}, objective)
        words = ("cactus", "tiny", recipe, ungrouped, VALIDATION, encoder, tmp_path / f"{works}")
        if works:
            assert train_method(TrainingRun(*words)).card["training"]["steps"] > 3
        else:
            with raises(TrainingError):
                train_method(TrainingRun(*words))


def test_the_query_reaches_the_groups_of_cactus_query_alone(tmp_path, encoder):
    for method, changes in (("cactus-query", True), ("cactus", False)):
        store = CheckpointStore(tmp_path / "models")
        store.save(train(tmp_path / method, encoder, method))
        clusterer = load_method(method, store, encoder).clusterer
        texts = [p.text for p in VALIDATION[0].passages]
        one = clusterer.fit(texts, query=Query("taxes army")).scores_
        other = clusterer.fit(texts, query=Query("snout claw tongue")).scores_
        described = Query("taxes army", "snout claw tongue", context="description")
        third = clusterer.fit(texts, query=described).scores_
        assert (np.abs(one - other).max() > 1e-4) == changes
        np.testing.assert_allclose(third, other, atol=1e-6)


def test_what_contradicts_itself_is_refused(tmp_path, encoder):
    base = train(tmp_path / "base", encoder, epochs=1)
    vectors = train(tmp_path / "vectors", encoder, objective={}, epochs=1)
    plain = {**base.config, "model": {"embedding_dim": encoder.embedding_dim}}
    other = replace(base, method="cob", config=plain)
    for objective, options, values in [
        (tuned(), {"model": {"hidden_dim": 8}}, {"names": "hidden_dim"}),
        ({"self_supervised": True}, {}, {}),
        ({"cached_states": True}, {}, {}),
        (tuned(self_supervised=True, cached_states=True), {}, {}),
        (tuned(lora_rank=2), {}, {}),
        (tuned(tuned_layers=1), {"base": base}, {"base": "tiny", "said": ANY}),
        (tuned(), {"base": vectors}, {"base": "tiny", "said": "tuned_layers 0"}),
        (tuned(), {"base": other}, {"method_2": "cob", "base": "tiny"}),
        ({"margin": 0.0}, {}, {"name": "margin", "value": 0.0}),
    ]:
        with raises(TrainingError, **values):
            train(tmp_path / "run", encoder, objective=objective, **options)
    for objective, values in [
        (tuned(tuned_layers=9), {"what": "tuned_layers", "number": 9, "n_layers": 3}),
        (tuned(context_layers=9), {"what": "context_layers", "number": 9}),
        (tuned(tuned_layers=3, cached_states=True), {}),
        (tuned(tuned_layers=2, tuned_embeddings=True), {"n_layers": 3}),
    ]:
        with raises(EncoderError, **values):
            train(tmp_path / "run", encoder, objective=objective)


def test_weights_that_do_not_fit_are_refused(tmp_path, encoder):
    checkpoint = train(tmp_path / "run", encoder, epochs=1)
    store = CheckpointStore(tmp_path / "models")
    for name, tensors in [
        ("no-neutral", {k: v for k, v in checkpoint.tensors.items() if not k.endswith("neutral")}),
        ("cut", {k: v[..., :-1] if v.ndim else v for k, v in checkpoint.tensors.items()}),
    ]:
        store.save(replace(checkpoint, name=name, tensors=tensors))
        clusterer = load_method("cactus", store, encoder, name).clusterer
        with raises(CheckpointError, method="cactus"):
            clusterer.fit(["taxes", "ant"], query=Query("q"))
