"""From labelled queries to a checkpoint that groups passages, and the command that does it."""

import json

import numpy as np
import pytest
from raising import raises
from small_sets import instances

from subclust.checkpoints import CheckpointStore
from subclust.cli import main
from subclust.core.exceptions import EncoderError, TrainingError, TrainingStopped
from subclust.core.records import ClusteringInstance, Passage
from subclust.methods import METHODS, encoder_of, load_method, train_method
from subclust.text.encoders import CachedEncoder, SentenceEncoder, with_embedding
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

TRAINED = [
    name
    for name, card in METHODS.items()
    # The topic model has a training and tests of its own, and so has what learns a collection.
    if card.trainer is not None and name != "lda" and not card.whole_collection
]


def by_mood(numbers):
    """Make queries whose labels an untuned encoder does not see: the subjects cross them."""
    made = []
    for instance in instances(numbers):
        moods = ["sadly", "gladly", "slowly"]
        passages = tuple(
            Passage(p.id, f"{moods[row % 3]} {p.text}", label=moods[row % 3])
            for row, p in enumerate(instance.passages)
        )
        made.append(ClusteringInstance(instance.query, passages))
    return made


def recipe(objective=None, **training):
    arguments = {"epochs": 3, "learning_rate": 1e-3, "batch_passages": 20, **training}
    return Recipe(TrainingArguments(**arguments), {}, objective or {})


def train(method, encoder, folder, recipe, **options):
    return train_method(
        TrainingRun(
            method,
            "tiny",
            recipe,
            instances(range(6)),
            instances([7, 8]),
            encoder,
            folder,
            **options,
        )
    )


@pytest.mark.parametrize("method", TRAINED)
def test_a_trained_checkpoint_groups_passages(tmp_path, encoder, method):
    seen = []
    checkpoint = train(method, encoder, tmp_path / "run", recipe(), progress=seen.append)
    assert seen[-1]["step"] == seen[-1]["total"] == checkpoint.card["training"]["steps"]
    store = CheckpointStore(tmp_path / "models")
    store.save(checkpoint)
    loaded = load_method(method, store, encoder)
    held_out = instances([9])[0]
    texts = [passage.text for passage in held_out.passages]
    embeddings = loaded.encoder.encode(texts)
    query = with_embedding(held_out.query, loaded.encoder, embeddings)
    fitted = loaded.clusterer.fit(texts, query=query, embeddings=embeddings)
    assert fitted.labels_.shape == (9,)
    assert fitted.n_clusters_source_ == "threshold"
    assert 1 <= fitted.n_clusters_ <= 9

    card = checkpoint.card
    assert card["training"]["seed"] == 0 and card["training"]["context"] == "title"
    assert card["scores"]["validation_queries"] == 2
    assert -1 <= card["scores"]["validation_ari"] <= 1
    first, last = card["history"][0], card["history"][-1]
    assert (first["step"], first["epoch"], first["training_seconds"]) == (0, 0, 0)
    assert last["epoch"] == card["training"]["epochs"]
    assert 0 < last["training_seconds"] < card["training"]["seconds"] + 0.1
    assert checkpoint.config["encoder_revision"] == encoder.revision
    json.dumps([checkpoint.config, card])
    assert "## Scores" in (tmp_path / "models" / method / "tiny" / "README.md").read_text()


def test_training_teaches(tmp_path, encoder):
    # Plain subjects in words of their own: the validated index must rise from the start's.
    checkpoint = train("qs3m", encoder, tmp_path, recipe(epochs=30, learning_rate=3e-3))
    history = checkpoint.card["history"]
    assert checkpoint.card["scores"]["validation_ari"] > 0.9
    assert checkpoint.card["scores"]["validation_ari"] > history[0]["metrics"]["ari"]


