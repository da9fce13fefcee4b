import pytest
import torch
from raising import raises
from torch import nn

from subclust.core.exceptions import EncoderError
from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.top_layers import LayerSplit, transformer_layers


@pytest.fixture
def model(tiny_bert):
    return SentenceEncoder(str(tiny_bert), precision="float32").fresh_model().eval()


@pytest.fixture
def features(model):
    batch = model.tokenizer(["note tea", "map author reader page index"], padding=True)
    return {name: torch.tensor(batch[name]) for name in ("input_ids", "attention_mask")}


@pytest.mark.parametrize("n_lower", [0, 1, 2])
def test_the_two_parts_make_the_whole(model, features, n_lower):
    split = LayerSplit(model, n_lower, "tiny", features)
    with torch.no_grad():
        states = split.lower(features)
        assert states.shape == (*features["input_ids"].shape, split.hidden_dim)
        parts = split.upper(states, features["attention_mask"])
        whole = model(dict(features))["sentence_embedding"]
    assert torch.equal(parts, whole)
    # The states count, not the word pieces; and the model is left as it was.
    with torch.no_grad():
        other = split.upper(states * 0.5, features["attention_mask"])
    assert (other - whole).abs().max() > 1e-3
    assert len(transformer_layers(model)) == 3
    assert not any(layer._forward_pre_hooks for layer in split.layers)


def test_the_lower_part_runs_no_upper_layer(model, features):
    split = LayerSplit(model, 1, "tiny", features)
    ran = []
    for number, layer in enumerate(split.layers):
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
    with torch.no_grad():
        states = split.lower(features)
        assert ran == [0]
        split.upper(states, features["attention_mask"])
    assert ran == [0, 1, 2]


class Numbered(nn.Module):
    """Calls its layers by number, so that taking the lower ones out changes what runs."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(60, 4)
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, features):
        x = self.embedding(features["input_ids"])
        for number in range(3):
            x = self.layers[number % len(self.layers)](x).tanh()
        return {"sentence_embedding": x.mean(dim=1)}


class Looped(Numbered):
    """Runs its layers twice."""

    def forward(self, features):
        x = self.embedding(features["input_ids"])
        for layer in [*self.layers, *self.layers]:
            x = layer(x).tanh()
        return {"sentence_embedding": x.mean(dim=1)}


class Counting(Numbered):
    """Insists on its number of layers."""

    def forward(self, features):
        if len(self.layers) != 3:
            raise IndexError("a layer is gone")
        return super().forward(features)


@pytest.mark.parametrize("kind", [Numbered, Looped, Counting])
def test_what_cannot_be_cut_is_one_sentence(features, kind):
    torch.manual_seed(0)
    with raises(EncoderError, name="odd"):
        LayerSplit(kind(), 1, "odd", features)
