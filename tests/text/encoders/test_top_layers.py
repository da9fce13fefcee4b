import numpy as np
import pytest
import torch
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import CachedEncoder, HashingEncoder, SentenceEncoder, tuned
from subclust.text.encoders.top_layers import TrainableTopLayers

TEXTS = [f"the {word} lies in the north of the country" * (i + 1) for i, word in
         enumerate(["river", "town", "lake", "road"] * 5)]  # fmt: skip


@pytest.fixture(scope="module")
def encoder():
    return SentenceEncoder(precision="float32", max_seq_length=24)


@pytest.fixture(scope="module")
def layers(encoder):
    return TrainableTopLayers(encoder, 1)


def test_untrained_it_encodes_as_the_encoder_does(encoder, layers):
    with torch.inference_mode():
        vectors = layers(TEXTS).numpy()
    np.testing.assert_allclose(vectors, encoder.encode(TEXTS), atol=1e-5)


def test_only_the_last_layer_learns(layers):
    learning = [name for name, p in layers.named_parameters() if p.requires_grad]
    assert learning and all(".layer.5." in name for name in learning)
    assert sum(p.numel() for p in layers.parameters() if p.requires_grad) == 1_774_464


def test_in_bfloat16_on_the_processor_the_slopes_are_alike(encoder, layers):
    low = TrainableTopLayers(SentenceEncoder(precision="bfloat16", max_seq_length=24), 1)
    slopes = []
    for each in (layers, low):
        vectors = each(TEXTS)
        (vectors @ vectors.T).square().mean().backward()
        slopes.append(torch.cat([p.grad.flatten() for p in each.parameters() if p.requires_grad]))
        each.zero_grad()
    assert torch.nn.functional.cosine_similarity(*slopes, dim=0) > 0.99
    kinds = [each.model[0].auto_model.config._attn_implementation for each in (layers, low)]
    assert kinds == ["sdpa", "eager"]  # the fused one is slow backwards, in bfloat16


def test_trained_layers_go_into_a_new_encoder(encoder):
    layers = TrainableTopLayers(encoder, 1)
    optimizer = torch.optim.SGD([p for p in layers.parameters() if p.requires_grad], lr=0.5)
    vectors = layers(TEXTS[:4])
    (vectors[0] @ vectors[1] + vectors[2] @ vectors[3]).backward()
    optimizer.step()
    with torch.inference_mode():
        expected = layers(TEXTS).numpy()
    changed = tuned(encoder, layers.tuned_layers())
    found = changed.encode(TEXTS)
    assert np.abs(found - encoder.encode(TEXTS)).max() > 0.01
    np.testing.assert_allclose(found, expected, atol=2e-3)  # kept in half precision
    assert changed.revision != encoder.revision
    assert changed.revision == tuned(encoder, layers.tuned_layers()).revision


def test_a_tuning_has_a_cache_of_its_own(encoder, layers, tmp_path):
    cached = CachedEncoder(encoder, tmp_path)
    other = tuned(cached, {k: v * 0.5 for k, v in layers.tuned_layers().items()})
    assert isinstance(other, CachedEncoder) and other.file != cached.file
    assert np.abs(other.encode(TEXTS[:1]) - cached.encode(TEXTS[:1])).max() > 1e-3


def test_what_does_not_fit_is_one_sentence(encoder):
    with raises(EncoderError, count=6, encoder="all-MiniLM-L6-v2", n_layers=7):
        TrainableTopLayers(encoder, 7)
    with raises(EncoderError, name="nonsense", name_2="all-MiniLM-L6-v2"):
        tuned(encoder, {"nonsense": np.zeros(3, dtype=np.float16)}).encode(["a"])
    with raises(EncoderError, encoder="hashing"):
        tuned(HashingEncoder(), {"nonsense": np.zeros(3)})