@pytest.mark.parametrize("loss", ["bce", "mse"])
@pytest.mark.parametrize("pairs", ["all", "triples"])
def test_the_same_seed_gives_the_same_weights(tmp_path, encoder, loss, pairs):
    objective = {"loss": loss, "pairs": pairs, "context": "mixed"}
    one, two, other = (
        train("centred-qs3m", encoder, tmp_path / name, recipe(objective, epochs=2, seed=seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    for name, tensor in one.tensors.items():
        np.testing.assert_array_equal(tensor, two.tensors[name])
    assert one.config == two.config
    assert any(not np.array_equal(t, other.tensors[n]) for n, t in one.tensors.items())


def test_a_stopped_run_goes_on_and_ends_the_same(tmp_path, encoder):
    whole = train("qss", encoder, tmp_path / "whole", recipe(epochs=6))

    def stop(line):
        if line["step"] == 5:
            (tmp_path / "run" / "stop").touch()

    with raises(TrainingStopped, steps=5):
        train("qss", encoder, tmp_path / "run", recipe(epochs=6), progress=stop)
    resumed = train("qss", encoder, tmp_path / "run", recipe(epochs=6), resume=True)
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(tensor, resumed.tensors[name])
    assert whole.config == resumed.config


def test_layers_need_an_encoder_that_has_some(tmp_path, encoder):
    with raises(EncoderError, encoder="hashing", setting="tuned_layers"):
        train("centred-qs3m", encoder, tmp_path, recipe({"tuned_layers": 1}))


@pytest.mark.parametrize("objective", [{"tuned_layers": 1}, {"lora_rank": 2}])
def test_sentences_are_not_read_through_a_tuned_encoder(tmp_path, tiny_bert, objective):
    encoder = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    with raises(TrainingError, method="attn-qs3m"):
        train("attn-qs3m", encoder, tmp_path, recipe(objective))


@pytest.mark.parametrize(
    ("device", "precision"),
    [("cpu", "float32"), pytest.param("cuda", "bfloat16", marks=pytest.mark.gpu)],
)
@pytest.mark.parametrize(
    "objective", [{"tuned_layers": 2}, {"tuned_layers": 2, "cached_states": True}, {"lora_rank": 4}]
)
def test_a_tuning_that_is_killed_goes_on_and_is_loaded(
    tmp_path, tiny_bert, objective, device, precision
):
    place = {"max_seq_length": 16, "device": device, "precision": precision}

    def run(name, **options):
        # A cache of its own: the hidden states, too, are as the run that was killed left them.
        inner = SentenceEncoder(str(tiny_bert), **place)
        return train_method(
            TrainingRun(
                "centred-qs3m",
                "tiny",
                recipe(
                    {"head_rate": 3.0, **objective},
                    epochs=5,
                    learning_rate=3e-3,
                    save_every=4,
                    precision=precision,
                ),
                by_mood(range(6)),
                by_mood([7, 8]),
                CachedEncoder(inner, tmp_path / name / "cache"),
                tmp_path / name,
                device=device,
                **options,
            )
        )

    def kill(line):
        if line["step"] == 7:
            raise KeyboardInterrupt

    losses = []
    whole = run("whole", progress=lambda line: losses.append(line["loss"]))
    assert losses[-1] < 0.95 * losses[0]
    assert (tmp_path / "whole" / "cache" / "lower-states").exists() == (
        "cached_states" in objective
    )
    with pytest.raises(KeyboardInterrupt):
        run("run", progress=kill)
    resumed = run("run", resume=True)
    assert whole.card["training"]["best_step"] > 0
    assert whole.tensors.keys() == resumed.tensors.keys()
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(tensor, resumed.tensors[name])
    layers = {name for name in whole.tensors if name.startswith("encoder.")}
    assert layers and all((".lora_" in name) == ("lora_rank" in objective) for name in layers)

    store = CheckpointStore(tmp_path / "models")
    store.save(whole)
    base = SentenceEncoder(str(tiny_bert), **place)
    loaded = load_method("centred-qs3m", store, base)
    assert loaded.encoder.revision.startswith(f"{base.revision}-tuned-")
    texts = [passage.text for passage in by_mood([9])[0].passages]
    assert np.abs(loaded.encoder.encode(texts) - base.encode(texts)).max() > 1e-3


def test_a_tuned_layer_is_in_the_checkpoint_and_in_the_embeddings(tmp_path):
    encoder = SentenceEncoder(max_seq_length=32, precision="float32")
    checkpoint = train_method(
        TrainingRun(
            "centred-qs3m",
            "tiny",
            recipe({"tuned_layers": 1, "head_rate": 5.0}, epochs=6, learning_rate=3e-4),
            by_mood(range(6)),
            by_mood([7, 8]),
            encoder,
            tmp_path / "run",
        )
    )
    assert checkpoint.card["training"]["best_step"] > 0
    layers = {name for name in checkpoint.tensors if name.startswith("encoder.")}
    assert layers and all(".layer.5." in name for name in layers)
    # Half precision: the file stays small.
    assert {tensor.dtype for tensor in checkpoint.tensors.values()} == {np.dtype(np.float16)}
    store = CheckpointStore(tmp_path / "models")
    store.save(checkpoint)
    loaded = load_method("centred-qs3m", store, encoder)
    assert loaded.encoder.revision.startswith(encoder.revision)
    assert loaded.encoder.revision != encoder.revision
    texts = [passage.text for passage in instances([9])[0].passages]
    base, tuned = encoder.encode(texts), loaded.encoder.encode(texts)
    assert np.abs(base - tuned).max() > 1e-3
    # The encoder itself is as it was.
    np.testing.assert_array_equal(base, encoder.encode(texts))
    again = SentenceEncoder(max_seq_length=32, precision="float32").encode(texts)
    np.testing.assert_allclose(base, again, atol=1e-6)

    # A run that starts from it carries the layers on.
    following = train_method(
        TrainingRun(
            "centred-qs3m",
            "next",
            recipe(epochs=0),
            by_mood(range(6)),
            by_mood([7, 8]),
            loaded.encoder,
            tmp_path / "next",
            base=checkpoint,
        )
    )
    assert following.config["encoder_revision"] == encoder.revision
    assert set(following.tensors) == set(checkpoint.tensors)
    for name, tensor in checkpoint.tensors.items():
        np.testing.assert_array_equal(tensor, following.tensors[name])
    assert encoder_of(following, encoder).revision == loaded.encoder.revision


@pytest.mark.parametrize("method", TRAINED)
def test_a_run_starts_from_the_weights_of_its_base(tmp_path, encoder, method):
    base = train(method, encoder, tmp_path / "base", recipe(epochs=8, learning_rate=3e-3))
    going_on = train(method, encoder, tmp_path / "on", recipe(seed=4, epochs=1), base=base)
    first = going_on.card["history"][0]["metrics"]["ari"]
    assert first == pytest.approx(base.card["scores"]["validation_ari"])
    assert going_on.config["base"] == base.name
    assert going_on.card["stages"] == [base.card["training"]]
    fresh = train(method, encoder, tmp_path / "fresh", recipe(seed=4, epochs=1))
    # Those with a residual layer start from the embeddings as they are, whatever the seed.
    residual = method not in ("qss", "qs3m", "attn-qs3m")
    assert fresh.card["history"][0] != going_on.card["history"][0] or residual


def test_no_epochs_keep_the_weights_and_choose_the_rest(tmp_path, encoder):
    base = train("qs3m", encoder, tmp_path / "base", recipe(epochs=2))
    chosen = train("qs3m", encoder, tmp_path / "run", recipe(epochs=0), base=base)
    assert set(chosen.tensors) == set(base.tensors)
    for name, tensor in base.tensors.items():
        np.testing.assert_array_equal(tensor, chosen.tensors[name])
    assert chosen.card["training"]["steps"] == 0
    assert chosen.config["threshold"] == pytest.approx(base.config["threshold"], abs=1e-4)
    assert chosen.card["scores"] == base.card["scores"]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Give folders of their own and a labelled set, and a way to call ``train``."""
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    data = tmp_path / "set.csv"
    rows = ["query,text,label"]
    for instance in instances(range(6)):
        rows += [f"{instance.query.text},{p.text},{p.label}" for p in instance.passages]
    data.write_text("\n".join(rows))

    def command(*words, method="qss", name="mine"):
        arguments = ["train", method, "--data", str(data), "--name", name, "--set", "epochs=2"]
        return main([*arguments, *words])

    return command


def test_the_command_trains_saves_and_tells(machine, tmp_path, capsys):
    assert machine("--json") == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert (told["method"], told["name"]) == ("qss", "mine")
    card = CheckpointStore(tmp_path / "models").load("qss", "mine").card
    assert told["scores"] == card["scores"]
    assert card["training"]["epochs"] == 2
    # A fifth of six queries is held out.
    assert card["scores"]["validation_queries"] == 1
    assert card["training_data"][0] | {"sha256": ""} == {
        "name": "set.csv",
        "n_queries": 6,
        "n_passages": 54,
        "sha256": "",
        "licence": "not stated",
    }
    assert {"subclust", "torch"} <= set(card["versions"])


def test_the_command_does_not_write_over_a_checkpoint_unless_told(machine, capsys):
    assert machine() == 0
    assert machine() == 1
    assert "named mine" in capsys.readouterr().err
    assert machine("--replace") == 0


def test_queries_of_the_validation_file_are_not_trained_on(machine, tmp_path, capsys):
    held = tmp_path / "held.csv"
    held.write_text(
        "query,text,label\n"
        + "".join(
            f"{i.query.text},{p.text},{p.label}\n" for i in instances([4, 9]) for p in i.passages
        )
    )
    assert machine("--validation", str(held)) == 0
    assert "1 training" in capsys.readouterr().err
    card = CheckpointStore(tmp_path / "models").load("qss", "mine").card
    assert card["scores"]["validation_queries"] == 2


@pytest.mark.parametrize(
    ("words", "options", "sentence"),
    [
        ([], {"method": "tfidf"}, "tfidf needs no training"),
        ([], {"method": "qs4m"}, "no method 'qs4m'"),
        ([], {"name": "../x"}, "'../x'"),
        (["--set", "epoch=1"], {}, "unknown key 'epoch'"),
        (["--set", "objective.loss=hinge"], {}, "loss must be"),
        (["--set", "objective.los=mse"], {}, "unknown key 'los'"),
        (["--set", "model.width=3"], {}, "width"),
        (["--set", "objective.tuned_layers=1"], {}, "no layers to"),
        (["--set", "objective.lora_rank=-4"], {}, "lora_rank must be"),
        (["--set", "objective.lora_rank=4", "--set", "objective.tuned_layers=1"], {}, "one way"),
        (["--recipe", "none.toml"], {}, "no recipe none.toml"),
        (["--data", "none.csv"], {}, "no file none.csv"),
        (["--validation", "none.csv"], {}, "no file none.csv"),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(
    machine, tmp_path, capsys, words, options, sentence
):
    assert machine(*words, **options) == 1
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1 and "Traceback" not in captured.err
    assert captured.out == ""
    assert not list((tmp_path / "models").rglob("*.safetensors"))
