"""A Marian of a few thousand random weights, as a folder such as those of Opus-MT."""

import io
import json

import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel

WORDS = "taxes colonies army battle king crown tea port ant burrow night termite"


def make_tiny_marian(folder):
    """Write the model into a folder; it translates into nonsense, the same each time."""
    pieces = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([WORDS] * 20),
        model_writer=pieces,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(pieces.getvalue())
    known = sentencepiece.SentencePieceProcessor(model_proto=pieces.getvalue())
    special = ["</s>", "<unk>"]
    found = [known.id_to_piece(number) for number in range(known.get_piece_size())]
    listed = [*special, *(p for p in found if p not in (*special, "<s>")), "<pad>"]
    vocabulary = {piece: number for number, piece in enumerate(listed)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    told = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "es"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told), encoding="utf-8")
    before = torch.get_rng_state()
    torch.manual_seed(0)
    config = MarianConfig(
        vocab_size=len(vocabulary),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=24,
        decoder_ffn_dim=24,
        max_position_embeddings=300,
        pad_token_id=len(vocabulary) - 1,
        decoder_start_token_id=len(vocabulary) - 1,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
    MarianMTModel(config).save_pretrained(folder)
    torch.set_rng_state(before)
    return folder
