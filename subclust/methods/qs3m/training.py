"""Training of the QS3M room's networks, from labelled queries to a checkpoint."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import torch

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import load_weights, network_tensors
from subclust.core.exceptions import TrainingError
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.methods.qs3m.card import about
from subclust.methods.qs3m.clusterer import build
from subclust.methods.qs3m.gate_training import train_gate
from subclust.methods.qs3m.learner import PairLearner
from subclust.methods.qs3m.objective import Objective
from subclust.text.encoders import Encoder
from subclust.text.encoders.splitting import encode_sentences
from subclust.training.loop.learner import TrainingResult
from subclust.training.network_training import (
    card_of,
    embed_all,
    first_config,
    judge,
    train_network,
)
from subclust.training.queries import Prepared, prepare, with_embeddings
from subclust.training.recipe import checked
from subclust.training.training_run import TrainingRun

WEIGHTS = tuple(number / 10 for number in range(21))
"""Those that are tried; the least of several that are equally good is taken."""


def train(run: TrainingRun) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    ``[objective]`` holds the fields of `Objective`.
    """
    objective = checked(Objective, run.recipe.objective, "The recipe's [objective]")
    if objective.part == "gate":
        return train_gate(run, objective)
    if objective.part == "words":
        return _choose_word_weight(run, objective)
    reads_sentences = run.method == "attn-qs3m"
    if reads_sentences and (objective.tuned_layers or objective.lora_rank):
        raise TrainingError(
            "{method} is trained on cached embeddings; set tuned_layers and lora_rank to 0.",
            method=run.method,
        )
    return train_network(
        run,
        objective,
        build=partial(build, run.method),
        learner=PairLearner,
        about=about(run.method),
        complete=partial(_with_sentences, encoder=run.encoder) if reads_sentences else None,
    )


def _with_sentences(queries: Sequence[Prepared], encoder: Encoder) -> list[Prepared]:
    """Encode the sentences of all passages."""
    texts = [passage.text for query in queries for passage in query.instance.passages]
    vectors = iter(encode_sentences(texts, encoder))
    return [
        replace(query, sentences=tuple(next(vectors) for _ in query.instance.passages))
        for query in queries
    ]


def _choose_word_weight(run: TrainingRun, objective: Objective) -> Checkpoint:
    """Choose the weight of shared words on validation queries; everything else stays as it is.

    An encoder that has learnt from the training queries tells their passages apart without any
    words, so that a weight learnt on them is too low for others.

    Parameters
    ----------
    run : TrainingRun
        Its training queries are not used.

    Raises
    ------
    TrainingError
        If there is no base, or its network compares no words.
    """
    started = time.monotonic()
    method, base = run.method, run.base
    if base is None:
        raise TrainingError(
            'part = "words" weighs the words beside a network that is trained already; name it '
            "with --base."
        )
    config = first_config(run, objective)
    head = build(method, config)
    if not isinstance(head, CentredSiamese) or head.word_weight is None:
        raise TrainingError(
            "The network of {method} compares no words; set model.shared_words = true for "
            "centred-qs3m, or train pairs.",
            method=method,
        )
    load_weights(head, base, partly=True)
    sets = with_embeddings(
        prepare(run.validation, objective), embed_all(run.validation, run.encoder)
    )
    learner = PairLearner(head, [], sets, objective, run.recipe.training)
    found = {}
    for weight in WEIGHTS:
        _weigh(head.word_weight, weight)
        found[weight] = learner.evaluate()["ari"]
    _weigh(head.word_weight, max(found, key=lambda weight: (found[weight], -weight)))
    learnt, scores = judge(learner, sets)
    seconds = time.monotonic() - started
    result = TrainingResult({}, 0, 0, seconds, 0.0, 0, "finished")
    weights = {f"{weight:g}": round(ari, 6) for weight, ari in found.items()}
    return Checkpoint(
        method,
        run.name,
        {**config, **learnt, "context": base.config["context"]},
        network_tensors(head, base.encoder_layers),
        card_of(run, about(method), objective, result, scores, seconds, word_weights=weights),
    )


def _weigh(parameter: torch.nn.Parameter, weight: float) -> None:
    with torch.no_grad():
        parameter.fill_(weight)
