"""From one whole collection to a checkpoint, for every method that learns without labels."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.evaluation.metrics import GROUPING_METRICS
from subclust.grouping.clustering.learnt_space import Division, LearntSpace, LearntSpaceSubtopics
from subclust.text.encoders import Encoder, cache_folder
from subclust.text.encoders.tuning import stacked, tunable
from subclust.training.augmentation.wordings import FOLDER
from subclust.training.collection_learner import CollectionLearner, gold_of
from subclust.training.loop.workers import current
from subclust.training.network_training import card_of, trained
from subclust.training.training_run import TrainingRun

_FEWEST_TEXTS = 200
"""Below which nothing reliable can be learnt of a collection without labels."""
_SCORED = ("acc", "nmi_geometric", "ami", "ari", "bcubed_f1")
"""Told in the card where the collection has labels; nothing is chosen by them."""


class BeginsWithVectors(Protocol):
    """What a network has that starts from the collection's vectors instead of from chance."""

    def begin_with(self, vectors: FloatArray) -> None:
        """Take the encoder's vectors of all texts, shape (n_texts, embedding_dim)."""
        ...


@dataclass(frozen=True)
class CollectionMethod:
    """What a method brings to `train_collection`.

    Parameters
    ----------
    build : callable
        Makes the network from the configuration; it is a `LearntSpace`.
    views : callable
        Gives other wordings of each text, perhaps none: ``views(texts, folder)``, where the folder
        is that of kept wordings, or None.
    learner : callable
        A `CollectionLearner`'s constructor.
    about : mapping
        First entries of the card.
    reads_texts : bool
        Whether the network reads the texts itself, and needs no encoder (`ReadsTexts`).
    begins_with_vectors : bool
        Whether a new network starts from the encoder's vectors of the texts (`BeginsWithVectors`).
    division : {"kmeans", "spectral"}
        How the learnt space is divided into groups, where the network makes none itself.
    told : mapping
        What the recipe does not say of the training, for the card.
    """

    build: Callable[[Mapping[str, Any]], nn.Module]
    views: Callable[[Sequence[str], Path | None], Sequence[Sequence[str]]]
    learner: Callable[..., CollectionLearner]
    about: Mapping[str, Any]
    reads_texts: bool = False
    begins_with_vectors: bool = False
    division: Division = "kmeans"
    told: Mapping[str, Any] = field(default_factory=dict)


