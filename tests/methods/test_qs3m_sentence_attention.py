"""attn-QS3M: its formula, its padding, and what its clusterer reads."""

import numpy as np
import pytest
import slow_forms
import torch
from counting_encoder import Counting

from subclust.core.records import Query
from subclust.methods.qs3m.clusterer import load
from subclust.methods.qs3m.models import QuerySpecificSiamese
from subclust.methods.qs3m.sentence_attention import (
    SentenceAttention,
    SentenceAttentiveSiamese,
    padded,
)
from subclust.text.encoders.splitting import _split_sentences

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
LENGTHS = [3, 1, 5, 2, 5, 1]


def unit(*shape, seed=0):
    values = np.random.default_rng(seed).normal(size=shape)
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


def random_model(dim=12, dtype=torch.float32, std=0.8):
    model = SentenceAttentiveSiamese(dim, attention_dim=5).to(dtype)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, std, generator=generator)
    return model.eval()


PASSAGES = [unit(n, 12, seed=row) for row, n in enumerate(LENGTHS)]


@pytest.mark.parametrize("dtype", DTYPES)
@torch.no_grad()
def test_the_attention_is_its_formula_one_sentence_at_a_time(dtype):
    model = random_model(dtype=dtype)
    query = torch.from_numpy(unit(12, seed=9)).to(dtype)
    sentences, mask = padded(PASSAGES)
    sentences = sentences.to(dtype)
    slow = slow_forms.pool(
        model.attention, query, [torch.from_numpy(p).to(dtype) for p in PASSAGES]
    )
    fast = model.attention(query, sentences, mask)
    np.testing.assert_allclose(fast, slow, atol=TOLERANCE[dtype])
    # Not degenerate: neither plain means nor one sentence alone.
    weights = model.attention.weights(query, sentences, mask)
    np.testing.assert_allclose(weights.sum(dim=1), 1, atol=1e-6)
    assert (weights[~mask] == 0).all()
    longest = weights[LENGTHS.index(5)]
    assert longest.max() - longest.min() > 0.1 and longest.min() > 1e-3
    # A passage of one sentence is that sentence.
    np.testing.assert_allclose(fast[1], sentences[1, 0], atol=TOLERANCE[dtype])


@torch.no_grad()
def test_the_scores_are_qs3m_over_the_pooled_passages():
    model = random_model()
    query = torch.from_numpy(unit(12, seed=9))
    scores = model(query, *padded(PASSAGES))
    siamese = QuerySpecificSiamese(12)
    siamese.load_state_dict(model.siamese.state_dict())
    pooled = slow_forms.pool(model.attention, query, [torch.from_numpy(p) for p in PASSAGES])
    slow = slow_forms.score_pairs(siamese, query, pooled)
    np.testing.assert_allclose(scores, (slow + slow.T) / 2, rtol=1e-4, atol=1e-3)
    assert scores.std() > 0.1


@torch.no_grad()
def test_the_query_decides_which_sentence_counts():
    model = random_model()
    sentences, mask = padded(PASSAGES)
    one, other = (
        model.attention.weights(torch.from_numpy(unit(12, seed=seed)), sentences, mask)
        for seed in (1, 2)
    )
    assert (one - other).abs().max() > 0.05


@torch.no_grad()
def test_padding_changes_nothing():
    model = random_model()
    query = torch.from_numpy(unit(12, seed=9))
    sentences, mask = padded(PASSAGES)
    wide = torch.cat([sentences, torch.full((6, 3, 12), 7.0)], dim=1)
    wide_mask = torch.cat([mask, torch.zeros(6, 3, dtype=torch.bool)], dim=1)
    np.testing.assert_allclose(
        model.attention(query, sentences, mask), model.attention(query, wide, wide_mask), atol=1e-6
    )


def test_padded_keeps_every_sentence_in_its_place():
    sentences, mask = padded(PASSAGES)
    assert sentences.shape == (6, 5, 12) and sentences.dtype == torch.float32
    assert mask.sum(dim=1).tolist() == LENGTHS
    for row, passage in enumerate(PASSAGES):
        np.testing.assert_array_equal(sentences[row, : len(passage)], passage)
        assert (sentences[row, len(passage) :] == 0).all()


def test_the_attention_has_the_papers_number_of_weights():
    sizes = [parameter.numel() for parameter in SentenceAttention(768).parameters()]
    assert sorted(sizes) == [16, 12_288, 12_288]
    assert sum(sizes) // 1000 == 24


def test_every_weight_learns():
    model = random_model()
    query = torch.from_numpy(unit(12, seed=9))
    (model(query, *padded(PASSAGES)) ** 2).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.abs().max() > 0, name


TEXTS = [
    "Tea was taxed. Ants dig.",
    "Ants dig. Night falls.",
    "Maps",
    "",
    "King George. Tea taxes.",
]


def test_the_clusterer_reads_sentences_and_not_the_passages(random_checkpoint, encoder):
    counting = Counting(32)
    clusterer = load("attn-qs3m", random_checkpoint("attn-qs3m"), counting)
    assert counting.seen == []
    query = Query("tea", embedding=encoder.encode(["tea"])[0])
    embeddings = encoder.encode(TEXTS)
    scores = clusterer.similarity.score_matrix(query, TEXTS, embeddings)
    assert sorted(counting.seen) == sorted({s for text in TEXTS for s in _split_sentences(text)})
    # The vectors of the whole passages are not looked at.
    np.testing.assert_array_equal(
        clusterer.similarity.score_matrix(query, TEXTS, embeddings[::-1]), scores
    )
    # The order of sentences within a passage is not, either; which they are, is.
    turned = ["Ants dig. Tea was taxed.", *TEXTS[1:]]
    np.testing.assert_allclose(
        clusterer.similarity.score_matrix(query, turned, embeddings), scores, atol=1e-4
    )
    other = ["Ants dig. Maps.", *TEXTS[1:]]
    assert np.abs(clusterer.similarity.score_matrix(query, other, embeddings) - scores).max() > 1e-2
