"""CACTUS over the vectors of another room's model, whose layers it shares."""

import numpy as np
import pytest
import torch
from raising import raises

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import CheckpointError, TrainingError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.grouping.similarity.network import shared_words
from subclust.methods import encoder_of, load_method, standalone, train_method
from subclust.methods.cactus.training import _over, _start_over
from subclust.methods.cactus.vector_set import VectorSet
from subclust.text.encoders import CachedEncoder, SentenceEncoder
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

MOODS = ["sadly", "gladly", "slowly"]
SUBJECTS = ["taxes colonies army battle", "ant burrow night termite", "shelf map author reader"]


def made(number):
    """Make a set in which one word tells the groups, and the others mislead."""
    draw = np.random.default_rng(number)
    passages = [
        Passage(f"{n}", f"{mood} {' '.join(draw.permutation(words.split())[:3])}", label=mood)
        for n, (mood, words) in enumerate((m, w) for m in MOODS for w in SUBJECTS)
    ]
    return ClusteringInstance(Query(f"question {number}"), tuple(passages))


TRAINING, VALIDATION = [made(n) for n in range(6)], [made(n) for n in range(20, 23)]


@pytest.fixture
def encoder(tmp_path, tiny_bert):
    inner = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    return CachedEncoder(inner, tmp_path / "cache")


def train(method, folder, encoder, base=None, epochs=1, model=None, **objective):
    arguments = TrainingArguments(epochs=epochs, learning_rate=1e-2, batch_passages=20)
    recipe = Recipe(arguments, model or {}, objective)
    return train_method(
        TrainingRun(method, "x", recipe, TRAINING, VALIDATION, encoder, folder, base=base)
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory, tiny_bert):
    """The model below, trained once."""
    folder = tmp_path_factory.mktemp("base")
    inner = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    encoder = CachedEncoder(inner, folder / "cache")
    return train("centred-qs3m", folder / "run", encoder, epochs=3, tuned_layers=1)


@pytest.fixture
def store(tmp_path, base):
    store = CheckpointStore(tmp_path / "models")
    store.save(base)
    return store


def scores(method, store, encoder, instance=VALIDATION[0]):
    loaded = load_method(method, store, encoder)
    texts = [p.text for p in instance.passages]
    query = instance.query
    embedded = loaded.encoder.encode([query.text, *texts])
    asked = Query(query.text, embedding=embedded[0])
    return loaded.clusterer.similarity.score_matrix(asked, texts, embedded[1:])


