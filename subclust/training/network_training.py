"""From labelled queries to a checkpoint, for every method whose network scores pairs."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from scipy import stats
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import CheckpointError, TrainingError, TrainingStopped
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.grouping.clustering.threshold_count import indices_at, learn_threshold
from subclust.text.encoders import Encoder
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP
from subclust.text.encoders.tuning import stacked, tunable
from subclust.training.loop.learner import Learner, TrainingResult
from subclust.training.loop.trainer import train_learner
from subclust.training.loop.workers import current
from subclust.training.queries import (
    Prepared,
    QueryLearner,
    QueryObjective,
    prepare,
    with_embeddings,
)
from subclust.training.training_run import TrainingRun

_CERTAINTY = 0.99
"""Of a one-sided paired t test, before a threshold learnt on few queries replaces an earlier one.

It is high because the new one was chosen on the same queries, and looks better there than it is.
"""


def embed_all(instances: Sequence[ClusteringInstance], encoder: Encoder) -> dict[str, FloatArray]:
    """Encode every query, description and passage once."""
    texts = dict.fromkeys(
        text
        for instance in instances
        for text in (
            instance.query.text,
            instance.query.description or instance.query.text,
            *(passage.text for passage in instance.passages),
        )
    )
    return dict(zip(texts, encoder.encode(list(texts)), strict=True))


def judge(
    learner: QueryLearner, validation: Sequence[Prepared], before: float | None = None
) -> tuple[dict[str, float], dict[str, float]]:
    """Choose on the validation queries what is not trained, and score the whole there.

    Parameters
    ----------
    learner : QueryLearner
        Trained.
    before : float, optional
        Threshold of the checkpoint that the run started from.

    Returns
    -------
    learnt : dict of str to float
        ``threshold`` for the automatic number of groups, on the scale of the scores.
    scores : dict of str to float
        ``validation_ari`` at the true number of groups, and ``validation_queries``.
    """
    learner.model.eval()
    scores, gold = _scored(learner, validation)
    return (
        {"threshold": choose_threshold(list(zip(scores, gold, strict=True)), before)},
        {
            "validation_ari": _mean_ari(learner, scores, gold),
            "validation_queries": float(len(validation)),
        },
    )


def choose_threshold(
    instances: Sequence[tuple[FloatArray, Sequence[str]]], before: float | None
) -> float:
    """Learn the threshold anew, or keep the one there was unless the new one is clearly better.

    A threshold learnt on six queries fits those six; the one of a checkpoint that is trained
    further was learnt on hundreds. So it goes only where it has come to be wrong, as it does when
    training moves the scale of the scores.

    Parameters
    ----------
    instances : sequence of (scores, gold)
        As for `learn_threshold`.
    before : float or None
        None where there was none.

    Returns
    -------
    float
        On the scale of the scores.

    Raises
    ------
    InputError
        If there was none, and no query has two passages.
    """
    if before is None:
        return learn_threshold(instances)
    earlier = indices_at(instances, before)
    if len(earlier) < 2:
        return before
    learnt = learn_threshold(instances)
    gains = indices_at(instances, learnt) - earlier
    needed = stats.t.ppf(_CERTAINTY, len(gains) - 1) * gains.std(ddof=1) / math.sqrt(len(gains))
    return learnt if gains.mean() > needed else before


def _scored(
    learner: QueryLearner, validation: Sequence[Prepared]
) -> tuple[list[FloatArray], list[list[str]]]:
    objective = learner.objective
    context = "title" if objective.context == "mixed" else objective.context
    return (
        learner.score_matrices(validation, context),
        [query.instance.gold(objective.granularity) for query in validation],
    )


def _mean_ari(
    learner: QueryLearner, scores: Sequence[FloatArray], gold: Sequence[Sequence[str]]
) -> float:
    return float(np.mean([learner.ari(s, g) for s, g in zip(scores, gold, strict=True)]))


def first_config(run: TrainingRun, objective: QueryObjective) -> dict[str, Any]:
    """Return a checkpoint's configuration, as far as it is known before training.

    Parameters
    ----------
    run : TrainingRun
        Its base's configuration is kept where the recipe does not say otherwise.
    """
    recipe, encoder, base = run.recipe, run.encoder, run.base
    config: dict[str, Any] = {
        "model": {"embedding_dim": encoder.embedding_dim, **recipe.model},
        "encoder_revision": encoder.revision,
        "context": objective.context,
    }
    if base is not None:
        config["model"] = {**base.config["model"], **recipe.model}
        config["encoder_revision"] = base.config["encoder_revision"]
        own = base.method == run.method
        config["base"] = base.name if own else f"{base.method}/{base.name}"
        config["with_base"] = base.config.get("with_base", False)
    return config


def _begun(
    build: Callable[[Mapping[str, Any]], nn.Module],
    config: Mapping[str, Any],
    method: str,
    base: Checkpoint | None,
) -> nn.Module:
    """Build a network, with the weights of what it starts from."""
    try:
        head = build(config)
        if base is not None:
            load_weights(head, base, partly=True)
    except CheckpointError as error:
        if base is None or base.method == method:
            raise
        raise another_network(method, base) from error
    return head


def another_network(method: str, base: Checkpoint) -> TrainingError:
    """Return the error that a training cannot start from a checkpoint of another network."""
    return TrainingError(
        "{method} cannot start from {method_2}/{base}, which has another network; choose a "
        "checkpoint of {method}, or leave the base out.",
        method=method,
        method_2=base.method,
        base=base.name,
    )


def train_network(
    run: TrainingRun,
    objective: QueryObjective,
    *,
    build: Callable[[Mapping[str, Any]], nn.Module],
    learner: Callable[..., QueryLearner],
    about: Mapping[str, Any],
    complete: Callable[[Sequence[Prepared]], list[Prepared]] | None = None,
) -> Checkpoint:
    """Train a network, and learn its threshold for the automatic number of groups.

    Parameters
    ----------
    build : callable
        Makes the network from the configuration.
    learner : callable
        A `QueryLearner`'s constructor.
    about : mapping
        First entries of the card.
    complete : callable, optional
        Adds to the prepared queries what the network reads beside embeddings.

    Returns
    -------
    Checkpoint
        Not saved yet; its card holds the scores on validation.

    Raises
    ------
    TrainingError
        If the recipe does not fit, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    method, recipe, encoder, base = run.method, run.recipe, run.encoder, run.base
    config = first_config(run, objective)
    torch.manual_seed(recipe.training.seed)
    head = _begun(build, config, method, base)
    training, validation = run.training, run.validation
    if recipe.training.epochs == 0:
        # Nothing is trained, so that none of it has to be encoded.
        training = training[:0]
    sets = [prepare(part, objective) for part in (training, validation)]
    tuned = tunable(
        encoder,
        layers=objective.tuned_layers,
        embeddings=objective.tuned_embeddings,
        cached_states=objective.cached_states,
        lora_rank=objective.lora_rank,
        lora_alpha=objective.lora_alpha,
    )
    if tuned is None:
        with current().main_first():  # the others find the embeddings in the cache
            embeddings = embed_all([*training, *validation], encoder)
            sets = [with_embeddings(part, embeddings) for part in sets]
            if complete is not None:
                sets = [complete(part) for part in sets]
    learns = learner(
        head, sets[0], sets[1], objective, recipe.training, encoder=tuned, device=run.device
    )
    result = trained(learns, run)
    learnt, scores = judge(learns, sets[1], threshold_before(base, method))
    seconds = time.monotonic() - started
    layers = tuned.tuned_layers() if tuned is not None else {}
    if base is not None and rests_on(base, method, layers):
        config["layers_of"] = f"{base.method}/{base.name}"
        config["layers_digest"] = base.layers_digest
    elif base is not None:
        layers = stacked(base.encoder_layers, layers)
    return Checkpoint(
        method,
        run.name,
        {**config, **learnt},
        network_tensors(head, layers),
        card_of(run, about, objective, result, scores, seconds),
    )


