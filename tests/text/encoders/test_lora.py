import numpy as np
import pytest
import torch
from raising import raises

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import CachedEncoder, SentenceEncoder, tuned
from subclust.text.encoders.lora import LoraEncoder

TEXTS = ["note tea king", "map author", "ant burrow night claw", "shelf", "tea port battle"] * 5


@pytest.fixture(params=["float32", "bfloat16"])
def encoder(tiny_bert, request):
    return SentenceEncoder(str(tiny_bert), precision=request.param)


@pytest.fixture
def exact(tiny_bert):
    return SentenceEncoder(str(tiny_bert), precision="float32")


def taught(model, n_steps=20):
    """Pull two texts together that are apart."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.02)
    losses = []
    for _ in range(n_steps):
        vectors = model(TEXTS[:4])
        loss = 1 - vectors[0] @ vectors[1] + vectors[2] @ vectors[3]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_untaught_it_encodes_as_the_encoder_does(encoder):
    with torch.no_grad():
        vectors = LoraEncoder(encoder, 4)(TEXTS).numpy()
    atol = 1e-5 if encoder.precision == "float32" else 0.03
    np.testing.assert_allclose(vectors, encoder.encode(TEXTS), atol=atol)


def test_a_tiny_run_lowers_the_loss_and_changes_the_adapters_only(encoder):
    model = LoraEncoder(encoder, 2)
    before = {name: value.clone() for name, value in model.named_parameters()}
    losses = taught(model)
    assert losses[-1] < losses[0] - 0.3
    for name, parameter in model.named_parameters():
        adapter = ".lora_A." in name or ".lora_B." in name
        assert parameter.requires_grad == adapter
        assert (parameter.grad is not None) == adapter
        assert torch.equal(parameter, before[name]) != adapter
        if adapter:
            assert parameter.dtype == torch.float32


def test_the_loaded_encoder_equals_the_one_with_adapters(exact, tmp_path):
    model = LoraEncoder(exact, 3, alpha=5.0)
    taught(model)
    with torch.no_grad():
        expected = model(TEXTS).numpy()
    factors = model.tuned_layers()
    assert {values.dtype for values in factors.values()} == {np.dtype(np.float16)}
    # Small: the factors, not the weights.
    assert sum(v.size for v in factors.values()) == sum(
        p.numel() for p in model.parameters() if p.requires_grad
    )
    loaded = tuned(exact, factors)
    found = loaded.encode(TEXTS)
    np.testing.assert_allclose(found, expected, atol=3e-3)
    assert np.abs(found - exact.encode(TEXTS)).max() > 0.05
    # A cache of its own, for each tuning.
    doubled = {name: value * 2 for name, value in factors.items()}
    files = {CachedEncoder(e, tmp_path).file for e in (exact, loaded, tuned(exact, doubled))}
    assert len(files) == 3
    assert loaded.revision == tuned(exact, factors).revision


def test_the_delta_is_the_scaled_product(exact):
    model = LoraEncoder(exact, 2, alpha=6.0, targets=("query",))
    taught(model, 3)
    factors = model.tuned_layers()
    assert len(factors) == 2 * 3 and all(".query.lora_" in name for name in factors)
    merged = dict(tuned(exact, factors).fresh_model().named_parameters())
    for name, module in model._adapted.items():
        down, up = (f["default"].weight.detach() for f in (module.lora_A, module.lora_B))
        slow = module.base_layer.weight.detach().clone()
        for row in range(slow.shape[0]):
            for column in range(slow.shape[1]):
                slow[row, column] += 3.0 * sum(up[row, k] * down[k, column] for k in range(2))
        torch.testing.assert_close(merged[f"{name}.weight"], slow, rtol=0, atol=2e-3)
        assert (slow - module.base_layer.weight).abs().max() > 0.01


def test_only_the_adapters_drop_out(exact):
    model = LoraEncoder(exact, 2, dropout=0.5).train()
    for module in model._adapted.values():  # so that the drop-out counts
        module.lora_B["default"].weight.data.fill_(0.1)
    with torch.no_grad():
        assert not torch.equal(model(TEXTS), model(TEXTS))
        model.eval()
        assert torch.equal(model(TEXTS), model(TEXTS))
        assert torch.equal(LoraEncoder(exact, 2).train()(TEXTS), LoraEncoder(exact, 2)(TEXTS))


def test_what_does_not_fit_is_one_sentence(exact):
    with raises(EncoderError, targets="Wqkv"):
        LoraEncoder(exact, 2, targets=("Wqkv",))
    factors = LoraEncoder(exact, 2, targets=("query",)).tuned_layers()
    names = list(factors)
    wrong = [
        {name: factors[name] for name in names[1:]},
        {name: factors[name] for name in names if name != names[1]},
        {**factors, names[0]: factors[names[0]][:1]},
        {name.replace("query", "questions"): value for name, value in factors.items()},
    ]
    for layers in wrong:
        with raises(EncoderError):
            tuned(exact, layers).encode(["a"])
