"""NIA (context) and the word embeddings against loops over every entity (appendix E)."""

import pytest
import torch

from subclust.methods.cactus.attention import MeanContext
from subclust.methods.cactus.word_embeddings import WordEmbeddings
from subclust.text.encoders import SentenceEncoder

SUBSET = torch.tensor([0, 0, 0, 4, 1, 1])


def seen_by_loops(head, embeddings, subset):
    """Concatenate each embedding and its subset's mean, then one tanh layer of 2 d and one of d."""
    rows = []
    for row, embedding in enumerate(embeddings):
        others = [e for e, number in zip(embeddings, subset, strict=True) if number == subset[row]]
        both = torch.cat([embedding, sum(others) / len(others)])
        hidden = [torch.tanh(w @ both + b) for w, b in zip(*head.hidden.parameters(), strict=True)]
        out = zip(*head.out.parameters(), strict=True)
        rows.append(torch.stack([w @ torch.stack(hidden) + b for w, b in out]))
    return torch.stack(rows)


@pytest.mark.parametrize("dtype, near", [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@torch.no_grad()
def test_the_mean_of_the_subset_is_seen_through_one_tanh_layer(dtype, near):
    torch.manual_seed(2)
    head = MeanContext(5).to(dtype)
    assert head.hidden.weight.shape == (10, 10) and head.out.weight.shape == (5, 10)
    embeddings = torch.randn(6, 5, dtype=dtype)
    found = head(embeddings, SUBSET)
    assert found.dtype == dtype
    expected = seen_by_loops(head, embeddings, SUBSET)
    torch.testing.assert_close(found, expected, atol=near, rtol=near)
    # Not degenerate: without the others an entity would be somewhere else.
    alone = head(embeddings, torch.arange(6))
    assert (found - alone).abs().amax(dim=1)[[0, 1, 2, 4, 5]].min() > 1e-2


@pytest.mark.parametrize("context", ["words", "words-context"])
@torch.no_grad()
def test_an_entity_is_the_mean_of_its_word_pieces(tiny_bert, context):
    encoder = SentenceEncoder(str(tiny_bert), max_seq_length=16, precision="float32")
    words = WordEmbeddings(encoder, context)
    texts = [["taxes colonies army", "ant"], ["shelf map"]]
    tokens = words.tokenize(texts)
    table = encoder.fresh_model()[0].auto_model.get_input_embeddings().weight
    means = torch.stack(
        [
            table[encoder.fresh_model().tokenizer(text)["input_ids"]].mean(dim=0)
            for subset in texts
            for text in subset
        ]
    )
    expected = means
    if context == "words-context":
        expected = seen_by_loops(words.head, means, torch.tensor([0, 0, 1]))
    torch.testing.assert_close(words(tokens), expected, atol=1e-5, rtol=1e-5)
