"""The interface of everything that turns texts into vectors, and a tiny encoder for tests."""

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress

_WORD = re.compile(r"\w+")


class Encoder(ABC):
    """Turns texts into L2-normalised float32 vectors.

    Attributes
    ----------
    name : str
        For people and cards.
    revision : str
        Changes whenever the vectors' meaning would: weights and maximum length go into it.
    embedding_dim : int
    """

    name: str
    revision: str
    embedding_dim: int

    def encode(
        self, texts: Sequence[str], *, query: Query | None = None, progress: Progress | None = None
    ) -> FloatArray:
        """Encode texts.

        Parameters
        ----------
        texts : sequence of str
            Empty texts are allowed and encoded as such.
        query : Query, optional
            For encoders whose vectors depend on the query; others ignore it.
        progress : callable, optional
            Called as ``progress(n_done, n_total)``.

        Returns
        -------
        ndarray of shape (n_passages, embedding_dim)
            float32, each row of length 1.

        Raises
        ------
        EncoderError
            If the encoder gives vectors that are not finite.
        """
        if not len(texts):
            return np.zeros((0, self.embedding_dim), dtype=np.float32)
        return self._checked(self._encode(texts, query, progress))

    def encode_asked(self, text: str) -> FloatArray:
        """Encode what somebody asks; no encoder keeps anything of it on disk.

        Returns
        -------
        ndarray of shape (embedding_dim,)
            float32, of length 1.

        Raises
        ------
        EncoderError
            If the encoder gives a vector that is not finite.
        """
        vector: FloatArray = self.encode([text])[0]
        return vector

    def encode_beside(
        self,
        texts: Sequence[str],
        known: Mapping[str, FloatArray],
        *,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Encode texts of which the vectors of some encoders are at hand.

        Parameters
        ----------
        texts : sequence of str
        known : mapping of str to ndarray of shape (n_passages, embedding_dim)
            By the encoder's revision; taken where this encoder is made of several, one of them it.
        progress : callable, optional
            As for `encode`.

        Returns
        -------
        ndarray of shape (n_passages, embedding_dim)
            As `encode` gives them.
        """
        return self.encode(texts, progress=progress)

    def _checked(self, embeddings: FloatArray) -> FloatArray:
        embeddings = np.asarray(embeddings, dtype=np.float32)
        if not np.isfinite(embeddings).all():
            raise EncoderError(
                "The encoder {name} returned vectors that are not finite.", name=self.name
            )
        norms = np.linalg.norm(embeddings, axis=1, keepdims=True)
        return np.asarray(embeddings / np.maximum(norms, 1e-12), dtype=np.float32)

    @abstractmethod
    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        """Compute the vectors of at least one text; `encode` checks and normalises them."""


def with_embedding(
    query: Query, encoder: Encoder, hits: FloatArray, *, asked: bool = False
) -> Query:
    """Return the query with the representation its context asks for (QS3M, section 4.2).

    Parameters
    ----------
    query : Query
    encoder : Encoder
    hits : ndarray of shape (n_passages, embedding_dim)
        Embeddings of the query's passages.
    asked : bool
        Whether somebody asks it here and now; then no encoder keeps anything of it on disk.

    Returns
    -------
    Query
        With `embedding` of shape (embedding_dim,): of the title; of the description, or of the
        title where there is none; or the normalised mean of `hits`, also of a query without any
        words, or the title where there are no hits.
    """
    if (query.context == "passages" or query.words == "") and len(hits):
        # In double precision, so that the order of the hits does not reach the result.
        mean = hits.mean(axis=0, dtype=np.float64)
        vector = mean / max(float(np.linalg.norm(mean)), 1e-12)
    elif query.context == "description" and query.description:
        vector = _of_text(query.description, encoder, asked)
    else:
        vector = _of_text(query.subject, encoder, asked)
    return replace(query, embedding=np.asarray(vector, dtype=np.float32))


def _of_text(text: str, encoder: Encoder, asked: bool) -> FloatArray:
    return encoder.encode_asked(text) if asked else encoder.encode([text])[0]


class WrappingEncoder(Encoder):
    """An encoder around another one, whose name, revision and dimension it has.

    Parameters
    ----------
    encoder : Encoder
        Its vectors must depend on the text alone.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.name = encoder.name

    @property
    def revision(self) -> str:  # type: ignore[override]
        """The revision of the encoder inside."""
        return self.encoder.revision

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """The dimension of the encoder inside."""
        return self.encoder.embedding_dim


class HashingEncoder(Encoder):
    """Sum of one fixed random direction per word (the hashing trick).

    Parameters
    ----------
    embedding_dim : int
        At least 2.
    """

    def __init__(self, embedding_dim: int = 64) -> None:
        self.embedding_dim = embedding_dim
        self.name = "hashing"
        self.revision = f"hashing-{embedding_dim}"

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        directions: dict[str, FloatArray] = {}
        result = np.zeros((len(texts), self.embedding_dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.lower()) or [""]:
                if word not in directions:
                    # Not `hash`, which differs from process to process.
                    seed = zlib.crc32(word.encode())
                    directions[word] = (
                        np.random.default_rng(seed)
                        .standard_normal(self.embedding_dim)
                        .astype(np.float32)
                    )
                result[row] += directions[word]
            if progress is not None:
                progress(row + 1, len(texts))
        return result
