"""A trained similarity of the QS3M room at work: pair scores, then average link."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.clustering.agglomerative import AgglomerativeSubtopics
from subclust.clustering.base import SubtopicClusterer
from subclust.clustering.threshold_count import ThresholdCount
from subclust.exceptions import CheckpointError, InputError
from subclust.methods.qs3m.models import (
    CentredSiamese,
    QuerySpecificScaler,
    QuerySpecificSiamese,
)
from subclust.records import FloatArray, Query
from subclust.similarity.base import PairSimilarity
from subclust.similarity.tfidf import TfidfSimilarity

MODELS: dict[str, type[nn.Module]] = {
    "qss": QuerySpecificScaler,
    "qs3m": QuerySpecificSiamese,
    "centred-qs3m": CentredSiamese,
}
"""The network of each method; its forward takes query and passages and scores all pairs."""

HEAD_PREFIX = "head."
"""Of the names of a checkpoint's tensors that belong to the network."""


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
        if query.embedding is None:
            raise InputError(
                "A query-specific method needs the query's embedding; "
                "compute it with encoders.with_embedding."
            )
        with torch.inference_mode():
            scores = self.model(
                torch.from_numpy(np.array(query.embedding, dtype=np.float32)),
                torch.from_numpy(np.array(embeddings, dtype=np.float32)),
            )
        return np.asarray(scores.numpy(), dtype=np.float32)


class LexicalBlend(PairSimilarity):
    """A network's score plus a share of the TF-IDF cosine; higher is closer.

    Embeddings of a whole passage lose rare words, such as the names that a section is about; the
    hit set's own TF-IDF keeps them. Not in the paper.

    Parameters
    ----------
    network : PairSimilarity
    weight : float
        Of the TF-IDF cosine (0 to 1), at least 0.
    """

    needs_embeddings = True

    def __init__(self, network: PairSimilarity, weight: float) -> None:
        self.network = network
        self.weight = weight
        self.lexical = lexical_similarity()

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        scores = self.network.score_matrix(query, passages, embeddings)
        shared = self.lexical.score_matrix(query, passages)
        return np.asarray(scores + self.weight * shared, dtype=np.float32)


def lexical_similarity() -> PairSimilarity:
    """Make the similarity that `LexicalBlend` adds: sublinear TF-IDF over the hit set."""
    return TfidfSimilarity(stop_words="english", sublinear=True)


def build(name: str, config: Mapping[str, Any]) -> nn.Module:
    """Build a method's network from its configuration.

    Raises
    ------
    CheckpointError
        If the configuration does not fit.
    """
    try:
        return MODELS[name](**config["model"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            f"The [model] values of {name} cannot be used ({error}); "
            "see its recipe for what is allowed."
        ) from error


def load_weights(model: nn.Module, checkpoint: Checkpoint) -> None:
    """Put a checkpoint's weights into a network.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    weights = {
        key.removeprefix(HEAD_PREFIX): torch.from_numpy(np.asarray(value, dtype=np.float32))
        for key, value in checkpoint.tensors.items()
        if key.startswith(HEAD_PREFIX)
    }
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise CheckpointError(
            f"The weights of the checkpoint {checkpoint.method}/{checkpoint.name} do not fit its "
            "configuration; restore its folder from a copy, or train it again."
        ) from error


def load(name: str, checkpoint: Checkpoint | None) -> SubtopicClusterer:
    """Make the clusterer of a trained method.

    Raises
    ------
    CheckpointError
        If there is no checkpoint, or its weights and configuration do not fit each other.
    """
    if checkpoint is None:
        raise CheckpointError(f"The method {name} needs a trained checkpoint.")
    model = build(name, checkpoint.config)
    load_weights(model, checkpoint)
    threshold = checkpoint.config.get("threshold")
    similarity: PairSimilarity = QuerySpecificSimilarity(model)
    weight = float(checkpoint.config.get("lexical_weight", 0.0))
    if weight > 0:
        similarity = LexicalBlend(similarity, weight)
    return AgglomerativeSubtopics(
        similarity,
        count=None if threshold is None else ThresholdCount(float(threshold)),
    )
