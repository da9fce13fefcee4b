"""A trained network of the QS3M room as a pair similarity."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from subclust.encoders import Encoder
from subclust.encoders.splitting import encode_sentences
from subclust.exceptions import InputError
from subclust.methods.qs3m.centred import CentredSiamese
from subclust.methods.qs3m.sentence_attention import SentenceAttentiveSiamese, padded
from subclust.records import FloatArray, Query
from subclust.similarity.base import PairSimilarity
from subclust.similarity.tfidf import TfidfSimilarity


class QuerySpecificSimilarity(PairSimilarity):
    """Pair scores by a trained network; higher is closer, on the network's own scale.

    Parameters
    ----------
    model : nn.Module
        Takes a query (embedding_dim,) and passages (n_passages, embedding_dim) and gives
        (n_passages, n_passages).
    """

    needs_embeddings = True

    def __init__(self, model: nn.Module) -> None:
        self.model = model.eval()

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        arguments = [query_vector(query), *self._read(passages, embeddings)]
        if getattr(self.model, "needs_shared_words", False):
            arguments.append(tensor(shared_words(passages)))
        with torch.inference_mode():
            scores = self.model(*arguments)
        return np.asarray(scores.numpy(), dtype=np.float32)

    def _read(self, passages: Sequence[str], embeddings: FloatArray | None) -> tuple[Tensor, ...]:
        """Give the passages as the network takes them."""
        return (tensor(embeddings),)

    def relevance(self, query: Query, embeddings: FloatArray) -> FloatArray:
        """Say how far each passage is about the query.

        Parameters
        ----------
        query : Query
            With its embedding.
        embeddings : ndarray of shape (n_passages, embedding_dim)

        Returns
        -------
        ndarray of shape (n_passages,)
            0 to 1; 1 for all where the network has no relevance gate.
        """
        if not isinstance(self.model, CentredSiamese):
            return np.ones(len(embeddings), dtype=np.float32)
        with torch.inference_mode():
            inside = self.model.inside(query_vector(query), tensor(embeddings))
        if inside is None:
            return np.ones(len(embeddings), dtype=np.float32)
        return np.asarray(inside.numpy(), dtype=np.float32)


class SentenceSimilarity(QuerySpecificSimilarity):
    """Pair scores by a network that reads the sentences of the passages; higher is closer.

    Parameters
    ----------
    model : SentenceAttentiveSiamese
    encoder : Encoder
        That of the query's embedding. Each sentence is encoded, so one that remembers is wanted.
    """

    def __init__(self, model: SentenceAttentiveSiamese, encoder: Encoder) -> None:
        super().__init__(model)
        self.encoder = encoder

    def _read(self, passages: Sequence[str], embeddings: FloatArray | None) -> tuple[Tensor, ...]:
        return padded(encode_sentences(passages, self.encoder))


def shared_words(passages: Sequence[str]) -> FloatArray:
    """Compare the passages' words: sublinear TF-IDF over the hit set.

    Embeddings of a whole passage lose rare words, such as the names that a section is about; these
    scores keep them.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        Cosines, 0 to 1; higher is closer.
    """
    similarity = TfidfSimilarity(stop_words="english", sublinear=True)
    return similarity.score_matrix(Query(""), passages)


def query_vector(query: Query) -> Tensor:
    """Give the query's embedding as a tensor of shape (embedding_dim,).

    Raises
    ------
    InputError
        If it has none.
    """
    if query.embedding is None:
        raise InputError(
            "A query-specific method needs the query's embedding; "
            "compute it with encoders.with_embedding."
        )
    return tensor(query.embedding)


def tensor(values: FloatArray | None) -> Tensor:
    """Copy an array, so that no network can change it."""
    return torch.from_numpy(np.array(values, dtype=np.float32))
