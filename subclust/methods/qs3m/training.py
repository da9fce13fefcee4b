"""Training of the QS3M room's networks, from labelled queries to a checkpoint."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from subclust.checkpoints import Checkpoint
from subclust.encoders import Encoder
from subclust.encoders.tuning import tunable
from subclust.exceptions import TrainingError, TrainingStopped
from subclust.methods.qs3m.clusterer import (
    build,
    load_weights,
)
from subclust.methods.qs3m.gate_training import train_gate
from subclust.methods.qs3m.judging import embed_all, judge
from subclust.methods.qs3m.learner import PairLearner, prepare, with_embeddings, with_sentences
from subclust.methods.qs3m.objective import Objective
from subclust.methods.qs3m.packing import card_of, tensors_of
from subclust.methods.qs3m.sentence_attention import SentenceAttentiveSiamese
from subclust.records import ClusteringInstance
from subclust.training.arguments import Recipe, checked
from subclust.training.trainer import Progress, Trainer
from subclust.training.workers import current


def train(
    method: str,
    name: str,
    recipe: Recipe,
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    encoder: Encoder,
    folder: Path,
    *,
    base: Checkpoint | None = None,
    device: str = "cpu",
    resume: bool = False,
    progress: Progress | None = None,
) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    Parameters
    ----------
    method : {"qs3m", "qss", "attn-qs3m", "centred-qs3m"}
    name : str
        Of the checkpoint.
    recipe : Recipe
        ``[model]`` holds the network's constructor arguments without ``embedding_dim``;
        ``[objective]`` the fields of `Objective`.
    training, validation : sequence of ClusteringInstance
        Queries of the one must not occur in the other.
    encoder : Encoder
        The base encoder, or the tuning of it that `base` was trained over.
    folder : Path
        Of the run's state.
    base : Checkpoint, optional
        Whose weights the run starts from, instead of new ones.
    device : str
    resume : bool
    progress : callable, optional

    Returns
    -------
    Checkpoint
        Not saved yet; its card holds the scores on validation.

    Raises
    ------
    TrainingError
        If the recipe does not fit the method, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    objective = checked(Objective, recipe.objective, "The recipe's [objective]")
    config: dict[str, Any] = {
        "model": {"embedding_dim": encoder.embedding_dim, **recipe.model},
        "encoder_revision": encoder.revision,
        "context": objective.context,
    }
    if base is not None:
        config["model"] = {**base.config["model"], **recipe.model}
        config["encoder_revision"] = base.config["encoder_revision"]
        config["base"] = base.name
        config["with_base"] = base.config.get("with_base", False)
    if objective.part == "gate":
        return train_gate(
            method, name, recipe, objective, config, training, validation, encoder, folder,
            base=base, device=device, resume=resume, progress=progress,
        )  # fmt: skip
    torch.manual_seed(recipe.training.seed)
    head = build(method, config)
    if base is not None:
        load_weights(head, base, partly=True)
    if recipe.training.epochs == 0:
        training = training[:0]
    sets = [prepare(part, objective) for part in (training, validation)]
    tuned = tunable(
        encoder,
        layers=objective.tuned_layers,
        cached_states=objective.cached_states,
        lora_rank=objective.lora_rank,
        lora_alpha=objective.lora_alpha,
    )
    reads_sentences = isinstance(head, SentenceAttentiveSiamese)
    if tuned is not None and reads_sentences:
        raise TrainingError(
            f"{method} is trained on cached embeddings; set tuned_layers and lora_rank to 0."
        )
    if tuned is None:
        with current().main_first():  # the others find the embeddings in the cache
            embeddings = embed_all([*training, *validation], encoder)
            sets = [with_embeddings(part, embeddings) for part in sets]
            if reads_sentences:
                sets = [with_sentences(part, encoder) for part in sets]
    learner = PairLearner(
        head, sets[0], sets[1], objective, recipe.training, encoder=tuned, device=device
    )
    trainer = Trainer(learner, recipe.training, folder, device=device, progress=progress)
    result = trainer.train(resume=resume)
    if result.stopped == "stop":
        raise TrainingStopped(
            f"The run was stopped after step {result.steps} and saved; go on with --resume."
        )

    learnt, scores = judge(learner, sets[1])
    layers = None if tuned is None else tuned.tuned_layers()
    seconds = time.monotonic() - started
    card = card_of(method, recipe, objective, result, scores, seconds, base)
    tensors = tensors_of(head, base, layers)
    return Checkpoint(method, name, {**config, **learnt}, tensors, card)
