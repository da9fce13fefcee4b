"""Training of this room's methods, from labelled subsets to a checkpoint."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.checkpoint import HEAD_PREFIX, unfit
from subclust.checkpoints.network import head_tensors, network_tensors
from subclust.core.exceptions import CheckpointError, TrainingError
from subclust.grouping.clustering.threshold_count import beside_mean, learn_mean_share
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.methods.cactus.card import about
from subclust.methods.cactus.learner import SetLearner, measured_at
from subclust.methods.cactus.networks import (
    TOKENS,
    Network,
    load_network,
    open_network,
    reads_tokens,
)
from subclust.methods.cactus.objective import SetObjective
from subclust.methods.cactus.token_set import TokenSet
from subclust.methods.cactus.variants import VARIANTS
from subclust.methods.cactus.vector_set import VectorSet
from subclust.text.encoders import Encoder, StackedEncoder
from subclust.text.encoders.sentence import LORA_DOWN, LORA_UP
from subclust.text.encoders.tuning import stacked, tunable
from subclust.training.loop.workers import current
from subclust.training.network_training import (
    another_network,
    card_of,
    choose_threshold,
    embed_all,
    first_config,
    rests_on,
    threshold_before,
    trained,
)
from subclust.training.queries import Prepared, prepare, with_embeddings
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun


def train(run: TrainingRun) -> Checkpoint:
    """Train a set encoder, and learn its threshold for the automatic number of groups.

    For the methods of `VARIANTS`; ``[objective]`` holds the fields of `SetObjective`, ``[model]``
    those of `VectorSet`, where no layers of the encoder learn. The base may be a self-supervised
    checkpoint, or one of another room with a `CentredSiamese`, over which a network over vectors is
    then trained. The card holds the scores at both thresholds.

    Raises
    ------
    TrainingError
        If the recipe does not fit the method or the base, or the run cannot go on.
    EncoderError
        If the encoder has no layers that could learn so.
    """
    started = time.monotonic()
    method, recipe, encoder, base = run.method, run.recipe, run.encoder, run.base
    settings = {"loss": VARIANTS[method].loss, **recipe.objective}
    objective = checked(SetObjective, settings, "The recipe's [objective]")
    if isinstance(encoder, StackedEncoder):
        encoder = encoder.encoders[0]
    config = _config(replace(run, encoder=encoder), objective)
    torch.manual_seed(recipe.training.seed)
    keeps = objective.cached_states and reads_tokens(config)
    network = open_network(method, config, encoder, cached_states=keeps)
    if base is not None:
        _start_from(base, network, method)
    training = run.training if recipe.training.epochs else run.training[:0]
    sets = [prepare(part, objective) for part in (training, run.validation)]
    tuned = tunable(
        encoder,
        lora_rank=0 if reads_tokens(config) else objective.lora_rank,
        lora_alpha=objective.lora_alpha,
    )
    if not reads_tokens(config) and tuned is None:
        sets = _with_vectors(sets, encoder)
    learner = SetLearner(
        network, sets[0], sets[1], objective, recipe.training, encoder=tuned, device=run.device
    )
    result = trained(learner, run)
    if isinstance(network, VectorSet) and (base is None or base.method not in VARIANTS):
        network.keep(objective.kept_share)  # one that goes on from its like has done so before
    learnt, scores = _chosen(learner, sets[1], base, method)
    seconds = time.monotonic() - started
    learnt_layers = tuned.tuned_layers() if tuned is not None else {}
    shared, layers = _layers_over(base, method, learnt_layers)
    said = about(method, loss=objective.loss, over_vectors=not reads_tokens(config))
    card = card_of(run, said, objective, result, scores, seconds)
    tensors = _tensors_of(network.to("cpu"), layers)
    return Checkpoint(method, run.name, {**config, **shared, **learnt}, tensors, card)


def _start_from(base: Checkpoint, network: Network, method: str) -> None:
    if base.method not in VARIANTS:
        _start_over(network, base)
        return
    try:
        load_network(network, base)
    except CheckpointError as error:
        if base.method == method:
            raise
        raise another_network(method, base) from error


def _layers_over(
    base: Checkpoint | None, method: str, layers: Mapping[str, Any]
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Return whose layers of the encoder a checkpoint shares, and which it keeps itself."""
    if base is None:
        return {}, layers
    if rests_on(base, method, layers):
        digest = base.layers_digest
        return {"layers_of": f"{base.method}/{base.name}", "layers_digest": digest}, layers
    whole = stacked(base.encoder_layers, layers)
    if base.method != method or "layers_of" not in base.config:
        return {}, whole
    # A third one's layers, as they are; adapters beside them are the base's own.
    shared = {name: base.config[name] for name in ("layers_of", "layers_digest")}
    return shared, {k: v for k, v in whole.items() if k.endswith((LORA_DOWN, LORA_UP))}


def _config(run: TrainingRun, objective: SetObjective) -> dict[str, Any]:
    """Return the configuration, refusing what contradicts itself or the base."""
    method, recipe, base = run.method, run.recipe, run.base
    layers = _layers_of(method, objective)
    if layers and recipe.model:
        raise TrainingError(
            "[model] is for networks over vectors, but the layers of the encoder are to learn; "
            "leave {names} out, or set tuned_layers to 0.",
            names=", ".join(recipe.model),
        )
    if not layers and objective.self_supervised:
        raise TrainingError(
            "Self-supervised training makes new texts, of which no vectors are kept; set "
            "tuned_layers to 1 or more."
        )
    if objective.cached_states and not layers:
        raise TrainingError(
            "cached_states keeps the hidden states below tuned_layers, which is 0; set "
            "tuned_layers, or cached_states to false."
        )
    if base is not None and base.method not in VARIANTS:
        return _config_over(run, base, objective, layers)
    config = first_config(run, objective)
    if base is not None and {"reads": TOKENS} | layers != {"reads": TOKENS} | _layers(base):
        raise TrainingError(
            "{method}/{base} was trained with {said}, but the recipe has {said_2}; make them "
            "match, or leave the base out.",
            method=base.method,
            base=base.name,
            said=_said(_layers(base)),
            said_2=_said(layers),
        )
    config["model"] = {**config["model"], **layers}
    return config


