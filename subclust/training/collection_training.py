"""From one whole collection to a checkpoint, for every method that learns without labels."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, cast

import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import TrainingError
from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.grouping.clustering.learnt_space import Division, LearntSpace, LearntSpaceSubtopics
from subclust.text.encoders import Encoder, cache_folder
from subclust.text.encoders.tuning import stacked, tunable
from subclust.training.augmentation.wordings import FOLDER
from subclust.training.collection_learner import (
    Collection,
    CollectionLearner,
    collection_of,
    gold_of,
    number_of_clusters,
    scores_of,
)
from subclust.training.loop.trainer import Trainer
from subclust.training.loop.workers import current
from subclust.training.network_training import card_of, check_not_stopped
from subclust.training.training_run import TrainingRun


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
    collection = collection_of(run.training, run.method)
    config = _config(run, collection)
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
            vectors_of_texts = _embedded(collection.texts, encoder)
        cast(BeginsWithVectors, network).begin_with(vectors_of_texts)
    beside = cache_folder(encoder)
    kept_in = beside / FOLDER if beside is not None else None
    views = [collection.texts, *brought.views(collection.texts, kept_in)]
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
    trainer = Trainer(
        learner, recipe.training, run.folder, device=run.device, progress=run.progress
    )
    result = trainer.train(resume=run.resume)
    check_not_stopped(result)
    seconds = time.monotonic() - started
    learner.model.eval()
    layers = tuned.tuned_layers() if tuned is not None else {}
    if base is not None:
        layers = stacked(base.encoder_layers, layers)
    scores = _scores(learner, network, collection, run.training, config)
    card = card_of(run, brought.about, objective, result, scores, seconds, **brought.told)
    return Checkpoint(run.method, run.name, config, network_tensors(network, layers), card)


def _config(run: TrainingRun, collection: Collection) -> dict[str, Any]:
    method, recipe, encoder, base = run.method, run.recipe, run.encoder, run.base
    n_clusters = number_of_clusters(recipe.model.get("n_clusters"), run.training, collection)
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
    collection: Collection,
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
    clusterer.fit(collection.texts, query=Query(""), embeddings=vectors)
    return scores_of(gold, clusterer.labels_)
