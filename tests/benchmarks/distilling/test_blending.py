"""A checkpoint between two others: the layers of both, the network of one."""

import numpy as np
import pytest
from raising import raises

from benchmarks.commands.blend import blended, layers_between
from subclust.checkpoints import Checkpoint
from subclust.checkpoints.rounding import rounded
from subclust.core.exceptions import BenchmarkError

RANDOM = np.random.default_rng(0)
PLAIN = {name: RANDOM.normal(size=(4, 6)).astype(np.float32) for name in ("a.weight", "b.weight")}
PLAIN["b.bias"] = RANDOM.normal(size=6).astype(np.float32)


def checkpoint(name, names, revision="tiny-1-128", **head):
    layers = {f"encoder.{key}": PLAIN[key] + RANDOM.normal(size=PLAIN[key].shape) for key in names}
    return Checkpoint(
        "centred-qs3m",
        name,
        {"encoder_revision": revision, "threshold": 0.1, "base": "before", "model": {}},
        {key: x.astype(np.float16) for key, x in layers.items()}
        | {f"head.{key}": value for key, value in head.items()},
        {"training": {"kind": name}, "training_data": [{"name": "shared"}, {"name": name}]},
    )


@pytest.fixture
def one():
    return checkpoint("one", PLAIN, words=np.full(2, 1.0))


@pytest.fixture
def other():
    return checkpoint("other", ["b.weight"], words=np.full(2, 2.0))


def test_layers_lie_between_and_untuned_ones_stand_for_what_is_missing(one, other):
    made = layers_between(one.encoder_layers, other.encoder_layers, PLAIN, 0.25)
    assert set(made) == set(PLAIN)
    for name, layer in made.items():
        second = other.encoder_layers.get(name, PLAIN[name])
        middle = 0.25 * one.encoder_layers[name].astype(np.float32) + 0.75 * second
        np.testing.assert_allclose(layer, middle, atol=np.abs(middle).max() / 100)
        assert layer.dtype == np.float16
        assert layer.ndim == 1 or np.array_equal(rounded(layer), layer)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_at_either_end_it_is_one_of_the_two(one, other, share):
    made = layers_between(one.encoder_layers, other.encoder_layers, PLAIN, share)
    expected = one.encoder_layers if share else PLAIN | other.encoder_layers
    for name, layer in made.items():
        np.testing.assert_allclose(
            layer, expected[name], atol=np.abs(expected[name].astype(np.float32)).max() / 100
        )


def test_the_network_is_the_second_ones_and_the_card_names_both(one, other):
    made = blended("made", one, other, PLAIN, 0.5)
    np.testing.assert_array_equal(made.head_weights["words"], other.head_weights["words"])
    assert made.config["threshold"] == 0.1 and "base" not in made.config
    assert [data["name"] for data in made.card["training_data"]] == ["shared", "one", "other"]
    assert [stage["kind"] for stage in made.card["stages"]] == ["other", "one"]
    assert made.card["training"]["share"] == 0.5


def test_only_tunings_of_one_encoder_are_blended(one, other):
    elsewhere = checkpoint("elsewhere", PLAIN, revision="tiny-2-128")
    with raises(BenchmarkError, one="centred-qs3m/one", other="centred-qs3m/elsewhere"):
        blended("made", one, elsewhere, PLAIN, 0.5)
    with raises(BenchmarkError, share=1.5):
        blended("made", one, other, PLAIN, 1.5)
    adapted = checkpoint("adapted", [])
    adapted.tensors["encoder.a.lora_up"] = np.zeros((4, 1), np.float16)
    with raises(BenchmarkError, name="centred-qs3m/adapted"):
        blended("made", adapted, other, PLAIN, 0.5)
