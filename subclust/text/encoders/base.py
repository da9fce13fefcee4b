"""The interface of everything that turns texts into vectors."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress


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
        self,
        texts: Sequence[str],
        *,
        query: Query | None = None,
        progress: Progress | None = None,
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
                "The encoder {name} gave vectors that are not finite.", name=self.name
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
        title where there is none; or the normalised mean of `hits`, or the title where there are
        no hits.
    """
    if query.context == "passages" and len(hits):
        # In double precision, so that the order of the hits does not reach the result.
        mean = hits.mean(axis=0, dtype=np.float64)
        vector = mean / max(float(np.linalg.norm(mean)), 1e-12)
    elif query.context == "description" and query.description:
        vector = _of_text(query.description, encoder, asked)
    else:
        vector = _of_text(query.text, encoder, asked)
    return replace(query, embedding=np.asarray(vector, dtype=np.float32))


def _of_text(text: str, encoder: Encoder, asked: bool) -> FloatArray:
    return encoder.encode_asked(text) if asked else encoder.encode([text])[0]
