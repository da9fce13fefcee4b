"""A BERT of a few thousand random weights, as a folder that `SentenceEncoder` reads."""

from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

WORDS = (
    "taxes colonies army battle king crown tea port ant burrow night termite claw savanna tongue "
    "snout shelf map author catalogue reader page index binding note question sadly gladly slowly"
).split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def make_tiny_bert(folder: Path, n_layers: int = 3) -> Path:
    """Write the model into a folder; the same weights each time."""
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *WORDS, *"0123456789"])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    before = torch.get_rng_state()
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=n_layers,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=40,
        initializer_range=0.3,
    )
    BertModel(config).save_pretrained(folder)
    torch.set_rng_state(before)
    return folder
