"""A trained network as a pair similarity."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, Query
from subclust.core.records.boilerplate import without_labels
from subclust.grouping.similarity.base import PairSimilarity
from subclust.grouping.similarity.tfidf import TfidfSimilarity

_KEPT_UP_TO = 1000
"""Passages of which the shared words are remembered: four megabytes."""


class NetworkSimilarity(PairSimilarity):
    """Pair scores by a trained network; higher is closer, on the network's own scale.

    Parameters
    ----------
    model : nn.Module
        Takes a query (embedding_dim,) and passages (n_passages, embedding_dim) and gives
        (n_passages, n_passages). With ``needs_query = False`` it is given None for the query; with
        ``needs_shared_words`` also the passages' `shared_words`.
    """

    is_network = True

    def __init__(self, model: nn.Module) -> None:
        self.model = model.eval()

    @property
    def embedding_dim(self) -> int | None:
        """Dimension of the vectors that the network was trained over, where it is known."""
        return getattr(self.model, "embedding_dim", None)

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        arguments = [self._query(query), *self._read(passages, embeddings)]
        if getattr(self.model, "needs_shared_words", False):
            arguments.append(tensor(shared_words(passages)))
        with torch.inference_mode():
            scores = self.model(*arguments)
        return np.asarray(scores.numpy(), dtype=np.float32)

    def _read(self, passages: Sequence[str], embeddings: FloatArray | None) -> tuple[Tensor, ...]:
        """Return the passages as the network takes them."""
        return (tensor(embeddings),)

    def _query(self, query: Query) -> Tensor | None:
        return _query_vector(query) if getattr(self.model, "needs_query", True) else None

    def space(self, query: Query, embeddings: FloatArray) -> FloatArray:
        """Return the passages where the network compares them.

        Parameters
        ----------
        query : Query
            With its embedding, where the network needs it.
        embeddings : ndarray of shape (n_passages, embedding_dim)

        Returns
        -------
        ndarray of shape (n_passages, space_dim)
            The embeddings themselves, where the network has no space of its own.
        """
        space: Callable[..., Tensor] | None = getattr(self.model, "space", None)
        if space is None:
            return embeddings
        with torch.inference_mode():
            moved = space(self._query(query), tensor(embeddings))
        return np.asarray(moved.numpy(), dtype=np.float32)

    def way(self, query: Query, embeddings: FloatArray | None) -> str:
        """Return the way to divide that a query wants: the usual one, where there is no other."""
        return "usual"

    def relevance(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray
    ) -> FloatArray:
        """Return how far each passage is about the query.

        Parameters
        ----------
        query : Query
            With its embedding, and its `relevance` where it is known.
        passages : sequence of str
        embeddings : ndarray of shape (n_passages, embedding_dim)

        Returns
        -------
        ndarray of shape (n_passages,)
            0 to 1; what is known already, else what the network's relevance gate says, and 1 for
            all where it has none.
        """
        known = _known(query, passages)
        if known is not None:
            return known
        judge: Callable[..., Tensor | None] | None = getattr(self.model, "inside", None)
        with torch.inference_mode():
            inside = judge and judge(_query_vector(query), tensor(embeddings))
        if inside is None:
            return np.ones(len(embeddings), dtype=np.float32)
        return np.asarray(inside.numpy(), dtype=np.float32)


def _known(query: Query, passages: Sequence[str]) -> FloatArray | None:
    """Return what is known of the passages' relevance, if it is of all."""
    found = [(query.relevance or {}).get(without_labels(text)) for text in passages]
    values = [value for value in found if value is not None]
    return np.array(values, dtype=np.float32) if len(values) == len(found) else None


def shared_words(passages: Sequence[str]) -> FloatArray:
    """Compare the passages' words: sublinear TF-IDF over the hit set.

    Embeddings of a whole passage lose rare words, such as the names that a section is about; these
    scores keep them.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        Cosines, 0 to 1; higher is closer.
    """
    if len(passages) > _KEPT_UP_TO:
        return _compared(passages)
    # A copy, so that no caller can change what is remembered.
    return _shared_words(tuple(passages)).copy()


@lru_cache(maxsize=8)
def _shared_words(passages: tuple[str, ...]) -> FloatArray:
    """Remember it of the last hits, which another query may group anew."""
    return _compared(passages)


def _compared(passages: Sequence[str]) -> FloatArray:
    similarity = TfidfSimilarity(stop_words="english", sublinear=True)
    return similarity.score_matrix(Query(""), passages)


def _query_vector(query: Query) -> Tensor:
    """Return the query's embedding as a tensor of shape (embedding_dim,)."""
    if query.embedding is None:
        raise InputError(
            "A query-specific method needs the query's embedding; "
            "compute it with encoders.with_embedding."
        )
    return tensor(query.embedding)


def tensor(values: FloatArray | None) -> Tensor:
    """Copy an array, so that no network can change it."""
    return torch.from_numpy(np.array(values, dtype=np.float32))