def threshold_before(base: Checkpoint | None, method: str) -> float | None:
    """Return the threshold of the checkpoint that a run goes on from, if of the same method."""
    if base is None or base.method != method:
        return None
    threshold = base.config.get("threshold")
    return None if threshold is None else float(threshold)


def rests_on(base: Checkpoint, method: str, layers: Mapping[str, Any]) -> bool:
    """Return whether a checkpoint need not keep the layers of its base once more.

    Where the base is another method's and every layer of it is used as it is, perhaps with adapters
    beside it.
    """
    before = base.encoder_layers
    alike = any(name.endswith((LORA_DOWN, LORA_UP)) for name in before)
    return bool(before) and base.method != method and not alike and before.keys().isdisjoint(layers)


def trained(learner: Learner, run: TrainingRun) -> TrainingResult:
    """Train by the recipe of a run, to its end.

    Raises
    ------
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    result = train_learner(
        learner,
        run.recipe.training,
        run.folder,
        device=run.device,
        progress=run.progress,
        resume=run.resume,
    )
    if result.stopped == "stop":
        raise TrainingStopped(
            "The run was stopped after step {steps} and saved; it can be resumed.",
            steps=result.steps,
        )
    return result


def card_of(
    run: TrainingRun,
    about: Mapping[str, Any],
    objective: Any,
    result: TrainingResult,
    scores: Mapping[str, float],
    seconds: float,
    **more: Any,
) -> dict[str, Any]:
    """Return what a checkpoint is, how it was trained (and `more` of that) and how it scores."""
    card: dict[str, Any] = {
        **about,
        "training": {
            **run.recipe.to_dict()["training"],
            **asdict(objective),
            **more,
            "steps": result.steps,
            "best_step": result.best_step,
            "stopped": result.stopped,
            "seconds": round(seconds, 1),
        },
        "scores": dict(scores),
        "history": list(result.history),
    }
    if run.base is not None:
        card["stages"] = [*run.base.card.get("stages", []), run.base.card.get("training", {})]
    return card
