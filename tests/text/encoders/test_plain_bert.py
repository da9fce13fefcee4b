import subprocess
import sys

import numpy as np
import pytest

from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.plain_bert import NAMED, PlainBert

TEXTS = [
    "The cat sleeps on the sofa.",
    "  A kitten naps\n on a couch. ",
    "",
    "Ünïcode, ﬁne ligatures, 漢字 and a \x00 control\tsign",
    "[CLS] marks [MASK] of its own",
    "war " * 300,
]


@pytest.fixture(scope="module")
def layers():
    """Give a tuning: a weight of another value, and an adapter of rank 2."""
    rng = np.random.default_rng(0)
    place = f"{NAMED}encoder.layer.5.output.dense"
    return {
        f"{place}.bias": rng.normal(0, 0.1, 384).astype(np.float16),
        f"{place}.lora_down": rng.normal(0, 0.1, (2, 1536)).astype(np.float16),
        f"{place}.lora_up": rng.normal(0, 0.1, (384, 2)).astype(np.float16),
    }


@pytest.fixture(scope="module", params=[False, True], ids=["published", "tuned"])
def both(request, layers):
    """The embedded encoder, and the model that sentence-transformers makes of the same weights."""
    encoder = SentenceEncoder(precision="float32", layers=layers if request.param else None)
    return encoder, encoder.fresh_model().eval()


def test_vectors_are_those_of_sentence_transformers(both):
    encoder, model = both
    expected = model.encode(TEXTS, normalize_embeddings=True)
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=2e-6)
    # Without padding, too.
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(alone, expected, atol=2e-6)


def test_bfloat16_rounds_as_little(both):
    encoder, model = both
    low = SentenceEncoder(precision="bfloat16", layers=encoder.layers)
    expected = model.encode(TEXTS, normalize_embeddings=True)
    assert (low.encode(TEXTS) * expected).sum(axis=1).min() > 0.9995


@pytest.mark.parametrize("most", [8, 128])
def test_word_pieces_are_those_of_sentence_transformers(both, most):
    encoder, model = both
    found = PlainBert(encoder.folder, most).tokens(TEXTS)
    expected = model.tokenizer(TEXTS, truncation=True, max_length=most, padding=False)
    assert found == expected["input_ids"]


def test_sentence_transformers_is_not_imported():
    program = (
        "import sys; from subclust.text.encoders import SentenceEncoder;"
        "print(SentenceEncoder().encode(['a']).shape, 'transformers' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.split() == ["(1,", "384)", "False"], found.stderr
