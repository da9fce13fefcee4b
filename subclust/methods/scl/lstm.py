"""The latent space over an LSTM, which reads words and needs no encoder (section IV-B)."""

import re
from collections.abc import Sequence
from typing import Literal, cast

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.records import FloatArray
from subclust.methods.scl.models import LatentSpace

MAX_WORDS = 30_000
"""Most frequent words that have a vector of their own."""
_WORD = re.compile(r"\[mask\]|\w+")
_PADDING, _UNKNOWN, _FIRST = 0, 1, 2
_TEXTS_AT_ONCE = 512
_PARTS = 4  # of a batch, by length: the shorter ones need not wait for the longest


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case; a mask is one that no vocabulary holds."""
    return _WORD.findall(text.lower())


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
