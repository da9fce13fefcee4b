"""Transformers of a few thousand random weights, of each family the set encoders know."""

from collections.abc import Sequence

import torch
from torch import nn
from transformers import (
    BertConfig,
    BertModel,
    MPNetConfig,
    MPNetModel,
    RobertaConfig,
    RobertaModel,
    T5Config,
    T5EncoderModel,
)

from subclust.methods.cactus.tokens import Tokens

VOCABULARY = 40
N_LAYERS = 3
_SIZES = dict(
    vocab_size=VOCABULARY,
    hidden_size=16,
    num_hidden_layers=N_LAYERS,
    num_attention_heads=2,
    intermediate_size=24,
    initializer_range=0.3,
)


def small_transformer(family: str, dtype: torch.dtype = torch.float32) -> nn.Module:
    """Make one; the same weights each time, none of them what it is by habit."""
    before = torch.get_rng_state()
    torch.manual_seed(5)
    if family == "bert":
        model = BertModel(BertConfig(**_SIZES, max_position_embeddings=40))
    elif family == "roberta":
        model = RobertaModel(RobertaConfig(**_SIZES, max_position_embeddings=40, pad_token_id=1))
    elif family == "mpnet":
        model = MPNetModel(MPNetConfig(**_SIZES, max_position_embeddings=40))
    else:
        model = T5EncoderModel(
            T5Config(
                vocab_size=VOCABULARY,
                d_model=16,
                d_kv=8,
                d_ff=24,
                num_layers=N_LAYERS,
                num_heads=2,
                feed_forward_proj="gated-gelu",
                relative_attention_num_buckets=8,
                relative_attention_max_distance=10,
                initializer_factor=0.6,
            )
        )
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name.lower() or name.endswith("bias"):
                parameter.add_(0.2 * torch.randn_like(parameter))
            if "relative_attention_bias" in name or ".q." in name or ".k." in name:
                parameter.mul_(3)
    torch.set_rng_state(before)
    return model.to(dtype).eval()


def some_tokens(lengths: Sequence[Sequence[int]], *, seed: int = 0, padding: int = 1) -> Tokens:
    """Make random entities of the given lengths, one list of lengths a subset."""
    flat = [length for subset in lengths for length in subset]
    generator = torch.Generator().manual_seed(seed)
    ids = torch.full((len(flat), max(flat)), padding)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for row, length in enumerate(flat):
        ids[row, :length] = torch.randint(4, VOCABULARY, (length,), generator=generator)
        mask[row, :length] = True
    numbers = [number for number, subset in enumerate(lengths) for _ in subset]
    return Tokens(ids, mask, torch.tensor(numbers))
