"""Attention in bfloat16 on the processor."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.rounded_attention import NAME, rounded_attention, use_rounded_attention


def drawn(n_tokens, *, spread=1.0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(n_tokens)
    drawn = torch.randn(3, 2, 3, n_tokens, 8, generator=generator, dtype=torch.float64)
    query, key, value = (drawn * torch.tensor([spread, 1, 1]).view(3, 1, 1, 1, 1)).to(dtype)
    mask = torch.ones(2, 1, n_tokens, n_tokens, dtype=torch.bool)
    mask[1, :, :, (n_tokens + 1) // 2 :] = False
    return query, key, value, mask


def by_hand(query, key, value, mask):
    found = torch.zeros_like(query)
    for text in range(query.shape[0]):
        for head in range(query.shape[1]):
            for i in range(query.shape[2]):
                counts = [j for j in range(key.shape[2]) if mask[text, 0, i, j]]
                dots = [float(query[text, head, i] @ key[text, head, j]) for j in counts]
                top = max(dots)
                weights = [math.exp((dot - top) / math.sqrt(8)) for dot in dots]
                for j, weight in zip(counts, weights, strict=True):
                    found[text, head, i] += weight / sum(weights) * value[text, head, j]
    return found


@pytest.mark.parametrize("n_tokens", [1, 5, 32, 33])
def test_it_is_the_softmax_over_the_tokens_that_count(n_tokens):
    query, key, value, mask = drawn(n_tokens)
    expected = by_hand(query, key, value, mask)
    torch.testing.assert_close(rounded_attention(query, key, value, mask), expected)
    whole = rounded_attention(query, key, value)
    torch.testing.assert_close(whole, scaled_dot_product_attention(query, key, value))
    assert n_tokens == 1 or not torch.allclose(whole, expected)


def test_scores_far_below_zero_and_great_ones_of_padding_do_no_harm():
    query, key, value, mask = drawn(40, dtype=torch.float32)
    key[:, :, :, 0], query[:, :, :, 0] = -30, 30
    key[1, :, 20:] = 30
    found = rounded_attention(query, key, value, mask)
    expected = scaled_dot_product_attention(query, key, value, attn_mask=mask)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("spread", [0.3, 1.0, 4.0])
def test_in_bfloat16_it_is_as_close_as_bfloat16_is(spread):
    query, key, value, mask = drawn(50, spread=spread, dtype=torch.bfloat16)
    found = rounded_attention(query, key, value, mask)
    assert found.dtype == torch.bfloat16
    expected = by_hand(*(one.double() for one in (query, key, value)), mask)
    cosine = torch.nn.functional.cosine_similarity(found.double(), expected, dim=-1)
    assert cosine.min() > 0.995


def test_only_families_whose_attention_it_is_get_it(tiny_bert):
    encoder = SentenceEncoder(str(tiny_bert), device="cpu", precision="bfloat16", max_seq_length=16)
    plain = SentenceEncoder(str(tiny_bert), device="cpu", precision="float32", max_seq_length=16)
    texts = ["king", "Crown tea 4 7 map author", "night " * 20, ""]
    assert (encoder.encode(texts) * plain.encode(texts)).sum(axis=1).min() > 0.999
    assert encoder._load()[0].auto_model.config._attn_implementation == NAME
    assert plain._load()[0].auto_model.config._attn_implementation != NAME
    other = encoder.fresh_model()[0].auto_model
    other.config.model_type = "mpnet"  # whose scores have a bias of positions
    assert not use_rounded_attention(other) and other.config._attn_implementation != NAME