def train_collection(
    run: TrainingRun,
    objective: Any,
    brought: CollectionMethod,
    *,
    learner_options: Mapping[str, Any] | None = None,
) -> Checkpoint:
    """Train a network on the texts of a collection, and score it where there are labels.

    Parameters
    ----------
    run : TrainingRun
        Labels of what it trains on are read to count them, where ``[model]`` has no ``n_clusters``,
        and at the end for the scores in the card.
    objective : dataclass
        With ``tuned_layers``, ``tuned_embeddings``, ``cached_states`` and ``head_rate``.
    learner_options : mapping, optional
        Further arguments of the learner.

    Returns
    -------
    Checkpoint
        Not saved yet.

    Raises
    ------
    TrainingError
        If the collection or the recipe does not fit, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    recipe, encoder, base = run.recipe, run.encoder, run.base
    texts = _texts_of(run.training, run.method)
    config = _config(run, texts)
    if brought.reads_texts:
        config["encoder_revision"] = None
    if brought.division != "kmeans":
        config["division"] = brought.division
    torch.manual_seed(recipe.training.seed)
    network = brought.build(config)
    if base is not None:
        load_weights(network, base)
    elif brought.begins_with_vectors:
        with current().main_first():
            vectors_of_texts = _embedded(texts, encoder)
        cast(BeginsWithVectors, network).begin_with(vectors_of_texts)
    beside = cache_folder(encoder)
    kept_in = beside / FOLDER if beside is not None else None
    views = [texts, *brought.views(texts, kept_in)]
    tuned = tunable(
        encoder,
        layers=objective.tuned_layers,
        embeddings=objective.tuned_embeddings,
        cached_states=objective.cached_states,
    )
    vectors = None
    if tuned is None and not brought.reads_texts:
        with current().main_first():  # the others find the embeddings in the cache
            vectors = [_embedded(view, encoder) for view in views]
    learner = brought.learner(
        network,
        views,
        objective,
        recipe.training,
        encoder=tuned,
        vectors=vectors,
        folder=run.folder,
        device=run.device,
        **(learner_options or {}),
    )
    result = trained(learner, run)
    seconds = time.monotonic() - started
    learner.model.eval()
    layers = tuned.tuned_layers() if tuned is not None else {}
    if base is not None:
        layers = stacked(base.encoder_layers, layers)
    scores = _scores(learner, network, texts, run.training, config)
    card = card_of(run, brought.about, objective, result, scores, seconds, **brought.told)
    return Checkpoint(run.method, run.name, config, network_tensors(network, layers), card)


def _config(run: TrainingRun, texts: Sequence[str]) -> dict[str, Any]:
    method, recipe, encoder, base = run.method, run.recipe, run.encoder, run.base
    n_clusters = _number_of_clusters(recipe.model.get("n_clusters"), run.training, texts)
    model = {"embedding_dim": encoder.embedding_dim, **recipe.model, "n_clusters": n_clusters}
    if base is None:
        return {"model": model, "encoder_revision": encoder.revision}
    if base.method != method or base.config["model"] != {**base.config["model"], **model}:
        raise TrainingError(
            "{method} cannot start from {method_2}/{base}, which has another network or another "
            "number of groups; leave the base out.",
            method=method,
            method_2=base.method,
            base=base.name,
        )
    return {
        "model": dict(base.config["model"]),
        "encoder_revision": base.config["encoder_revision"],
        "base": base.name,
    }


def _embedded(texts: Sequence[str], encoder: Encoder) -> FloatArray:
    different = list(dict.fromkeys(texts))
    rows = dict(zip(different, range(len(different)), strict=True))
    vectors: FloatArray = encoder.encode(different)[[rows[text] for text in texts]]
    return vectors


def _scores(
    learner: CollectionLearner,
    network: nn.Module,
    texts: Sequence[str],
    instances: Sequence[ClusteringInstance],
    config: Mapping[str, Any],
) -> dict[str, float]:
    gold = gold_of(instances)
    if gold is None:
        return {}
    vectors = learner.all_vectors()
    space: LearntSpace = network.to("cpu")  # type: ignore[assignment]
    clusterer = LearntSpaceSubtopics(
        space,
        n_clusters=config["model"]["n_clusters"],
        division=config.get("division", "kmeans"),
    )
    clusterer.fit(texts, query=Query(""), embeddings=vectors)
    return {name: GROUPING_METRICS[name](gold, clusterer.labels_) for name in _SCORED}


def _texts_of(instances: Sequence[ClusteringInstance], method: str) -> tuple[str, ...]:
    """Take the texts of all passages, unless they are too few or all alike."""
    texts = tuple(passage.text for instance in instances for passage in instance.passages)
    if len(texts) < _FEWEST_TEXTS:
        raise TrainingError(
            "{method} learns from a whole collection of at least {fewest_texts} texts, but "
            "there are {count}; give more, or choose a method that needs no training, such as "
            "kmeans.",
            method=method,
            fewest_texts=_FEWEST_TEXTS,
            count=len(texts),
        )
    if len(set(texts)) < 2:
        raise TrainingError(
            "All {count:,} texts are the same, so nothing divides them.", count=len(texts)
        )
    return texts


def _number_of_clusters(
    asked: object, instances: Sequence[ClusteringInstance], texts: Sequence[str]
) -> int:
    """Return how many groups are to be learnt: what was asked for, or as many as there are labels.

    The second is what the papers give every method; of the labels nothing but their number is used.
    """
    gold = gold_of(instances)
    if asked is None and gold is None:
        raise TrainingError(
            "The collection has no labels that would tell how many groups there are; say how many "
            "with --set model.n_clusters=20 or the like."
        )
    n_clusters = asked if gold is None or asked is not None else len(np.unique(gold))
    if asked is None and n_clusters == 1:
        raise TrainingError(
            "All texts of the collection have the same label, so the labels do not tell how many "
            "groups there are; say how many with --set model.n_clusters=20 or the like."
        )
    if not isinstance(n_clusters, int) or isinstance(n_clusters, bool) or n_clusters < 2:
        raise TrainingError(
            "n_clusters must be a whole number of at least 2, but is {count!r}.",
            count=n_clusters,
        )
    if n_clusters > len(texts):
        raise TrainingError(
            "n_clusters is {n_clusters:,}, but the collection has only {count:,} texts.",
            n_clusters=n_clusters,
            count=len(texts),
        )
    return n_clusters
