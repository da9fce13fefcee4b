import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import CachedEncoder, HashingEncoder, SentenceEncoder, StackedEncoder
from subclust.text.encoders.lora import LoraEncoder
from subclust.text.encoders.top_layers import TrainableTopLayers
from subclust.text.encoders.tuning import stacked, tunable

TEXTS = ["note tea king", "map author", "ant burrow night claw"]


@pytest.fixture
def encoder(tiny_bert):
    return SentenceEncoder(str(tiny_bert), precision="float32")


def test_each_way_is_made(encoder, tmp_path):
    cached = CachedEncoder(encoder, tmp_path)
    assert tunable(HashingEncoder()) is None
    for given in (encoder, cached):
        assert tunable(given) is None
        layers = tunable(given, layers=1)
        assert isinstance(layers, TrainableTopLayers) and layers.states is None
        lora = tunable(given, lora_rank=2, lora_alpha=3.0, lora_dropout=0.25)
        assert isinstance(lora, LoraEncoder)
        adapters = lora._adapted.values()
        assert {module.scaling["default"] for module in adapters} == {1.5}
        assert {module.lora_dropout["default"].p for module in adapters} == {0.25}
    for given in (cached, StackedEncoder([cached, HashingEncoder()])):
        kept = tunable(given, layers=1, cached_states=True)
        assert kept.states.states_file.parent == tmp_path / "lower-states"


@pytest.mark.parametrize(
    ("options", "values"),
    [
        ({"layers": 1, "lora_rank": 4}, {"layers": 1, "lora_rank": 4}),
        ({"cached_states": True}, {}),
        ({"lora_rank": 4, "cached_states": True}, {}),
        ({"layers": 9}, {"n_layers": 9, "count": 3}),
        ({"layers": 1, "cached_states": True}, {}),
        ({"lora_rank": -1}, {"rank": -1, "alpha": -2.0, "dropout": 0.0}),
        ({"lora_rank": 2, "lora_alpha": -1.0}, {"rank": 2, "alpha": -1.0, "dropout": 0.0}),
        ({"lora_rank": 2, "lora_dropout": 1.0}, {"rank": 2, "alpha": 4.0, "dropout": 1.0}),
    ],
)
def test_what_cannot_be_is_one_sentence(encoder, options, values):
    with raises(EncoderError, **values):
        tunable(encoder, **options)


@pytest.mark.parametrize("way", ["layers", "lora_rank"])
def test_an_encoder_without_layers_is_refused(way):
    with raises(EncoderError, encoder="hashing"):
        tunable(HashingEncoder(), **{way: 2})


def learnt(encoder, seed, **way):
    """Tune an encoder at random: each weight that may learn is moved."""
    model = tunable(encoder, **way)
    generator = np.random.default_rng(seed)
    for parameter in model.parameters():
        if parameter.requires_grad:
            noise = generator.normal(0, 0.1, size=tuple(parameter.shape))
            parameter.data += parameter.new_tensor(noise)
    return model.tuned_layers(), model(TEXTS).detach().numpy()


@pytest.mark.parametrize("first", [{"layers": 1}, {"layers": 2}, {"lora_rank": 2}])
@pytest.mark.parametrize("second", [{"layers": 1}, {"layers": 3}, {"lora_rank": 3}])
def test_one_tuning_after_another_makes_one(encoder, tiny_bert, first, second):
    before, middle = learnt(encoder, 0, **first)
    started = SentenceEncoder(str(tiny_bert), precision="float32", layers=before)
    np.testing.assert_allclose(started.encode(TEXTS), middle, atol=5e-3)
    after, expected = learnt(started, 1, **second)
    both = SentenceEncoder(str(tiny_bert), precision="float32", layers=stacked(before, after))
    np.testing.assert_allclose(both.encode(TEXTS), expected, atol=1e-2)
    # Neither alone comes to that, unless the second replaced the first.
    alone = SentenceEncoder(str(tiny_bert), precision="float32", layers=after)
    if second.get("layers", 0) < first.get("layers", 3):
        assert np.abs(alone.encode(TEXTS) - expected).max() > 0.03
    assert np.abs(middle - expected).max() > 0.03
    assert len({started.revision, both.revision, alone.revision, encoder.revision}) >= 3