def _config_over(
    run: TrainingRun, base: Checkpoint, objective: SetObjective, layers: dict[str, Any]
) -> dict[str, Any]:
    """Return the configuration of a network that stands over that of another room."""
    below = None if layers else _over(base)
    if below is None or (below.get("use_query", True) and not VARIANTS[run.method].uses_query):
        raise another_network(run.method, base)
    config = first_config(run, objective)
    # What a gate sees beside the vectors says nothing of subtopics, and is left out.
    config["model"] = {"embedding_dim": below["embedding_dim"], **run.recipe.model, "over": below}
    return {**config, "with_base": False}


def _layers(base: Checkpoint) -> dict[str, Any]:
    names = ("reads", "tuned_layers", "tuned_embeddings", "context_layers")
    model = base.config.get("model", {})
    return {name: model[name] for name in names if name in model}


def _self_supervised(base: Checkpoint | None) -> bool:
    """Return whether a base learned its threshold on subsets that it had made itself.

    Such a threshold tells wordings of one text from those of another, and nothing of subtopics.
    """
    return base is not None and bool(base.card.get("training", {}).get("self_supervised", False))


def _said(layers: dict[str, Any]) -> str:
    shown = {"tuned_layers": 0, **layers}
    return ", ".join(f"{k} {str(v).lower()}" for k, v in shown.items() if k != "reads")


def _with_vectors(sets: Sequence[list[Prepared]], encoder: Encoder) -> list[list[Prepared]]:
    with current().main_first():  # the others find the embeddings in the cache
        instances = [query.instance for part in sets for query in part]
        embeddings = embed_all(instances, encoder)
        return [with_embeddings(part, embeddings) for part in sets]


def _chosen(
    learner: SetLearner,
    validation: Sequence[Prepared],
    base: Checkpoint | None,
    method: str,
) -> tuple[dict[str, Any], dict[str, float]]:
    """Choose a threshold, and measure it and the neutral similarity on the validation queries."""
    learner.model.eval()
    objective = learner.objective
    context = "title" if objective.context == "mixed" else objective.context
    gold = [query.instance.gold(objective.granularity) for query in validation]
    pairs = list(zip(learner.score_matrices(validation, context), gold, strict=True))
    scores = {
        "validation_ari": float(np.mean([learner.ari(*pair) for pair in pairs])),
        "validation_queries": float(len(validation)),
    }
    before = None if _self_supervised(base) else threshold_before(base, method)
    if base is None or before is None:
        share = learn_mean_share(pairs)
    else:
        # A threshold goes only with the share of the mean that it was learned with.
        share = float(base.config.get("threshold_mean_share", 0.0))
    beside = [(beside_mean(matrix, share), labels) for matrix, labels in pairs]
    neutral, validated = learner.head.neutral.item(), choose_threshold(beside, before)
    for kind, measured in (
        ("validated", measured_at(beside, validated)),
        ("neutral", measured_at(pairs, neutral)),
    ):
        scores |= {f"{kind}_threshold_{name}": value for name, value in measured.items()}
    by_neutral = objective.count_by == "neutral"
    return {
        "threshold": neutral if by_neutral else validated,
        "threshold_mean_share": 0.0 if by_neutral else share,
        "validated_threshold": validated,
        "neutral_similarity": neutral,
    }, scores


def _layers_of(method: str, objective: SetObjective) -> dict[str, Any]:
    """Return what a configuration says of the layers that learn; empty over vectors."""
    learns = objective.tuned_embeddings if VARIANTS[method].words_only else objective.tuned_layers
    if not learns:
        return {}
    return {
        "reads": TOKENS,
        "tuned_layers": objective.tuned_layers,
        "tuned_embeddings": objective.tuned_embeddings,
        "context_layers": objective.context_layers,
    }


def _over(base: Checkpoint) -> dict[str, Any] | None:
    """Return what a network over vectors can stand over: the centred network of another room.

    Returns
    -------
    dict of str to object, or None
        Constructor arguments of its `CentredSiamese`, without the gate; None where the checkpoint
        has another network.
    """
    model = {k: v for k, v in base.config.get("model", {}).items() if k != "gate"}
    try:
        before = CentredSiamese(**model)
    except TypeError:
        return None
    return model if before.state_dict().keys() <= base.head_weights.keys() else None


def _start_over(network: Network, base: Checkpoint) -> None:
    """Put the weights of the checkpoint that a network stands over into it.

    Raises
    ------
    CheckpointError
        If they do not fit.
    """
    assert isinstance(network, VectorSet)
    try:
        network.start_over(head_tensors(base))
    except RuntimeError as error:
        raise unfit(base) from error


def _tensors_of(
    network: nn.Module, layers: Mapping[str, Any] | None = None
) -> dict[str, np.ndarray[Any, Any]]:
    """Return a network's weights, as a checkpoint takes them.

    Parameters
    ----------
    network : nn.Module
    layers : mapping of str to ndarray, optional
        Of the encoder below a network over vectors, as `Checkpoint.encoder_layers` returns them.
    """
    if isinstance(network, TokenSet):
        return {f"{HEAD_PREFIX}{name}": values for name, values in network.tensors().items()}
    return network_tensors(network, layers)
