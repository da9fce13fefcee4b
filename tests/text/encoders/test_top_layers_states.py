"""The last layers over kept hidden states: the same vectors, gradients and training."""

import numpy as np
import pytest
import torch

from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.top_layers import TrainableTopLayers

TEXTS = [
    " ".join(np.random.default_rng(n).permutation("ant map tea king claw shelf night".split())[:k])
    for n, k in enumerate([1, 7, 3, 5, 2, 6, 4, 3, 7, 1, 2, 5, 6, 4, 2, 3, 1, 7, 5, 4] * 2)
]


def layers(folder, tiny_bert, precision="float32", n_layers=2, **options):
    encoder = SentenceEncoder(str(tiny_bert), precision=precision, **options)
    return TrainableTopLayers(encoder, n_layers, states=folder)


def gradients(model, texts):
    model.zero_grad()
    vectors = model(texts)
    weights = torch.linspace(-1, 1, vectors.numel()).reshape(vectors.shape)
    (vectors * weights).sum().backward()
    return {n: p.grad.clone() for n, p in model.named_parameters() if p.requires_grad}


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_vectors_and_gradients_are_those_without_states(tmp_path, tiny_bert, n_layers):
    plain = layers(None, tiny_bert, n_layers=n_layers)
    kept = layers(tmp_path, tiny_bert, n_layers=n_layers)
    for _ in range(2):  # computed, then read
        with torch.no_grad():
            torch.testing.assert_close(kept(TEXTS), plain(TEXTS), rtol=0, atol=2e-6)
        expected, found = gradients(plain, TEXTS), gradients(kept, TEXTS)
        assert expected.keys() == found.keys()
        assert all(
            gradient.abs().max() > 1e-6 for n, gradient in expected.items() if "key" not in n
        )
        for name, gradient in expected.items():
            torch.testing.assert_close(found[name], gradient, rtol=1e-4, atol=2e-6)
    # Without padding there is nothing to round differently.
    expected, found = gradients(plain, TEXTS[:1]), gradients(kept, TEXTS[:1])
    assert all(torch.equal(found[name], gradient) for name, gradient in expected.items())


def test_in_low_precision_the_vectors_are_close(tmp_path, tiny_bert):
    plain, kept = (layers(f, tiny_bert, "bfloat16") for f in (None, tmp_path))
    with torch.no_grad():
        torch.testing.assert_close(kept(TEXTS), plain(TEXTS), rtol=0, atol=0.03)
        assert kept.states.dtype == torch.bfloat16
        exact = layers(None, tiny_bert)(TEXTS)
        cosines = (kept(TEXTS) * exact).sum(dim=1)
    assert cosines.min() > 0.999


def test_states_do_not_depend_on_the_batch_a_text_was_met_in(tmp_path, tiny_bert):
    together, apart = layers(tmp_path / "a", tiny_bert), layers(tmp_path / "b", tiny_bert)
    with torch.no_grad():
        together(TEXTS)
        for text in reversed(TEXTS):
            apart([text])
        # So a run that was killed and met its texts in another order goes on as it would have.
        assert torch.equal(together(TEXTS), apart(TEXTS))


def test_a_step_runs_no_lower_layer_for_texts_that_were_met(tmp_path, tiny_bert):
    with torch.no_grad():
        layers(tmp_path, tiny_bert)(TEXTS)
    model = layers(tmp_path, tiny_bert)  # a new run over the same folder
    ran = []
    lowest = model._split.layers[0]
    lowest.register_forward_hook(lambda *_: ran.append(1))
    with torch.no_grad():
        model(TEXTS)
        assert not ran
        model([*TEXTS, "savanna"])
    assert ran == [1]


def test_other_layers_lengths_precisions_and_weights_have_files_of_their_own(tmp_path, tiny_bert):
    models = [
        layers(tmp_path, tiny_bert),
        layers(tmp_path, tiny_bert, n_layers=1),
        layers(tmp_path, tiny_bert, "bfloat16"),
        layers(tmp_path, tiny_bert, max_seq_length=4),
    ]
    changed = {"0.model.pooler.dense.bias": np.ones(16, np.float16)}
    encoder = SentenceEncoder(str(tiny_bert), precision="float32", layers=changed)
    models.append(TrainableTopLayers(encoder, 2, states=tmp_path))
    assert len({model.states.states_file for model in models}) == 5
    with torch.no_grad():
        models[0](TEXTS)
        assert len(models[0].states) == len(set(TEXTS))
        short = models[3](TEXTS)
        torch.testing.assert_close(
            short, layers(None, tiny_bert, max_seq_length=4)(TEXTS), rtol=0, atol=2e-6
        )


def test_a_full_file_changes_no_vector(tmp_path, tiny_bert):
    plain, kept = layers(None, tiny_bert), layers(tmp_path, tiny_bert)
    kept.states.max_gigabytes = 0.0
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(kept(TEXTS), plain(TEXTS), rtol=0, atol=2e-6)
    assert len(kept.states) == 0
