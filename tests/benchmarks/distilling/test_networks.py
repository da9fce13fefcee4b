import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from benchmarks.distilling.networks import Network, Shape, layers_of, load

SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "vocab_size": 50,
    "max_position_embeddings": 80,
    "initializer_range": 0.5,
}


@pytest.fixture(params=["bert", "mpnet"])
def model(request):
    torch.manual_seed(0)
    kinds = {"bert": (BertConfig, BertModel), "mpnet": (MPNetConfig, MPNetModel)}
    config, kind = kinds[request.param]
    return kind(config(**SIZES)).eval()


@pytest.fixture
def network(model):
    network = Network(Shape.of(model.config.to_dict())).eval()
    load(network, model.state_dict())
    return network


def test_vectors_are_those_of_transformers(model, network):
    pad = model.config.pad_token_id
    ids = torch.randint(3, 50, (3, 64))  # far enough apart for all distances that MPNet knows
    mask = torch.ones(3, 64, dtype=torch.bool)
    mask[1, 5:] = False
    ids[~mask] = pad
    with torch.no_grad():
        states = model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        expected = [states[row][mask[row]].mean(0).numpy() for row in range(3)]
        found = network(ids, mask).numpy()
    np.testing.assert_allclose(found, np.stack(expected), atol=1e-4)
    assert np.linalg.norm(found[0] - found[1]) > 0.1


def test_layers_come_back_by_their_names(model, network):
    layers = layers_of(network)
    weights = model.state_dict()
    assert set(layers) == {name for name in weights if name.startswith("encoder.layer.")}
    for name, layer in layers.items():
        torch.testing.assert_close(layer, weights[name])


def test_only_layers_learn_and_can_be_put_back_alone(model, network):
    assert all(name.startswith("layers.") for name in network.trained())
    layers = {name: layer + 1 for name, layer in layers_of(network).items()}
    load(network, layers)
    torch.testing.assert_close(layers_of(network), layers)
    layers.popitem()
    with pytest.raises(KeyError):
        load(network, layers)