def test_untrained_it_scores_as_the_model_below(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    checkpoint = train("cactus-query", tmp_path / "run", over_base, base, epochs=0)
    store.save(checkpoint)
    saved = scores("cactus-query", store, encoder)
    np.testing.assert_allclose(saved, scores("centred-qs3m", store, encoder), atol=5e-3)
    assert checkpoint.config["layers_of"] == "centred-qs3m/x"
    assert checkpoint.config["base"] == "centred-qs3m/x"
    assert not checkpoint.encoder_layers


def test_training_moves_what_stands_above_and_leaves_what_stands_below(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    checkpoint = train("cactus-query", tmp_path / "run", over_base, base, epochs=20, noise=0.5)
    prefix = "before."
    below = {
        name.removeprefix(prefix): values
        for name, values in checkpoint.head_weights.items()
        if name.startswith(prefix)
    }
    for name, values in base.head_weights.items():
        np.testing.assert_allclose(below[name], values, atol=1e-3)
    assert np.abs(checkpoint.head_weights["b.weight"]).max() > 1e-3
    store.save(checkpoint)
    moved = scores("cactus-query", store, encoder) - scores("centred-qs3m", store, encoder)
    assert np.abs(moved).max() > 1e-2
    network = load_method("cactus-query", store, encoder).clusterer.similarity.model
    assert not network.training and network.before is not None


def test_going_on_from_its_like_keeps_the_layers_below(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    store.save(train("cactus-query", tmp_path / "run", over_base, base))
    first = store.load("cactus-query", "x")
    before = scores("cactus-query", store, encoder)
    mine = train("cactus-query", tmp_path / "on", encoder_of(first, encoder), first, epochs=0)
    assert mine.config["layers_of"] == "centred-qs3m/x" and not mine.encoder_layers
    store.save(mine, replace=True)
    np.testing.assert_allclose(scores("cactus-query", store, encoder), before, atol=1e-3)
    assert store.users("centred-qs3m", "x") == ["cactus-query/x"]


def test_one_that_was_brought_with_its_layers_hands_them_on(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    brought = standalone(train("cactus-query", tmp_path / "run", over_base, base), store)
    mine = train("cactus-query", tmp_path / "on", over_base, brought, epochs=0)
    assert "layers_of" not in mine.config
    assert mine.layers_digest == base.layers_digest


def test_adapters_learn_through_the_set(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    start = scores("centred-qs3m", store, encoder)
    trained = train("cactus-query", tmp_path / "run", over_base, base, epochs=3, lora_rank=2)
    assert trained.config["layers_of"] == "centred-qs3m/x"
    names = trained.encoder_layers
    assert names and all(name.endswith((LORA_DOWN, LORA_UP)) for name in names)
    store.save(trained)
    loaded = store.load("cactus-query", "x")
    moved = scores("cactus-query", store, encoder)
    assert np.abs(moved - start).max() > 1e-2
    # going on, without adapters and with further ones
    over_first = encoder_of(loaded, encoder)
    on = train("cactus-query", tmp_path / "on", over_first, loaded, epochs=0)
    assert on.encoder_layers.keys() == names.keys() and on.config["layers_of"] == "centred-qs3m/x"
    store.save(on, replace=True)
    np.testing.assert_allclose(scores("cactus-query", store, encoder), moved, atol=1e-3)
    third = train("cactus-query", tmp_path / "third", over_first, loaded, epochs=0, lora_rank=2)
    down = next(name for name in names if name.endswith(LORA_DOWN))
    assert third.encoder_layers[down].shape[0] == 4
    store.save(third, replace=True)
    np.testing.assert_allclose(scores("cactus-query", store, encoder), moved, atol=1e-3)


def test_noise_is_drawn_in_training_alone():
    network = VectorSet(8, sees="all", uses_query=True, n_heads=2)
    passages = torch.nn.functional.normalize(torch.randn(4, 8), dim=-1)
    network.noise = 1.0
    network.eval()
    torch.testing.assert_close(network.space(passages[0], passages), passages)
    network.train()
    assert (network.space(passages[0], passages) - passages).norm(dim=-1).min() > 0.05


def test_what_was_learnt_stays_in_part(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    start = scores("centred-qs3m", store, encoder)
    moved = {}
    for share in (0.1, 1.0):
        folder = tmp_path / str(share)
        trained = train("cactus-query", folder, over_base, base, epochs=20, kept_share=share)
        store.save(trained, replace=True)
        moved[share] = np.abs(scores("cactus-query", store, encoder) - start).mean()
    assert 0 < moved[0.1] < moved[1.0] / 3
    mine = store.load("cactus-query", "x")
    again = train("cactus-query", tmp_path / "on", over_base, mine, epochs=0, kept_share=0.5)
    np.testing.assert_allclose(again.head_weights["b.weight"], mine.head_weights["b.weight"])
    network = VectorSet(8, sees="none", over={"embedding_dim": 8, "hidden_dim": 4})
    with torch.no_grad():
        network.word_weight.fill_(3.0)
        network.b.bias.fill_(2.0)
    network.keep(0.25)
    assert network.word_weight.item() == pytest.approx(1.5)
    assert network.b.bias.tolist() == pytest.approx([0.5] * 8)


def test_the_query_can_be_left_out_of_the_set_to_see_what_it_adds(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    store.save(
        train("cactus-query", tmp_path / "run", over_base, base, model={"uses_query": False})
    )
    network = load_method("cactus-query", store, encoder).clusterer.similarity.model
    assert not network.uses_query and network.needs_query  # the one below reads it


def test_what_it_cannot_stand_over_is_refused(tmp_path, encoder, store):
    base = store.load("centred-qs3m", "x")
    over_base = encoder_of(base, encoder)
    with raises(TrainingError, method="cactus", method_2="centred-qs3m", base="x"):
        train("cactus", tmp_path / "a", over_base, base)
    with raises(TrainingError, method="cactus-query", method_2="centred-qs3m", base="x"):
        train("cactus-query", tmp_path / "b", over_base, base, tuned_layers=1)
    with raises(TrainingError):
        train("cactus-query", tmp_path / "c", encoder, tuned_layers=1, noise=0.5)
    with raises(TrainingError):
        train("cactus-query", tmp_path / "d", encoder, tuned_layers=1, kept_share=0.5)
    with raises(TrainingError):
        train("cactus-query", tmp_path / "f", over_base, base, lora_rank=2, kept_share=0.5)
    with raises(TrainingError, kept_share=0.0):
        train("cactus-query", tmp_path / "e", over_base, base, kept_share=0.0)
    network = VectorSet(encoder.embedding_dim, sees="all", n_heads=2, over=_over(base))
    cut = {name: values[..., :-1] for name, values in base.tensors.items() if values.ndim}
    wrong = type(base)(base.method, base.name, base.config, cut, base.card)
    with raises(CheckpointError, method="centred-qs3m", checkpoint="x"):
        _start_over(network, wrong)


def test_shared_words_count_as_below():
    below = {"embedding_dim": 8, "hidden_dim": 4, "shared_words": True}
    network = VectorSet(8, sees="none", n_heads=2, over=below).eval()
    passages = torch.nn.functional.normalize(torch.randn(3, 8), dim=-1)
    words = torch.as_tensor(shared_words(["ant map", "ant army", "army map"]))
    assert network.needs_shared_words and network.needs_query
    with torch.no_grad():
        with_words = network(passages[0], passages, words)
        without = network(passages[0], passages)
    torch.testing.assert_close(with_words - without, words.float(), atol=1e-5, rtol=0)
